#!/usr/bin/env perl
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Called by unpack.sh. Without FOLDER it lists a .zip as tar -tv does, with odd characters escaped. With FOLDER it
# unpacks the files whose names match one of the patterns. Those whose names cannot be files' here are left out: it says of each
# what tar would.
#
# Usage: unzip.pl ARCHIVE [FOLDER PATTERN...]
# Exit status: 0 done, 1 it cannot: the last line of stderr says why; 2 done, without those that stderr names.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(dirname);
use Fcntl qw(O_WRONLY O_CREAT O_EXCL);
use File::Path qw(make_path);
use Zip;

my $left_out;

# A pattern of *, [...] and letters, as the shell has it.
sub regex_of {
    my ($pattern) = @_;
    my $regex = join '', map { $_ eq '*' ? '.*' : /^\[/ ? $_ : quotemeta } $pattern =~ /\[[^\]]*\]|./g;
    return qr/^$regex$/s;
}

# Without control characters.
sub escaped { return $_[0] =~ s/([\x00-\x1f\x7f])/sprintf '\\%03o', ord $1/ger }

sub list {
    my ($entry) = @_;
    print "$entry->{type}rw-r--r-- 0/0 $entry->{size} 1980-01-01 00:00 ", escaped($entry->{name}), "\n";
    return 1;
}

# Makes an empty file, and the folders above it. What the system says if no file can have that path; dies if it says
# anything else.
sub refused_path {
    my ($path) = @_;
    make_path(dirname($path), { error => \my $errors });
    my ($said) = map { values %$_ } @$errors;
    unlink $path;
    $said //= "$!" if !sysopen my $file, $path, O_WRONLY | O_CREAT | O_EXCL;
    die "$said\n" if defined $said && $said !~ /^(?:File name too long|Not a directory|Is a directory|File exists)$/;
    return $said;
}

sub unpack_entry {
    my ($zip, $entry, $folder) = @_;
    my $name = $entry->{name};
    die "a path leads out of it\n" if $name =~ m{^/|(?:^|/)\.\.(?:/|$)} || $entry->{type} ne '-';
    $name =~ s{(?:^|(?<=/))\.?/+}{}g;
    if (my $why = refused_path("$folder/$name")) {
        print STDERR 'unzip: ', escaped($name), ": Cannot open: $why\n";
        $left_out = 1;
    } else {
        $zip->extract($entry, "$folder/$name");
    }
}

$SIG{PIPE} = 'DEFAULT'; # the reader of the list has seen enough
my ($archive, $folder, @patterns) = @ARGV;
my $zip = eval { Zip->new($archive) };
my @regexes = map { regex_of($_) } @patterns;
my $done = $zip && eval {
    $zip->each_entry(sub {
        my ($entry) = @_;
        return list($entry) if !defined $folder;
        unpack_entry($zip, $entry, $folder) if $entry->{type} eq '-' && grep { $entry->{name} =~ $_ } @regexes;
        return 1;
    });
    1;
};
if (!$done) { print STDERR $@; exit 1 }
exit 2 if $left_out;
