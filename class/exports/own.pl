#!/usr/bin/env perl
# Called by class/export: gives a learning platform its own export back, byte for byte, with the grades in it, so that its import
# finds everybody. Without such a roster class/exports/FORMAT.c has what is written; for Blackboard that is nothing.
#
# Usage: own.pl FORMATS ROSTER OUT <GRADES
#
# GRADES: total, title, title as a cell of CSV, and whether --title gave it; then of each who has a grade the grade, the feedback as
# a cell, and what the person is known by (@KEYS). Tabs stand between.
# Exit status: 0 done; 1 a person has to look at what stderr says; 2 it cannot be told which column is meant; 3 it cannot be written.
#
# Blackboard, Grade Center, Work Offline, Download and Upload: it finds a person by Username, and a column by the number at the end of
# its title, "Lab 3 [Total Pts: 20 Score] |12345". Without a number it makes a new column, of text, which is no grade. Cells between
# commas stand in quotes; a file .xls is UTF-16 with tabs (Blackboard Help, Work Offline with Grade Data).
# canvas.c and moodle.c say how these platforms read theirs.

use strict;
use warnings;
use experimental 'signatures';
use FindBin;
use lib "$FindBin::Bin/../roster";
use Encode ();
use Roster qw(people_of);
use Text qw(slurp text_of csv_rows shown);

my @KEYS = qw(canvas number login email name); # the first that a row of the roster has tells whose it is
my ($formats, $roster, $out) = @ARGV;
binmode $_, ':encoding(UTF-8)' for *STDIN, *STDERR;
my ($head, @lines) = map { chomp; [split /\t/, $_, -1] } <STDIN>;
my ($total, $title, $title_cell, $is_given) = @$head;
my (%found, %form, $status);
for my $line (@lines) {
    my %entry;
    @entry{ qw(grade feedback), @KEYS } = @$line;
    $found{"$_ $entry{$_}"} = \%entry for grep { $entry{$_} ne '' } @KEYS;
}
my $bytes = slurp($roster);
my $rows = csv_rows(text_of($bytes), \%form);
my @titles = @{ $rows->[0] // [] };
my %at = map { $titles[$_] => $_ } reverse 0 .. $#titles;

sub note { print STDERR 'export: ', shown($_[0]), "\n"; return $status = $_[1] // $status }

sub entry_of {
    my ($person) = @{ people_of([@$rows[0, $_[0]]]) } or return;
    my ($key) = grep { $person->{$_} ne '' } @KEYS;
    return $found{"$key $person->{$key}"};
}

# The column, from that one on, which the grades go to: it is called like the assignment, with or without the number, or it is the
# only one; where there is none, a new one behind the last.
sub column_for ($file, $from, $number, $makes_new) {
    my @columns = grep { $titles[$_] =~ $number && $titles[$_] !~ /Total Pts: up to/ } $from .. $#titles; # which are Blackboard's sums
    my @named = grep { $titles[$_] eq $title || $titles[$_] =~ s/$number//r eq $title } @columns;
    my @fit = @named || $is_given || @columns != 1 ? @named : @columns;
    if (@columns && @fit != 1) {
        note("$file: the roster has " . (@named ? 'more than one' : 'no') . " column for '$title': say which one with --title: "
            . join ', ', map { "'$titles[$_]'" } @columns);
        unlink "$out/$file"; # which Canvas would take for a new assignment
        exit 2;
    }
    if (@fit) { note("$file: the grades are for '$titles[$fit[0]]'") }
    elsif ($title !~ $number) { note("$file: $makes_new of '$title': for one that it has, give --title its name with the number, as it writes it") }
    return $fit[0] // @titles;
}

# These columns of it; CELL has what is new in a row, or nothing.
sub put ($file, $columns, $cell) {
    my $text = $bytes =~ /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/ ? "\x{feff}" : '';
    for my $row (0 .. $#$rows) {
        my $entry = $row ? entry_of($row) : undef;
        $text .= join($form{separator}, map { ($row ? $cell->($entry, $_, $row) : undef) // $form{raw}[$row][$_] // ($row ? '' : $title_cell) } @$columns) . $form{newline};
    }
    my $encoding = $bytes =~ /^\xfe\xff/ ? 'UTF-16BE' : $bytes =~ /^\xff\xfe|^[^\0]\0[^\0]\0/ ? 'UTF-16LE' : 'UTF-8';
    open my $to, '>:raw', "$out/$file" or exit note("cannot write to '$out': $!", 3);
    print {$to} Encode::encode($encoding, $text) and close $to or exit note("cannot write to '$out': $!", 3);
}

sub compare_total {
    my ($theirs, $platform) = (($_[0] // '') =~ tr/,/./r, $_[1]);
    note("$platform says that the assignment is worth " . ($theirs + 0) . " points, and here it is worth $total: make them the same (total in the assignment)", 1)
        if $theirs =~ /^\s*\d+(?:\.\d*)?$/ && $theirs != $total;
}

my %own = (
    blackboard => sub {
        my $number = qr/\s*(?:\[Total Pts:[^\]]*\])?\s*\|\d+\s*$/;
        return note('blackboard: nothing is written: it needs --roster FILE, which Grade Center, Work Offline, Download writes', 1)
            if !defined $at{Username} || !grep { defined $at{$_} } 'Last Name', 'First Name';
        my $people = (grep({ $titles[$_] =~ $number } 0 .. $#titles), scalar @titles)[0];
        my $file = $form{separator} eq "\t" ? 'blackboard.xls' : 'blackboard.csv';
        my $column = column_for($file, $people, $number, 'Blackboard makes a new column');
        put($file, [0 .. $people - 1, $column], sub { $_[1] == $column && $_[0] ? qq("$_[0]{grade}") : undef });
        compare_total(($titles[$column] // '') =~ /\[Total Pts: ([\d.,]+)/ ? $1 : '', 'Blackboard');
    },
    canvas => sub {
        return if !defined $at{ID} || !defined $at{Section} || $titles[0] !~ /^(?:Student|LastName)$/;
        my ($maximum) = grep { $rows->[$_][0] =~ /points possible/i } 0 .. $#$rows;
        my $column = column_for('canvas.csv', $at{Section} + 1, qr/\s*\(\d+\)\s*$/, 'Canvas makes a new assignment');
        put('canvas.csv', [0 .. $at{Section}, $column], sub ($entry, $at, $row) {
            return if $at != $column;
            return $column == @titles && $row == ($maximum // -1) ? $total : $entry && $entry->{grade};
        });
        compare_total($rows->[$maximum][$column], 'Canvas') if defined $maximum;
    },
    moodle => sub {
        return if grep { !defined $at{$_} } 'Identifier', 'Grade', 'Last modified (grade)';
        my %new = ($at{Grade} => 'grade', ($at{'Feedback comments'} // -1) => 'feedback');
        put('moodle-worksheet.csv', [0 .. $#titles], sub { $_[0] && $new{ $_[1] } ? $_[0]{ $new{ $_[1] } } : undef });
        compare_total($rows->[1][ $at{'Maximum Grade'} ], 'Moodle') if $rows->[1] && defined $at{'Maximum Grade'};
    });
$own{$_}->() for grep { $own{$_} } split /,/, $formats;
exit($status // 0);
