# Texts of others: how their bytes become characters, tables and times, what of them people may be shown, and when two names of
# people are the same.
package Text;
use strict;
use warnings;
use experimental 'signatures';
use utf8;
use feature qw(fc unicode_strings);
use Encode ();
use Time::Local qw(timegm timelocal);
use Unicode::Normalize qw(NFKC NFD NFC);
use Exporter 'import';
our @EXPORT_OK = qw(slurp text_of utf8_or shown cell table csv_rows utc_of time_in_words name_key plain keys_of_name ascii_key turned words_of);

# The file's bytes. Dies with a sentence.
sub slurp ($path) {
    open my $in, '<:raw', $path or die "cannot read it: $!\n";
    local $/;
    return scalar(<$in>) // '';
}

# Bytes as characters: UTF-8 or UTF-16 by their byte order mark; without one, UTF-8 if it is that, UTF-16 if every
# other byte is 0, else what Windows writes in western Europe.
sub text_of ($bytes) {
    return Encode::decode('UTF-8', substr $bytes, 3) if $bytes =~ /^\xef\xbb\xbf/;
    return Encode::decode('UTF-16', $bytes) if $bytes =~ /^(?:\xff\xfe|\xfe\xff)/;
    return Encode::decode('UTF-16LE', $bytes) if $bytes =~ /^[^\0]\0[^\0]\0/;
    return Encode::decode('UTF-16BE', $bytes) if $bytes =~ /^\0[^\0]\0[^\0]/;
    return utf8_or('cp1252', $bytes);
}

sub utf8_or ($other, $bytes) {
    return eval { Encode::decode('UTF-8', $bytes, Encode::FB_CROAK | Encode::LEAVE_SRC) } // Encode::decode($other, $bytes);
}

# Without control characters, and without those that nobody sees and that reorder or disguise a text: the list of
# printable of common/prelude.sh. The joiners U+200C and U+200D stay: names are written with them.
sub shown ($text) {
    $text =~ s/[\x00-\x1f\x7f-\x9f\x{2028}\x{2029}]+/ /g;
    return $text =~ s/[\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{fffe}\x{ffff}\x{e0000}-\x{e007f}]//gr;
}

# A cell of a table: one line without space around it, of at most 500 characters.
sub cell { return substr shown($_[0] // '') =~ s/^\s+|\s+$//gr, 0, 500 }

# Rows of a table whose first line names the columns, as hashes; none where there is no such file.
sub table ($path) {
    return if !-s $path;
    my ($head, @lines) = split /\n/, text_of(slurp($path));
    my @names = split /\t/, $head;
    return map { my %row; @row{@names} = split /\t/, $_, -1; \%row } @lines;
}

# ---- CSV -------------------------------------------------------------------------------------------
# As RFC 4180 defines it, in the forms that learning platforms and spreadsheets write: commas, semicolons or tabs between the
# cells, whichever the first line has most of outside quotes; a first line "sep=;" as Excel reads and writes it.

use constant MOST_CELL => 10000;

# The rows of a text, as arrays of texts; FORM, where it is given, gets how they are written: the separator, the newline, and the raw cells.
# Dies with "LINE: what is wrong".
sub csv_rows ($text, $form = undef) {
    my ($line, $newline) = (1, $text =~ /\n/ ? qr/\r?\n/ : qr/\r/); # as old Macs write it only where nothing else does
    $line++ if $text =~ s/^sep=.$newline//;
    my ($head) = grep { $_ ne '' } split $newline, $text;
    my %count;
    $count{$_}++ for ($head // '') =~ s/"[^"]*"//gr =~ /[,;\t]/g;
    my ($comma) = sort { ($count{$b} // 0) <=> ($count{$a} // 0) } ',', ';', "\t"; # of equals the first
    my (@rows, @raw);
    pos($text) = 0;
    while (pos($text) < length $text) {
        if ($text =~ /\G$newline/gc) { $line++; next }
        my ($begun, $end, @row, @cells) = ($line, $comma);
        while ($end eq $comma) {
            if ($text !~ /\G("(?:[^"]++|"")*+"|(?:(?!$newline)[^$comma"])*)($newline|$comma|\z)/gc) {
                die "$line: a quote stands inside a cell that is not quoted\n" if $text !~ /\G"/;
                my ($quoted) = $text =~ /\G("(?:[^"]++|"")*+")/ or die "$line: a quote is never closed\n";
                die $line + ($quoted =~ s/$newline//g) . ": text follows a closing quote\n";
            }
            push @cells, my $cell = $1;
            $end = $2;
            $line += $cell =~ s/$newline/\n/g;
            $cell =~ s/""/"/g if $cell =~ s/^"(.*)"$/$1/s;
            die "$line: a cell of more than " . MOST_CELL . " characters\n" if length $cell > MOST_CELL;
            push @row, $cell;
        }
        $line++;
        push @rows, \@row;
        push @raw, \@cells;
        die "$begun: " . @row . " cells, where the first row has " . @{ $rows[0] } . "\n" if @row != @{ $rows[0] };
    }
    %$form = (separator => $comma, newline => $text =~ /($newline)/ ? $1 : "\n", raw => \@raw) if $form;
    return \@rows;
}

# ---- times -----------------------------------------------------------------------------------------

my %MONTH;
@MONTH{qw(jan feb mar apr may jun jul aug sep oct nov dec)} = 1 .. 12;

# YYYY-MM-DDTHH:MM:SSZ of a date and time in digits, and of how far that clock is ahead of UTC, where the text says so. If the time is
# LOCAL, the clock is of the time zone TZ (of the environment; else this machine's). Empty for what is no time.
sub utc_of ($text, $local = undef) {
    my ($year, $month, $day, $hour, $minute, $second, $sign, $hours, $minutes) =
        $text =~ /^['"]?(\d{4})-(\d\d)-(\d\d)[ T-](\d\d)[:-](\d\d)[:-](\d\d)(?:\.\d+)?\s*(?:([+-])(\d\d):?(\d\d))?/ or return '';
    my @time = ($second, $minute, $hour, $day, $month - 1, $year);
    my $time = eval { $local ? timelocal(@time) : timegm(@time) - ($sign ? "${sign}1" * ($hours * 3600 + $minutes * 60) : 0) };
    my @utc = gmtime($time // return '');
    return sprintf '%d-%02d-%02dT%02d:%02d:%02dZ', $utc[5] + 1900, $utc[4] + 1, @utc[3, 2, 1, 0];
}

# The same of Moodle's words, in English: Wednesday, 12 October 2022, 11:59 PM.
sub time_in_words {
    my ($day, $month, $year, $hour, $minute, $half) = $_[0] =~ /(\d{1,2}) (\w+) (\d{4}), (\d{1,2}):(\d\d)(?:\s*([AP]M))?/i or return '';
    $hour = $hour % 12 + (uc $half eq 'PM' ? 12 : 0) if $half;
    return utc_of(sprintf('%04d-%02d-%02d %02d:%02d:00', $year, $MONTH{ lc substr $month, 0, 3 } // 0, $day, $hour, $minute), 'local');
}

# ---- names -----------------------------------------------------------------------------------------
# They are compared after Unicode's compatibility normalisation and case folding, without anything that is neither letter,
# mark nor digit (UAX #15: NFKC; Unicode Standard, section 3.13: case folding).

# Letters that Unicode does not take apart into a letter and a mark.
my %LATIN = qw(ł l ø o đ d ð d þ th æ ae œ oe ı i ħ h ŧ t ŋ ng ƛ l);
$LATIN{ uc $_ } = ucfirst $LATIN{$_} for grep { uc =~ /[^\x00-\x7f]/ } keys %LATIN;
my $LATIN = join '', keys %LATIN;

sub name_key { return NFKC(fc(NFKC($_[0]))) =~ s/[^\p{L}\p{M}\p{N}]+//gr }

# A key without the marks of Latin, Greek and Cyrillic letters: zoë and zoe are one. Marks of other scripts are vowels.
sub plain { return NFC(NFD($_[0]) =~ s/[\x{300}-\x{36f}]+//gr =~ s/([$LATIN])/$LATIN{$1}/gr) }

# As people say a name: "Doe, Jane" is Jane Doe.
sub turned { return $_[0] =~ s/^([^,]*),\s*(.*)$/$2 $1/sr }

sub words_of { return grep { $_ ne '' } map { name_key($_) } split /[\s_]+/, turned($_[0]) }

# The keys of a name: its parts may begin at any of them (Jane Doe, Doe Jane; Canvas: doejane).
sub keys_of_name {
    my @words = words_of($_[0]);
    my %keys = map { join('', @words[$_ .. $#words], @words[0 .. $_ - 1]) => 1 } 0 .. (@words < 8 ? $#words : 0);
    return sort keys %keys;
}

# What remains of a name where only ASCII did: as ids of submissions are made.
sub ascii_key { return lc($_[0]) =~ s/[^a-z0-9.@+-]+/_/gr =~ s/^_|_$//gr }

1;
