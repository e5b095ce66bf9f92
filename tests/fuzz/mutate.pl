#!/usr/bin/env perl
# Usage: tests/fuzz/mutate.pl SEED FILE
# Prints FILE with a few things wrong, the same ones for the same seed: cut short, bits flipped, lines doubled, deleted
# and joined, numbers and words replaced by ones that nobody expects, keys and separators gone or twice, long texts,
# deep nesting, bytes that are no UTF-8, NUL, CR LF, escapes of half a character.

use strict;
use warnings;

my ($seed, $path) = @ARGV;
srand $seed;
open my $in, '<:raw', $path or die "$path: $!\n";
my $text = do { local $/; <$in> };

my @numbers = qw(0 -0 -1 1e999 -1e999 1e-999 nan inf -inf NaN 0x10 1e308 1e-308 1e61 5000000000 18446744073709551616 00 .5 5. 1e + --1
    99999999999999999999999999999999999999999999999999);
my @values = ('null', 'true', '""', '"x"', '[]', '{}', '[1,2]', '[{}]', '{"a":{"a":{"a":{"a":1}}}}', '[[1]]', '"a\tb\nc"', '"\u0000"',
    '"\ud800"', '"\udc00\ud800"', '"\u20"', '"\x"', '"\u202e\u009b"', '[{"places":[{"line":1e99}]}]', '"pass"', '"../../../../tmp/x"',
    '"a b"', "\"'; \$(id) `id`\"", '"=1+1"', '[null,1]', '[1,"a"]', '"%s%n"', '"&\\\\&"');
my @bytes = ("\0", "\xff", "\xc3", "\xe2\x80\xae", "\xc2\x9b", "\x9b", "\x1b[2J", "\r\n", "\r", "\n", "\t", "\"", "\\", "{", "}", "[", "]", ",", ":",
    "=", "#", "*", "?", "[!]", "[z-a]", "[", " ", "  ", ";", "/", "%", "&", "\xef\xbb\xbf", "\001", "\006", "\034", "\x7f");

sub one { $_[int rand @_] }
sub place { int rand(length($text) + 1) }

# Replaces one of the places where the pattern matches.
sub replace_one {
    my ($pattern, $by) = @_;
    my @at;
    push @at, [$-[0], $+[0]] while $text =~ /$pattern/g;
    return unless @at;
    my $spot = one(@at);
    my $old = substr $text, $spot->[0], $spot->[1] - $spot->[0];
    substr($text, $spot->[0], length $old) = ref $by ? $by->($old) : $by;
}

sub with_lines {
    my @lines = split /(?<=\n)/, $text;
    return unless @lines;
    $_[0]->(\@lines);
    $text = join '', @lines;
}

my @ways = (
    sub { $text = substr $text, 0, place() },
    sub { my $at = place(); substr($text, $at, 1) = chr(ord(substr $text, $at, 1) ^ (1 << int rand 8)) if $at < length $text },
    sub { substr($text, place(), 0) = one(@bytes) },
    sub { substr($text, place(), 0) = one(@bytes) x one(1, 2, 100) },
    sub { my $at = place(); substr($text, $at, int rand 40) = '' },
    sub { with_lines(sub { my $l = shift; splice @$l, rand @$l, 1 }) },
    sub { with_lines(sub { my $l = shift; my $at = rand @$l; splice @$l, $at, 0, $l->[$at] }) },
    sub { with_lines(sub { my $l = shift; my $at = rand @$l; $l->[$at] =~ s/\n$// }) },
    sub { with_lines(sub { my $l = shift; my $at = rand @$l; $l->[$at] = substr($l->[$at], 0, rand length $l->[$at]) . "\n" }) },
    sub { $text =~ s/\n/\r\n/g },
    sub { $text =~ s/\n\z// },
    sub { $text = '' if rand() < 0.1 },
    (sub { replace_one(qr/(?<![A-Za-z_0-9.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![A-Za-z_0-9])/, one(@numbers)) }) x 5,
    (sub { replace_one(qr/(?<=":)(?:"[^"]*"|-?[\d.e+-]+|null|true|false|\[[^][{}]*\])/, one(@values)) }) x 5,
    sub { replace_one(qr/"[^"]*":(?:"[^"]*"|[^][{},]+),/, '') },
    sub { replace_one(qr/"[^"]*":(?:"[^"]*"|[^][{},]+),/, sub { $_[0] x one(2, 50) }) },
    sub { replace_one(qr/"[a-z_]+":/, sub { my @k = $text =~ /("[a-z_]+":)/g; one(@k) }) },
    sub { replace_one(qr/"[^"]*"/, sub { '"' . one("x", "\xc3\xb6", "\xff", "a ", "\\u0085", "\\n", "/") x one(300, 5000, 40000) . '"' }) },
    sub { replace_one(qr/(?<=":)\{/, sub { '{"x":' x one(3, 20, 2000) . '{' }) },
    sub { replace_one(qr/[A-Za-z]+/, sub { one("x", "clear", "confirm", "pass", "correct", "speed", "full", "none", "hazard", "", "a" x 3000) }) },
);
one(@ways)->() for 1 .. one(1, 1, 1, 2, 3, 5);
binmode STDOUT;
print $text;
