#!/usr/bin/env perl
# Usage: tests/controls.pl FILE...
# Names each line of the files that holds what a terminal or a page must not get: control characters (C0 but for
# tab and line break, DEL, C1), bytes that are not UTF-8, and characters that nobody sees and that reorder or
# disguise a text. printable, of common/prelude.sh and report/lib/text.h, takes these out. Exit status: 0 there is none, 1 there is some.

use strict;
use warnings;
use Encode;

my $hidden = qr/[\x00-\x08\x0b-\x1f\x7f-\x9f\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{fffe}\x{ffff}\x{e0000}-\x{e007f}]/;
my $found = 0;
for my $file (@ARGV) {
    open my $in, '<:raw', $file or die "$file: $!\n";
    while (my $line = <$in>) {
        chomp $line;
        $line =~ s{\r$}{} if $file =~ m{\.csv$}; # as CSV has it
        my $text = eval { decode('UTF-8', my $copy = $line, Encode::FB_CROAK) };
        next if defined $text && $text !~ $hidden;
        $text //= decode('ISO-8859-1', $line);
        $text =~ s/([^ -~])/sprintf '<%X>', ord $1/ge;
        printf "%s:%d: %.300s\n", $file, $., $text;
        $found = 1;
    }
}
exit $found;
