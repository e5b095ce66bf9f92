# GitHub Classroom, gh classroom clone student-repos: a folder lab3-submissions with a clone for each student, lab3-LOGIN.
# grades.csv in it, the assignment's download, tells when each was handed in (github_username, submission_timestamp).
package lms::github;
use strict;
use warnings;
use Text qw(csv_rows utc_of);

sub uploads {
    my ($download) = @_;
    my ($slug) = $download->{name} =~ /^(.+)-submissions$/ or return;
    my %files;
    for my $path ($download->files) {
        my ($folder, $file) = $path =~ m{^([^/]+)/(.+)$}s or next;
        next if $folder =~ /^\./;
        my $login = $folder =~ /^\Q$slug\E-(.+)$/s ? $1 : return;
        push @{ $files{$login} }, { path => $path, as => $file, order => 0 };
    }
    my $times = times_in($download);
    return map { { people => [{ login => $_ }], folder => $_, files => $files{$_}, handed_in => $times->{ lc $_ } } } sort keys %files;
}

# By login, in lower case.
sub times_in {
    my ($download) = @_;
    my %times;
    for my $path ($download->tables) {
        my ($head, @rows) = eval { @{ csv_rows($download->text($path)) } };
        for my $cells (@rows) {
            my %row;
            @row{map { lc } @$head} = @$cells;
            $times{ lc $row{github_username} } = utc_of($row{submission_timestamp}) if defined $row{github_username} && defined $row{submission_timestamp};
        }
    }
    return \%times;
}

1;
