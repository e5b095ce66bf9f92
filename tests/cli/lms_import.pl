#!/usr/bin/env perl
# Reads an export as a learning platform's import does, as far as it can fail: prints "login, tab, grade" for each person
# whom it finds, and dies where the platform refuses the file.
#
# Usage: [NUMBER=N] lms_import.pl PLATFORM FILE <tests/fixtures/lms/enrolled.tsv
#
# NUMBER is Canvas's of the assignment (880042).
#
# The rules: canvas: lib/gradebook_importer.rb of instructure/canvas-lms. moodle: grade/import/csv/classes/load_data.php of
# moodle/moodle, mapped by e-mail address; moodle-worksheet: mod/assign/feedback/offline/importgradeslib.php and
# locallib.php. blackboard: Blackboard Help, "Work Offline with Grade Data".
use strict;
use warnings;
use Encode;

binmode STDOUT, ':encoding(UTF-8)';
my ($platform, $path) = @ARGV;
my $number = $ENV{NUMBER} // 880042;
my @people;
while (my $line = decode('UTF-8', <STDIN> // '')) {
    chomp $line;
    next if $line =~ /^#/;
    my %person;
    @person{qw(canvas participant sis login email last first)} = split /\t/, $line;
    push @people, \%person;
}

sub only { my ($column, $value) = @_; my @found = grep { $_->{$column} eq $value } @people; return @found == 1 ? $found[0] : undef }

# Strict CSV: the cells of each row.
sub rows {
    my ($text, $separator) = @_;
    my @rows = [];
    pos($text) = 0;
    while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^"\r\n$separator]*))($separator|\r?\n|\z)/gc) {
        my ($quoted, $bare, $end) = ($1, $2, $3);
        push @{ $rows[-1] }, defined $quoted ? $quoted =~ s/""/"/gr : $bare;
        last if pos($text) == length $text && $end ne $separator;
        push @rows, [] if $end ne $separator;
    }
    pos($text) == length $text or die "$path: not CSV at " . pos($text) . "\n";
    @{ $rows[-1] } or pop @rows;
    @$_ == @{ $rows[0] } or die "$path: rows of unequal length\n" for @rows;
    return @rows;
}

sub found { my ($person, $grade) = @_; print "$person->{login}\t$grade\n" }
sub index_of { my ($head, $name) = @_; my ($at) = grep { $head->[$_] eq $name } 0 .. $#$head; return $at }
sub column { my ($head, $name) = @_; return index_of($head, $name) // die "$path: no column '$name'\n" }

my $bytes = do { local $/; open my $in, '<:raw', $path or die "$path: $!\n"; <$in> };
my $text = $bytes =~ /^(?:\xff\xfe|\xfe\xff)/ && $platform eq 'blackboard' ? decode('UTF-16', $bytes, Encode::FB_CROAK) : decode('UTF-8', $bytes, Encode::FB_CROAK);

if ($platform eq 'canvas') {
    my ($head, @rows) = rows($text, ',');
    $head->[0] =~ /Student/ && $head->[1] =~ /ID/ && $head->[2] eq 'SIS User ID' && $head->[3] eq 'SIS Login ID' && $head->[4] eq 'Section'
        or die "$path: Invalid header row\n";
    my @assignments = grep { $head->[$_] =~ /\(\d+\)$/ } 5 .. $#$head;
    @assignments == 1 && $head->[$assignments[0]] =~ /\($number\)$/ or die "$path: a new or another assignment: @$head\n";
    for my $row (@rows) {
        next if $row->[0] =~ /Points Possible/ || !grep { !/^\s*(?:Muted|Manual Posting.*)?\s*$/i } @$row;
        my $person = only(canvas => $row->[1]) // only(sis => $row->[2]) // only(login => $row->[3])
            // (grep { "$_->{last}, $_->{first}" eq $row->[0] } @people)[0];
        next if $row->[1] eq '4999'; # Canvas's test student
        $person or die "$path: a new student: $row->[0]\n";
        found($person, $row->[$assignments[0]]);
    }
} elsif ($platform eq 'moodle') {
    my ($head, @rows) = rows($text =~ s/^\x{feff}//r, ',');
    my ($email, $feedback) = (column($head, 'Email address'), column($head, 'Feedback'));
    for my $row (@rows) {
        my $person = only(email => $row->[$email]) // die "$path: user mapping error: $row->[$email]\n";
        $row->[3] =~ /^(?:\d+(?:\.\d+)?)?$/ && $row->[$feedback] ne '' or die "$path: bad grade or no feedback: @$row\n";
        found($person, $row->[3]);
    }
} elsif ($platform eq 'moodle-worksheet') {
    my ($head, @rows) = rows($text =~ s/^\x{feff}//r, ',');
    my ($id, $grade) = (column($head, 'Identifier'), column($head, 'Grade'));
    column($head, 'Last modified (grade)');
    column($head, 'Feedback comments');
    for my $row (@rows) {
        my $person = only(participant => substr $row->[$id], length 'Participant ') or next; # Moodle passes over it
        my $max = index_of($head, 'Maximum Grade');
        $row->[$grade] <= $row->[$max] or die "$path: out of range\n" if defined $max && $row->[$grade] ne '';
        found($person, $row->[$grade]);
    }
} elsif ($platform eq 'blackboard') {
    $text =~ s/^\x{feff}//;
    my ($head, @rows) = rows($text, $text =~ /^[^\n]*\t/ ? "\t" : ',');
    my $user = column($head, 'Username');
    my @columns = grep { $head->[$_] =~ /\|664617$/ } 0 .. $#$head;
    @columns == 1 && !grep { /\|(?!664617)\d+$/ } @$head or die "$path: not the column of the assignment alone: @$head\n";
    for my $row (@rows) {
        found(only(login => $row->[$user]) // die("$path: not enrolled: $row->[$user]\n"), $row->[$columns[0]]);
    }
} else {
    die "no platform '$platform'\n";
}
