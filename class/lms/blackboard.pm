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
use Text qw(utc_of);

sub uploads {
    my ($download) = @_;
    my (%attempts, %names, %logins);
    for my $path ($download->files) {
        # The first of these counts: what follows may be a file's name, which students choose.
        my ($stem, $when, $file) = $path =~ m{^([^/]+?)_attempt_(\d{4}(?:-\d\d){5})(?:_([^/]+)|\.txt)$}s
            ? ($1, $2, $3) : $path =~ m{^[^/]+\.csv$}i ? next : return;
        my $attempt = $attempts{$stem}{$when} //= { files => [] };
        if (defined $file) { push @{ $attempt->{files} }, { path => $path, as => $file, order => 0 } }
        else { $attempt->{about} = $path }
    }
    # Name and login by the text about the last attempt. What students wrote comes later in it.
    for my $stem (keys %attempts) {
        my ($last) = reverse sort keys %{ $attempts{$stem} };
        my $about = $attempts{$stem}{$last}{about} // next;
        my ($name, $login) = $download->text($about) =~ /\A[^\n]*?: *([^\n]*?) *\(([^()\n]+)\)\s*\n/ or next;
        $names{$stem} = $name;
        $logins{$stem} = $login if $stem =~ /(?:^|_)\Q$login\E$/;
    }
    return map {
        # Without any text: of a name with one _, which is the one between assignment and login. Whose login nothing tells fits
        # nobody, until a person says who it is.
        my ($name, $login) = ($names{$_} // '', $logins{$_} // (/^[^_]+_([^_]+)$/ ? $1 : undef));
        my ($last, @earlier) = reverse sort keys %{ $attempts{$_} };
        my $asked = defined $login ? undef : "where the login in '$_' begins: the text about this attempt is missing";
        { people => [{ name => $name eq '' && $asked ? $_ : $name, login => $login }], folder => $login // $_, files => $attempts{$_}{$last}{files},
            attempts => 1 + @earlier, handed_in => utc_of($last, 'local'), asked => $asked,
            noted => [map { "attempt of $_ does not count: a later one does" } reverse @earlier] }
    } sort keys %attempts;
}

1;
