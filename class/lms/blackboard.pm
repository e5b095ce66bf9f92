# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

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
    return map { upload_of($download, $_, $attempts{$_}) } sort keys %attempts;
}

# The last attempt of a person.
sub upload_of {
    my ($download, $stem, $attempts) = @_;
    my ($login) = $stem =~ /([^_]+)$/;
    my @times = sort keys %$attempts;
    my $last = $attempts->{ $times[-1] };
    my $name = '';
    my $about = defined $last->{about} ? $download->text($last->{about}) : '';
    # The login may hold a _, which nothing else tells. What students wrote comes later in the text.
    if ($about =~ /\A[^\n]*?: *([^\n]*?) *\(([^()\n]+)\)\s*\n/) {
        ($name, my $said) = ($1, $2);
        $login = $said if $stem =~ /(?:^|_)\Q$said\E$/;
    }
    return { people => [{ name => $name, login => $login }], folder => $login, files => $last->{files}, attempts => scalar @times,
        handed_in => utc_of(split /-/, $times[-1]), noted => [map { "attempt of $_ does not count: a later one does" } @times[0 .. $#times - 1]] };
}

1;
