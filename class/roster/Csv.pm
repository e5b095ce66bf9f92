# CSV as RFC 4180 defines it, in the forms that learning platforms and spreadsheets write: UTF-8 or UTF-16, with or
# without a byte order mark (Text.pm); commas, semicolons or tabs between the cells, whichever the first line has most
# of outside quotes; a first line "sep=;" as Excel reads and writes it.
package Csv;
use strict;
use warnings;
use Text qw(slurp text_of);
use Exporter 'import';
our @EXPORT_OK = qw(read_csv csv_rows);

use constant MOST_CELL => 10000;

# The rows of a file, as arrays of texts. Dies with "FILE:LINE: what is wrong": a quote in the middle of a bare cell,
# text after a closing quote, an open quote at the end, rows of unequal length.
sub read_csv {
    my ($path) = @_;
    my $rows = eval { my $bytes = slurp($path); refuse_documents($bytes); csv_rows(text_of($bytes)) };
    return $rows if $rows;
    chomp(my $why = $@);
    die $why =~ /^\d+: / ? "$path:$why\n" : "$path: $why\n";
}

# What is often taken for a CSV is named: a spreadsheet's own format, an archive, a PDF.
sub refuse_documents {
    my ($bytes) = @_;
    my $kind = $bytes =~ /^%PDF-/ ? 'a PDF' : $bytes =~ /^PK\x03\x04/ ? 'an archive or a spreadsheet (.zip, .xlsx, .ods)'
        : $bytes =~ /^\xd0\xcf\x11\xe0/ ? 'a spreadsheet (.xls)' : return;
    die "this is $kind, and no CSV: save or export the table as CSV\n";
}

# The rows of a text; RAW, where it is given, gets the cells as they stand there. Dies with "LINE: what is wrong".
sub csv_rows {
    my ($text, $raw) = @_;
    my ($line, $newline) = (1, $text =~ /\n/ ? qr/\r?\n/ : qr/\r/); # as old Macs write it only where nothing else does
    $line++ if $text =~ s/^sep=.$newline//;
    my $comma = separator($text =~ s/$newline/\n/gr);
    my (@rows, @row, @cells, $begun);
    pos($text) = 0;
    while (pos($text) < length $text) {
        if (!@row && $text =~ /\G$newline/gc) { $line++; next }
        $begun = $line if !@row;
        my $cell;
        if ($text =~ /\G("(?:[^"]|"")*+")/gc) {
            push @cells, $1;
            $cell = substr $1, 1, -1;
            $line += $cell =~ s/$newline/\n/g;
            $cell =~ s/""/"/g;
            $text =~ /\G(?=$newline|[$comma]|\z)/gc or die "$line: text follows a closing quote\n";
        } else {
            $text =~ /\G"/ and die "$line: a quote is never closed\n";
            $text =~ /\G((?:(?!$newline)[^$comma])*)/gc;
            push @cells, $cell = $1;
            $cell =~ /"/ and die "$line: a quote stands inside a cell that is not quoted\n";
        }
        length $cell > MOST_CELL and die "$line: a cell of more than " . MOST_CELL . " characters\n";
        push @row, $cell;
        if ($text =~ /\G[$comma]/gc) {
            next if pos($text) < length $text;
            push @$_, '' for \(@row, @cells);
        }
        $text =~ /\G$newline/gc and $line++;
        push @rows, [@row];
        push @$raw, [@cells] if $raw;
        @row == @{ $rows[0] } or die "$begun: " . @row . " cells, where the first row has " . @{ $rows[0] } . "\n";
        @row = @cells = ();
    }
    return \@rows;
}

sub separator {
    my ($head) = $_[0] =~ /^\n*([^\n]*)/;
    $head =~ s/"[^"]*"//g;
    my ($comma, $most) = (',', $head =~ tr/,//);
    for my $other (';', "\t") {
        my $count = () = $head =~ /$other/g;
        ($comma, $most) = ($other, $count) if $count > $most;
    }
    return $comma;
}

1;
