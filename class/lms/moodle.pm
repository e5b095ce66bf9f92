# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Moodle, Assignment, Download all submissions (moodle, mod/assign/classes/downloader.php):
#
#   Jane Doe_12_assignsubmission_file/lab.zip          a folder for each participant, with the folders that they made;
#   Jane Doe_12_assignsubmission_onlinetext/...html    before Moodle 4 its name ended with _
#   Jane Doe_12_assignsubmission_file_lab.zip          or, without "Download submissions in folders", flat files
#   Participant_12_assignsubmission_file/lab.zip       with anonymous submissions; Participant in any language
#   Team A_34_assignsubmission_file/lab.zip            of a group: its name and number (the worksheet has a column Group)
#
# 12 is the participant's number in this assignment. The grading worksheet (mod/assign/gradingtable.php), a CSV that may
# lie beside them, has it as "Participant 12", with name, e-mail and "Last modified (submission)".
package lms::moodle;
use strict;
use warnings;
use Csv qw(csv_rows);
use Times qw(utc_of);

my @MONTHS = qw(jan feb mar apr may jun jul aug sep oct nov dec);

sub uploads {
    my ($download) = @_;
    my (%of, @beside);
    for my $path ($download->files) {
        # The first number counts: what follows may be a file's name, which students choose. Names have no _.
        my ($name, $number, $kind, $file) = $path =~ m{^([^/]+?)_(\d+)_assignsubmission_([^/_]+)(?:_?/|_)(.+)$}s;
        if (!defined $name) {
            return if $path !~ m{^[^/]+\.csv$}i;
            push @beside, $path;
            next;
        }
        my $upload = $of{$number} //= { people => [{ name => $name, canvas => $number }], folder => $number, files => [] };
        $file =~ s{^/+}{};
        push @{ $upload->{files} }, { path => $path, as => $kind eq 'file' ? $file : "$kind/$file", order => 0 };
    }
    my $times = times_of($download, @beside);
    $of{$_}{handed_in} = $times->{$_} for keys %of;
    return map { $of{$_} } sort keys %of;
}

# When participants handed in, of a grading worksheet in English (Wednesday, 12 October 2022, 11:59 PM).
sub times_of {
    my ($download, @worksheets) = @_;
    my %times;
    for my $path (@worksheets) {
        my $rows = eval { csv_rows($download->text($path)) } or next;
        my $head = shift @$rows // [];
        my %at = map { lc $head->[$_] => $_ } 0 .. $#$head;
        my ($who, $when) = @at{ 'identifier', 'last modified (submission)' };
        next if !defined $who || !defined $when;
        for my $row (@$rows) {
            my ($number) = $row->[$who] =~ /(\d+)$/ or next;
            $times{$number} = time_of($row->[$when]);
        }
    }
    return \%times;
}

sub time_of {
    my ($day, $month, $year, $hour, $minute, $half) = $_[0] =~ /(\d{1,2}) (\w+) (\d{4}), (\d{1,2}):(\d\d)(?:\s*([AP]M))?/i or return '';
    my ($number) = grep { lc(substr $month, 0, 3) eq $MONTHS[$_ - 1] } 1 .. 12;
    $hour = $hour % 12 + (uc $half eq 'PM' ? 12 : 0) if $half;
    return $number ? utc_of($year, $number, $day, $hour, $minute, 0) : '';
}

1;
