# Names of people: when two of them are the same.
#
# Names are compared after Unicode's compatibility normalisation and case folding, without anything that is neither
# letter, mark nor digit (UAX #15: NFKC; Unicode Standard, section 3.13: case folding).
package Names;
use strict;
use warnings;
use feature 'fc';
use Unicode::Normalize qw(NFKC NFD NFC);
use Exporter 'import';
our @EXPORT_OK = qw(name_key plain keys_of_name ascii_key words_of logins_after);

# Letters that Unicode does not take apart into a letter and a mark.
my %LATIN = ("\x{142}" => 'l', "\x{f8}" => 'o', "\x{111}" => 'd', "\x{f0}" => 'd', "\x{fe}" => 'th', "\x{e6}" => 'ae', "\x{153}" => 'oe',
    "\x{131}" => 'i', "\x{127}" => 'h', "\x{167}" => 't', "\x{14b}" => 'ng', "\x{19b}" => 'l');
{
    use feature 'unicode_strings'; # of Latin-1, too
    $LATIN{ uc $_ } = ucfirst $LATIN{$_} for grep { uc =~ /[^\x00-\x7f]/ } keys %LATIN;
}
my $LATIN = join '', keys %LATIN;

sub name_key {
    my $key = NFKC(fc(NFKC($_[0])));
    $key =~ s/[^\p{L}\p{M}\p{N}]+//g;
    return $key;
}

# A key without the marks of Latin, Greek and Cyrillic letters: zoë and zoe are one. Marks of other scripts are vowels.
sub plain {
    my $key = NFD($_[0]);
    $key =~ s/[\x{300}-\x{36f}]+//g;
    $key =~ s/([$LATIN])/$LATIN{$1}/g;
    return NFC($key);
}

# The parts of a name, in the order in which people write it: "Doe, Jane" is Jane Doe.
sub words_of {
    my ($name) = @_;
    $name =~ s/^([^,]*),(.*)$/$2 $1/s;
    return grep { $_ ne '' } map { name_key($_) } split /[\s_]+/, $name;
}

# The keys of a name: its parts may begin at any of them (Jane Doe, Doe Jane; Canvas: doejane).
sub keys_of_name {
    my @words = words_of($_[0]);
    return if !@words;
    my %keys;
    for my $first (0 .. ($#words < 7 ? $#words : 0)) {
        $keys{ join '', @words[$first .. $#words], @words[0 .. $first - 1] } = 1;
    }
    return sort keys %keys;
}

# What remains of a name where only ASCII did: as ids of submissions are made.
sub ascii_key {
    my $key = lc $_[0];
    $key =~ s/[^a-z0-9.@+-]+/_/g;
    $key =~ s/^_|_$//g;
    return $key;
}

# The logins in STEMS that all begin with the name of one assignment: lab3-jane, lab3-x-jane. A login may hold the SEPARATOR
# too, so no stem tells by itself where its own begins; all of them together do, where one beginning gives more of the KNOWN
# logins than any other. Returns them by stem. Those that stay open have none: whoever guessed could take one person's work for
# another's.
sub logins_after {
    my ($separator, $known, @stems) = @_;
    return if !@stems;
    my %known = map { lc $_ => 1 } @$known;
    my ($best, $most, $tie) = ('', 0, 0);
    my @beginnings = shared_beginnings($separator, @stems);
    for my $beginning (@beginnings) {
        my $count = grep { $known{ lc substr $_, length $beginning } } @stems;
        next if $count < $most || !$count;
        ($best, $tie, $most) = ($beginning, $count == $most, $count);
    }
    return if !$most || $tie || @stems == 1 && @beginnings > 1;
    return map { $_ => substr $_, length $best } @stems;
}

# Nothing, and each beginning up to a separator that all of these have.
sub shared_beginnings {
    my ($separator, $first, @others) = @_;
    my @beginnings = ('');
    for my $at (grep { substr($first, $_, 1) eq $separator } 0 .. length($first) - 2) {
        my $beginning = substr $first, 0, $at + 1;
        last if grep { index($_, $beginning) != 0 || length $_ == length $beginning } @others;
        push @beginnings, $beginning;
    }
    return @beginnings;
}

1;
