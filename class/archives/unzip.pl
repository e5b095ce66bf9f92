#!/usr/bin/env perl
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Called by unpack.sh. Without FOLDER it lists a .zip as tar -tv does, with odd characters escaped. With FOLDER it
# unpacks the files whose names match one of the patterns.
#
# Usage: unzip.pl ARCHIVE [FOLDER PATTERN...]
# Exit status: 0 done, 1 it cannot: the last line of stderr says why.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(dirname);
use File::Path qw(make_path);
use Zip;

# A pattern of *, [...] and letters, as the shell has it.
sub regex_of {
    my ($pattern) = @_;
    my $regex = join '', map { $_ eq '*' ? '.*' : /^\[/ ? $_ : quotemeta } $pattern =~ /\[[^\]]*\]|./g;
    return qr/^$regex$/s;
}

sub list {
    my ($entry) = @_;
    my $name = $entry->{name};
    $name =~ s/([\x00-\x1f\x7f])/sprintf '\\%03o', ord $1/ge;
    print "$entry->{type}rw-r--r-- 0/0 $entry->{size} 1980-01-01 00:00 $name\n";
    return 1;
}

sub unpack_entry {
    my ($zip, $entry, $folder) = @_;
    my $name = $entry->{name};
    die "a path leads out of it\n" if $name =~ m{^/|(?:^|/)\.\.(?:/|$)} || $entry->{type} ne '-';
    $name =~ s{(?:^|(?<=/))\.?/+}{}g;
    my $path = "$folder/$name";
    make_path(dirname($path), { error => \my $errors });
    die map({ values %$_ } @$errors), "\n" if @$errors;
    unlink $path;
    $zip->extract($entry, $path);
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
