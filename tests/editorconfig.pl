#!/usr/bin/env perl
# Usage: editorconfig "$PWD"/FILE... | perl tests/editorconfig.pl
# Checks that files are as .editorconfig says: UTF-8, LF, a newline at the end, no blanks where a line ends, blanks or
# tabs where it begins. Standard input is what the program `editorconfig` prints of two files or more: [FILE], then
# what holds for it, KEY=VALUE a line.
# Prints a line for each rule that a file breaks. Exit status: 0 none, 1 some, 2 nothing to check.

use strict;
use warnings;

my %broken_by = (
    'charset=utf-8' => sub { my $text = $_[0]; !utf8::decode($text) && 'it is not UTF-8' },
    'end_of_line=lf' => sub { $_[0] =~ /\r$/m && 'CR LF ends line ' . line($_[0], $-[0]) },
    'insert_final_newline=true' => sub { $_[0] =~ /[^\n]\z/ && 'its last line has no newline' },
    'trim_trailing_whitespace=true' => sub { $_[0] =~ /[ \t]$/m && 'blanks end line ' . line($_[0], $-[0]) },
    'indent_style=space' => sub { $_[0] =~ /^ *\t/m && 'a tab begins line ' . line($_[0], $-[0]) },
);

# The number of the line where a place in a text is.
sub line {
    my ($text, $place) = @_;
    return 1 + (substr($text, 0, $place) =~ tr/\n//);
}

my ($file, $text, $rules, $broken) = ('', '', 0, 0);
while (my $rule = <STDIN>) {
    chomp $rule;
    if ($rule =~ /^\[(.*)\]$/) {
        $file = $1;
        open my $in, '<:raw', $file or die "$file: $!\n";
        $text = do { local $/; <$in> } // '';
        next;
    }
    my $check = $broken_by{$rule} or next;
    $rules++;
    my $what = $check->($text) or next;
    print "$file: $what (.editorconfig: $rule)\n";
    $broken = 1;
}
exit($rules ? $broken : 2);
