#!/usr/bin/env perl
# Called by class/export: the rows of a roster as they stand in the file, as JSON, so that an export can give a learning
# platform its own rows back, byte for byte.
#
# Usage: rows.pl ROSTER
#
#   encoding    UTF-8 or UTF-16LE or UTF-16BE: what the file was, and an export of it is to be
#   begin       its byte order mark, as text, or ""
#   separator   between cells, and newline: at the end of rows
#   head        the texts of the first row
#   rows        of each row: raw, the cells as they stand in the file, with their quotes; text, what they say; and person,
#               who is meant, as Roster.pm reads it: {number canvas login email name section}, or null
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Csv ();
use Roster qw(people_of);
use Text qw(slurp text_of);

my $path = shift;
my $bytes = slurp($path);
my $encoding = $bytes =~ /^\xfe\xff/ ? 'UTF-16BE' : $bytes =~ /^\xff\xfe|^[^\0]\0[^\0]\0/ ? 'UTF-16LE' : 'UTF-8';
my $text = text_of($bytes);
$text =~ s/^(?:\x{feff})?sep=.\r?\n//;
my $texts = Csv::csv_rows($text, my $raw = []);
my $separator = Csv::separator($text);
my ($newline) = $text =~ /(\r\n?|\n)/;
my ($head, @rows) = @$texts;
print JSON::PP->new->utf8->canonical->encode({
    encoding => $encoding, begin => ($bytes =~ /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/ ? "\x{feff}" : ''),
    separator => $separator, newline => $newline // "\n", head => $head, raw_head => $raw->[0],
    rows => [map {
        my $people = people_of([$head, $rows[$_]]);
        { text => $rows[$_], raw => $raw->[$_ + 1], person => ref $people && @$people ? $people->[0] : undef }
    } 0 .. $#rows] });
