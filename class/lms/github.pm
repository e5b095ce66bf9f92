# GitHub Classroom, gh classroom clone student-repos: a folder lab3-submissions with a clone for each student, lab3-LOGIN.
# Other clones in one folder are known by classroom_roster.csv beside them (identifier, github_username, github_id, name:
# the roster's download): what follows the name that all folders share is a login, on the roster or not. grades.csv, the
# assignment's download, tells whose a folder is (student_repository_name), when each was handed in (submission_timestamp) and
# who has which login (roster_identifier).
package lms::github;
use strict;
use warnings;
use Text qw(csv_rows utc_of logins_after);

sub uploads {
    my ($download) = @_;
    my $listed = listed($download);
    my %files;
    for my $path ($download->files) {
        my ($folder, $file) = $path =~ m{^([^/]+)/(.+)$}s or next;
        push @{ $files{$folder} }, { path => $path, as => $file, order => 0 } if $folder !~ /^\./;
    }
    return if !%files;
    my $logins = logins_of($download, $listed, sort keys %files) or return;
    return map {
        my $login = $logins->{$_};
        # Whose login nothing tells fits nobody, until a person says who it is.
        my $asked = defined $login ? undef : "where the login in '$_' begins: call the folder above NAME-submissions, where NAME is the assignment's";
        { people => [$asked ? { name => $_ } : { login => $login }], folder => $login // $_, files => $files{$_}, asked => $asked,
            handed_in => $listed->{times}{ lc($login // '') } }
    } sort keys %files;
}

# By folder; nothing if these are no clones.
sub logins_of {
    my ($download, $listed, @folders) = @_;
    if (my ($slug) = $download->{name} =~ /^(.+)-submissions$/) {
        return if grep { !/^\Q$slug\E-./s } @folders;
        return { map { $_ => substr $_, 1 + length $slug } @folders };
    }
    my @known = grep { my $folder = lc; grep { $folder =~ /(?:^|-)\Q$_\E$/ } @{ $listed->{logins} } } @folders;
    return if 2 * @known < @folders;
    return { logins_after('-', $listed->{logins}, @folders), %{ $listed->{repositories} } };
}

# What CSVs beside the clones say: the logins (in lower case), whose a repository is, and when each handed in.
sub listed {
    my ($download) = @_;
    my (@logins, %times, %repositories);
    for my $path ($download->tables) {
        my ($head, @rows) = eval { @{ csv_rows($download->text($path)) } };
        for my $cells (@rows) {
            my %row;
            @row{map { lc } @$head} = @$cells;
            my $login = $row{github_username} // '';
            next if $login eq '';
            push @logins, lc $login;
            $repositories{ $row{student_repository_name} } = $login if defined $row{student_repository_name};
            $times{ lc $login } = utc_of($row{submission_timestamp}) if defined $row{submission_timestamp};
        }
    }
    return { logins => \@logins, times => \%times, repositories => \%repositories };
}

1;
