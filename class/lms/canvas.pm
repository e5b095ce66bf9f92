# Canvas, Assignment, Download Submissions (canvas-lms, lib/content_zipper.rb). One flat .zip:
#
#   doejane_LATE_4711_99001_lab.zip     sortable name in lower case without what is no letter, mark or digit; LATE; the
#   doejane_4711_99002_opt05-1.cu       user's id; the file's id; the file's name. Of equal names the second is -1, then -2
#   doejane_4711_text.html              a text entry or an address (link), which is no file
#   anon_x7Yz_99003_opt05.cu            with anonymous grading
#
# It holds the files of the last attempt only. The file's id tells which file is newer.
package lms::canvas;
use strict;
use warnings;

sub uploads {
    my ($download) = @_;
    my %of;
    for my $path ($download->files) {
        my ($name, $late, $user, $rest) = $path =~ m{^(?|()(LATE_)?(anon_[^\W_]+)_([^/]+)|([^/]+?)_(LATE_)?(\d+)_(\d+_[^/]+|text\.html|link\.html))$}
            ? ($1, $2, $3, $4) : $path =~ m{^[^/]+\.csv$}i ? next : return;
        my $upload = $of{$user} //= { people => [{ name => $name, canvas => $user =~ /^\d+$/ ? $user : '' }], folder => $user, files => [] };
        $upload->{late_flag} ||= $late ? 1 : 0;
        my ($number, $as) = $rest =~ /^(\d+)_(.+)$/s or next;
        push @{ $upload->{files} }, { path => $path, as => $as, order => $number };
        $upload->{answer} = "${name}_${user}_$number" if $name ne ''; # Canvas takes the number of any of them
    }
    return map { $of{$_} } sort keys %of;
}

1;
