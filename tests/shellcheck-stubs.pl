# Usage: perl tests/shellcheck-stubs.pl FOLDER FILE...: for each file that scripts source what shellcheck has to know of it, as FOLDER/FILE.
# In place of a function's body stands which variables that are not its own it sets and uses, whether it reads its arguments,
# and whether it ends the script. shellcheck follows each call in what a script sources, for every script anew: nine tenths of
# its time. Where a stub says less than the file, shellcheck finds more.
use strict;
use warnings;
use File::Basename;
use File::Path 'make_path';

my $name = qr/[a-zA-Z_]\w*/;

sub own {
    return map { s/=.*//r } map { split ' ' } $_[0] =~ /\blocal(?: -\w+)* ([^;&|\n]*)/g;
}

sub stub {
    my ($body) = @_;
    my (%is_set, %array);
    my %own = map { $_ => 1 } own($body);
    $body =~ s/^\s*#.*//mg;
    my $begin = qr/(?:^\s*|[;&|({]\s*|\b(?:then|do|else|export|declare(?: -\w+)*)\s+|=\S*\s+)/m;
    while ($body =~ /$begin($name)(?:\[[^]]*\])?\+?=(\(?)/g) { $is_set{$1} = 1, $array{$1} ||= $2 }
    while ($body =~ /\b(?:mapfile -t|read -r -a) ($name)/g) { $is_set{$1} = $array{$1} = 1 }
    $is_set{$1} = 1 while $body =~ /\b(?:printf -v|for) ($name)/g;
    while ($body =~ /\bread -r ((?:$name ?)+)/g) { $is_set{$_} = 1 for split ' ', $1 }
    my %used = map { $_ => 1 } $body =~ /\$\{?[#!]?($name)/g, map { /$name/g } $body =~ /\(\((.*?)\)\)/g;
    my @lines = map { $array{$_} ? "$_=(\"\$RANDOM\")" : "$_=\$RANDOM" } grep { !$own{$_} } sort keys %is_set;
    unshift @lines, map { ": \"\$$_\"" } grep { !$own{$_} } sort keys %used;
    unshift @lines, ': "$1"' if $body =~ /\$(?:[1-9\@*#]|\{(?:[1-9\@*]|#\}))/;
    my ($last) = $body =~ /\breturn\b/ ? () : $body =~ /^ {4}((?:exit|give_up|usage_error|fault)\b.*)\n\z/m;
    return join "", map { "    $_\n" } @lines ? @lines : ':', $last // ();
}

my $folder = shift;
for my $file (@ARGV) {
    my $text = do { local (@ARGV, $/) = $file; <> };
    if ($text !~ /<<['"]?[A-Z]/) { # whose lines may look like those of the script
        $text =~ s/^($name\(\) \{\n)(.*?)^\}\n/$1 . stub($2) . "}\n"/gmse;
        $text =~ s/^ *#(?! shellcheck).*\n//mg;
        1 while $text =~ s/\$\{($name):?-([^{}\n]*)\}/\$$1$2/g; # one in another takes long
    }
    make_path(dirname("$folder/$file"));
    open my $to, '>', "$folder/$file" or die "$folder/$file: $!\n";
    print $to $text;
    close $to or die "$folder/$file: $!\n";
}
