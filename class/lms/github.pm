# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# GitHub Classroom, gh classroom clone student-repos: a folder lab3-submissions with a clone for each student, lab3-LOGIN.
# Other clones in one folder are known by classroom_roster.csv beside them (identifier, github_username, github_id, name:
# the roster's download) whose logins the folders end in. grades.csv, the assignment's download, tells when each was
# handed in (submission_timestamp) and who has which login (roster_identifier).
package lms::github;
use strict;
use warnings;
use Csv qw(csv_rows);
use Times qw(utc_of);

sub uploads {
    my ($download) = @_;
    my ($logins, $times) = listed($download);
    my %files;
    for my $path ($download->files) {
        my ($folder, $file) = $path =~ m{^([^/]+)/(.+)$}s or next;
        push @{ $files{$folder} }, { path => $path, as => $file, order => 0 } if $folder !~ /^\./;
    }
    return if !%files;
    my ($slug) = $download->name =~ /^(.+)-submissions$/;
    my @uploads;
    for my $folder (sort keys %files) {
        my ($login) = defined $slug ? $folder =~ /^\Q$slug\E-(.+)$/ : grep { $folder =~ /(?:^|-)\Q$_\E$/i } sort { length $b <=> length $a } @$logins;
        return if !defined $login;
        push @uploads, { people => [{ login => $login }], folder => $login, files => $files{$folder}, handed_in => $times->{ lc $login } };
    }
    return @uploads;
}

# The logins that CSVs beside the clones name, and when each handed in.
sub listed {
    my ($download) = @_;
    my (@logins, %times);
    for my $path (grep { m{^[^/]+\.csv$}i } $download->files) {
        my $rows = eval { csv_rows($download->text($path)) } or next;
        my $head = shift @$rows // [];
        my %at = map { lc $head->[$_] => $_ } 0 .. $#$head;
        next if !defined $at{github_username};
        for my $row (@$rows) {
            my $login = $row->[$at{github_username}];
            next if $login eq '';
            push @logins, $login;
            my $when = defined $at{submission_timestamp} ? $row->[$at{submission_timestamp}] : '';
            $times{ lc $login } = utc_of($1, $2, $3, $4, $5, $6, 0) if $when =~ /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
        }
    }
    return (\@logins, \%times);
}

1;
