#!/usr/bin/env perl
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Called by class/people: lists, from people.tsv on standard input, what a person has to look at.

use strict;
use warnings;

chomp(my @names = split /\t/, <STDIN> // '');
while (<STDIN>) {
    chomp;
    my %row;
    @row{@names} = split /\t/, $_, -1;
    if ($row{submission} eq '') {
        my $keys = join ', ', grep { $_ ne '' } @row{qw(number login email)};
        print "people: $row{name}", $keys eq '' ? '' : " ($keys)", ": handed in nothing\n";
    } elsif ($row{why} ne '') {
        my $name = $row{name} eq $row{submission} ? '' : " ($row{name})";
        print "people: submission $row{submission}$name: $row{why}", $row{likely} eq '' ? '' : "; likely $row{likely}", "\n";
    }
}
