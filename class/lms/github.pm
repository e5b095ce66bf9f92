# GitHub Classroom, gh classroom clone student-repos: a folder lab3-submissions with a clone for each student, lab3-LOGIN.
# grades.csv in it, the assignment's download, tells when each was handed in (github_username, submission_timestamp).
package lms::github;
use strict;
use warnings;

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
    return map { { people => [{ login => $_ }], folder => $_, files => $files{$_} } } sort keys %files;
}

1;
