# Blackboard Learn, Grade Centre, Assignment File Download: a flat .zip, for each attempt a text about it and its files.
#
#   Lab 3_jdoe_attempt_2026-02-03-23-59-58.txt           Name: Jane Doe (jdoe) ... Date Submitted: ... Filename: ...
#   Lab 3_jdoe_attempt_2026-02-03-23-59-58_lab.zip       assignment, user name, when (the server's clock), the file's name
#   gradebook_CS101_Lab203_jdoe_attempt_...              older releases begin with gradebook and the course
#
# All attempts may be in it, or the last.
package lms::blackboard;
use strict;
use warnings;
use Names qw(logins_after);
use Times qw(utc_of);

sub uploads {
    my ($download) = @_;
    my (%attempts, @files);
    for my $path ($download->files) {
        # The first of these counts: what follows may be a file's name, which students choose.
        my ($stem, $when, $file) = $path =~ m{^([^/]+?)_attempt_(\d{4}(?:-\d\d){5})(?:_([^/]+)|\.txt)$}s
            ? ($1, $2, $3) : $path =~ m{^[^/]+\.csv$}i ? next : return;
        my $attempt = $attempts{$stem}{$when} //= { files => [] };
        if (defined $file) { push @{ $attempt->{files} }, { path => $path, as => $file, order => 0 } }
        else { $attempt->{about} = $path }
    }
    my %told = map { $_ => [told($download, $_, last_of($attempts{$_})->{about})] } keys %attempts;
    my %logins = (logins_after('_', [map { $_->[1] // () } values %told], sort keys %attempts), map { $told{$_}[1] ? ($_ => $told{$_}[1]) : () } keys %told);
    return map { upload_of($_, $attempts{$_}, $told{$_}[0], $logins{$_} // only_login($_)) } sort keys %attempts;
}

sub last_of { my ($attempts) = @_; return $attempts->{ (sort keys %$attempts)[-1] } }

# Name and login by the text about an attempt. What students wrote comes later in it.
sub told {
    my ($download, $stem, $about) = @_;
    my $text = defined $about ? $download->text($about) : '';
    my ($name, $login) = $text =~ /\A[^\n]*?: *([^\n]*?) *\(([^()\n]+)\)\s*\n/ or return ('', undef);
    return ($name, $stem =~ /(?:^|_)\Q$login\E$/ ? $login : undef);
}

# Without any text: of a name with one _, which is the one between assignment and login.
sub only_login { return $_[0] =~ /^[^_]+_([^_]+)$/ ? $1 : undef }

# The last attempt of a person. Whose login nothing tells fits nobody, until a person says who it is.
sub upload_of {
    my ($stem, $attempts, $name, $login) = @_;
    my @times = sort keys %$attempts;
    my $asked = defined $login ? undef : "where the login in '$stem' begins: the text about this attempt is missing";
    return { people => [{ name => $name eq '' && $asked ? $stem : $name, login => $login }], folder => $login // $stem, files => $attempts->{ $times[-1] }{files},
        attempts => scalar @times, handed_in => utc_of(split /-/, $times[-1]), asked => $asked,
        noted => [map { "attempt of $_ does not count: a later one does" } @times[0 .. $#times - 1]] };
}

1;
