#!/usr/bin/env perl
# Called by class/people: who handed in what. Prints people.tsv: its first line names the columns.
#
# Usage: people.pl HANDED-IN [ROSTER] <NAMES
#
# NAMES are the submissions, a line each: its id, and behind a tab how its files were called, where that is known. HANDED-IN says
# what a learning platform's download says of each; it may be missing.
# Rules of matching: class/people --help.

use strict;
use warnings;
use experimental 'signatures';
use FindBin;
use lib $FindBin::Bin;
use Roster qw(read_roster);
use Text qw(text_of cell table name_key plain keys_of_name ascii_key turned words_of);

binmode STDOUT, ':encoding(UTF-8)';
my @COLUMNS = qw(submission name number canvas login email section handed_in late_flag attempts why likely answer);

# What a file's name tells by itself, as Canvas, Moodle or Blackboard writes it (class/lms/), or as a student does.
sub told_by_name {
    my $name = $_[0] =~ s/\.(?:zip|tgz|tar|tar\.gz|cu)$//ir;
    my ($answer) = $name =~ /^([^_]+(?:_LATE)?_\d+_\d+)_/;
    return { lms => 'canvas', canvas => $3, name => $1, late_flag => $2 ? 1 : 0, answer => $answer } if $name =~ /^(.+?)(_LATE)?_(\d+)_\d+_./i;
    return { lms => 'moodle', canvas => $2, name => $1 } if $name =~ /^(.+?)_(\d+)_assignsubmission_/;
    return { login => $2, name => $1 } if $name =~ /^([^_]+_([^_]+))_attempt_\d{4}(?:-\d\d){5}/; # with more _ a login may begin at any
    return { any => $name, name => $name };
}

my @LEVELS = qw(canvas number login email local name plain ascii);

# Key of a person of the roster, or of a submission, at each level.
sub keys_at ($level, $person) {
    my $name = $person->{name} // '';
    return keys_of_name($name) if $level eq 'name';
    return map { plain($_) } keys_of_name($name) if $level eq 'plain';
    return grep { tr/a-z0-9// > 2 } map { ascii_key($_) } $name, turned($name), name_key($name) if $level eq 'ascii';
    # A login is often the e-mail's first part.
    my @texts = $level eq 'local' ? (@$person{qw(login any)}, map { s/\@.*//sr } $person->{email} // '') : @$person{ $level, 'any' };
    return grep { $_ ne '' } map { name_id($_ // '') } @texts;
}

# Numbers, logins and addresses are compared without case and blanks.
sub name_id { return lc($_[0]) =~ s/\s+//gr }

my (@roster, %index); # the people of the roster, and their indices by {level}{key}

# The indices of those in the roster who fit: one, several or none. The first level at which somebody fits decides; if
# several do, those that also fit at a later level.
sub fitting ($person) {
    my @fit;
    my $lms = $person->{lms} // '';
    # Nobody knows what a student's own name of a file is: any of these.
    my @steps = defined $person->{any} ? ([@LEVELS[0 .. 3]], map { [$_] } @LEVELS[4 .. $#LEVELS]) : map { [$_] } @LEVELS;
    for my $levels (@steps) {
        my %found;
        for my $level (@$levels) {
            # Numbers of two platforms may be equal by chance.
            $found{$_} = 1 for grep { $level ne 'canvas' || !$lms || ($roster[$_]{lms} || $lms) eq $lms } map { @{ $index{$level}{$_} // [] } } keys_at($level, $person);
        }
        my @found = sort { $a <=> $b } keys %found;
        @found = grep { $found{$_} } @fit if @fit;
        @fit = @found if @found;
        last if @fit == 1;
    }
    return @fit;
}

# The same, where a roster has one number for each person: it may be the platform's, or another that is equal by chance. So it
# decides between those who fit by name. Where the name fits somebody else, both fit; where it fits nobody, it must not say
# otherwise.
sub whose ($person) {
    my @fit = fitting($person);
    my @numbered = grep { $roster[$_]{canvas} eq '' } @{ $index{number}{ name_id($person->{canvas} // '') } // [] };
    my %fits = map { $_ => 1 } @fit;
    my @both = grep { $fits{$_} } @numbered;
    return @both if @both;
    return @fit if @fit && fitting({ %$person, name => '' });
    return (@fit, @numbered) if @fit;
    return if ($person->{name} // '') ne '' && grep { $_->{name} ne '' && !share_a_part($person, { name => "$_->{name} $_->{login}" }) } @roster[@numbered];
    return @numbered;
}

# Whether two have a part of their names in common.
sub share_a_part ($one, $other) {
    my %parts = map { plain($_) => 1 } grep { length > 1 } words_of(($one->{name} // '') =~ tr/-/ /r);
    return grep { $parts{ plain($_) } } words_of($other->{name});
}

# What a group handed in on Moodle has the group's name and number, which is no participant's: a row for each member. A
# participant may be called like a group.
sub of_group ($row) {
    my $name = name_key($row->{name} // '');
    return $row if ($row->{lms} // '') ne 'moodle' || $name eq ''
        || grep { $_->{canvas} ne '' && $_->{canvas} eq ($row->{canvas} // '') && name_key($_->{name}) eq $name } @roster;
    my @members = grep { name_key($roster[$_]{section}) eq $name } 0 .. $#roster;
    return @members ? map { { %$row, canvas => '', fits => [$_] } } @members : $row;
}

# Gives each row its person of the roster, or says why it has none. Returns all rows, and the people who handed in nothing.
sub match {
    my @rows = map { of_group($_) } @_;
    my %rows_of;
    for my $row (@rows) {
        $row->{fits} //= [whose($row)];
        push @{ $rows_of{ $row->{fits}[0] } }, $row if @{ $row->{fits} } == 1;
    }
    my @absent = map { { %{ $roster[$_] }, handed_in => '' } } grep { !$rows_of{$_} } 0 .. $#roster;
    for my $row (@rows) {
        my ($fits, @others) = @roster[@{ $row->{fits} }];
        if (@others) {
            $row->{why} = 'several in the roster fit: ' . join ', ', map {
                my ($name, @signs) = grep { $_ ne '' } @$_{qw(name login number email canvas)};
                @signs ? "$name ($signs[0])" : $name
            } $fits, @others;
        } elsif ($fits) {
            my %known = map { $_ => $fits->{$_} } grep { $fits->{$_} ne '' } qw(name number canvas login email section);
            @$row{keys %known} = values %known;
            $row->{handed_in} ||= $fits->{handed_in}; # a worksheet of Moodle's tells
            my @same = @{ $rows_of{ $row->{fits}[0] } };
            # Files of one download, each given to grade.sh by itself, are no submission each.
            my $apart = grep { ($_->{lms} // '') ne '' && !defined $_->{key} } @same;
            $row->{why} = 'one person handed in several: ' . join(', ', map { $_->{submission} } @same)
                . ($apart ? ' (given the whole download, ./grade.sh makes one of them)' : '') if @same > 1;
        } else { # who is likely meant is the only one with a part of the name in common
            my ($likely, @more) = grep { share_a_part($row, $_) } @absent;
            @$row{qw(why likely)} = ('nobody in the roster fits', $likely && !@more ? $likely->{name} || $likely->{login} || $likely->{email} : '');
        }
    }
    return (@rows, @absent);
}

my ($handed_in, $roster) = @ARGV;
my (%told, %given);
push @{ $told{ $_->{key} } }, $_ for table($handed_in);
while (my $line = <STDIN>) {
    my ($id, $given) = $line =~ /^([^\t\n]+)(?:\t([^\t\n]*))?/ or next;
    $given{ text_of($id) } //= text_of(($given // $id) =~ s/\\(\\|t|n|r|0[0-7]{3})/$1 eq '\\' ? '\\' : ' '/ger);
}
my @rows; # one for each submission and person of it
for my $id (sort keys %given) {
    my ($folder, $name) = $given{$id} =~ m{(?:([^/]*)/+)?([^/]+)/*$};
    my $people = ($folder // '') eq 'handed-in' ? $told{$name} : undef;
    push @rows, map { { attempts => 1, %$_, submission => $id } } $people ? @$people : told_by_name($name);
}
@roster = @{ (eval { read_roster($roster) } || do { print STDERR $@; exit 2 }) } if defined $roster;
for my $i (0 .. $#roster) {
    for my $level (@LEVELS) { push @{ $index{$level}{$_} }, $i for keys_at($level, $roster[$i]) }
}
@rows = match(@rows) if defined $roster;
print join("\t", @COLUMNS), "\n";
for my $row (@rows) {
    $row->{name} = $row->{submission} // '' if ($row->{name} // '') eq '';
    print join("\t", map { cell($row->{$_}) } @COLUMNS), "\n";
}
