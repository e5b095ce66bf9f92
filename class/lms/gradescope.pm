# Gradescope, Review Grades, Export Submissions: submission_metadata.yml and a folder for each submission, with the files
# of its last attempt. Of the YAML, in the form that Ruby writes:
#
#   submission_123456:
#     :submitters:                    several for a group
#     - :name: Jane Doe
#       :sid: '100'
#       :email: jane@example.edu
#     :created_at: 2026-02-03 04:05:06.789000000 Z
#     :history:                       earlier attempts, a list item each
package lms::gradescope;
use strict;
use warnings;
use Text qw(utc_of);

sub uploads {
    my ($download) = @_;
    my $metadata = 'submission_metadata.yml';
    return if !grep { $_ eq $metadata } $download->files;
    my (%of, $upload, $key);
    # Only what stands at the depth where it belongs is read: results of tests, which students can print into, lie deeper or
    # are other keys.
    for my $line (split /\r?\n/, $download->text($metadata)) {
        if ($line =~ /^(["']?)([^\s:"'][^:"']*)\1:\s*$/) {
            $upload = $of{$2} = { people => [], folder => $2, files => [], attempts => 1 };
            $key = '';
        } elsif (!$upload) {
            next;
        } elsif ($line =~ /^  (:\w+):\s*(.*)$/) {
            $key = $1;
            $upload->{handed_in} = utc_of($2) if $key eq ':created_at';
        } elsif ($key eq ':submitters' && $line =~ /^  (- |  ):(name|sid|email):\s*(.*)$/) {
            push @{ $upload->{people} }, {} if $1 eq '- ';
            $upload->{people}[-1]{ $2 eq 'sid' ? 'number' : $2 } = scalar_of($3) if @{ $upload->{people} };
        } elsif ($key eq ':history' && $line =~ /^  - /) {
            $upload->{attempts}++;
        }
    }
    for my $path ($download->files) {
        my ($folder, $file) = $path =~ m{^([^/]+)/(.+)$}s or next;
        push @{ $of{$folder}{files} }, { path => $path, as => $file, order => 0 } if $of{$folder};
    }
    return map { $of{$_} } grep { @{ $of{$_}{people} } } sort keys %of;
}

# A scalar of YAML 1.1 on one line: plain, 'single' or "double".
sub scalar_of {
    my $text = $_[0] =~ s/\s+$//r;
    return $1 =~ s/''/'/gr if $text =~ /^'(.*)'$/;
    return $text =~ /^(?:~|null|)$/ ? '' : $text if $text !~ s/^"(.*)"$/$1/;
    $text =~ s/\\(?:(?|x([[:xdigit:]]{2})|u([[:xdigit:]]{4})|U([[:xdigit:]]{8}))|(.))/defined $1 ? chr hex $1 : $2 =~ tr{ntre0}{ }r/ge;
    return $text =~ s/[^\0-\x{d7ff}\x{e000}-\x{10ffff}]/?/gr; # what is no character
}

1;
