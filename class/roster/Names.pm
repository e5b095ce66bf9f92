# Names of people: when two of them are the same.
#
# Names are compared after Unicode's compatibility normalisation and case folding, without anything that is neither
# letter, mark nor digit (UAX #15: NFKC; Unicode Standard, section 3.13: case folding).
package Names;
use strict;
use warnings;
use utf8;
use feature qw(fc unicode_strings);
use Unicode::Normalize qw(NFKC NFD NFC);
use Exporter 'import';
our @EXPORT_OK = qw(name_key plain keys_of_name ascii_key turned words_of logins_after);

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

# The logins in STEMS that all begin with the name of one assignment: lab3-jane, lab3-x-jane. A login may hold the SEPARATOR
# too, so no stem tells by itself where its own begins; all of them together do, where one beginning gives more of the KNOWN
# logins than any other. Returns them by stem. Those that stay open have none: whoever guessed could take one person's work for
# another's.
sub logins_after {
    my ($separator, $known, @stems) = @_;
    return if !@stems;
    my %known = map { lc $_ => 1 } @$known;
    my @beginnings = shared_beginnings($separator, @stems);
    my @giving; # so many of the known logins
    for my $beginning (@beginnings) {
        my $count = grep { $known{ lc substr $_, length $beginning } } @stems;
        push @{ $giving[$count] }, $beginning;
    }
    my @best = @{ $giving[-1] };
    return if @giving == 1 || @best > 1 || @stems == 1 && @beginnings > 1;
    return map { $_ => substr $_, length $best[0] } @stems;
}

# Nothing, and each beginning up to a separator that all of these have.
sub shared_beginnings {
    my ($separator, $first, @others) = @_;
    my @beginnings = ('');
    while ($first =~ /$separator(?=.)/gs) {
        my $beginning = substr $first, 0, $+[0];
        last if grep { index($_, $beginning) != 0 || length $_ == length $beginning } @others;
        push @beginnings, $beginning;
    }
    return @beginnings;
}

1;
