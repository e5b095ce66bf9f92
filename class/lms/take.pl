#!/usr/bin/env perl
# Called by class/grading/names.sh: finds which arguments of grade.sh are a learning platform's download of a whole class,
# and makes one submission of what each person handed in.
#
# Usage: take.pl RESULTS ARGUMENT...
#
# Relative ARGUMENTs are of the directory CALLER (environment). Prints the submissions, each followed by a NUL: the
# arguments as they are, or RESULTS/handed-in/KEY for each person of a download. There lie the last attempt's step files,
# step.md and archives. RESULTS/handed-in.tsv has a line for each person: key, who that is, when it was handed in, how
# often. RESULTS/handed-in/.notes/KEY says what was left out; a line that begins with "note: " is nobody's concern until
# somebody asks. RESULTS/handed-in/.others/KEY has the names of other files, each followed by a NUL but the last.
#
# A file of this folder, NAME.pm, knows a platform: lms::NAME::uploads(DOWNLOAD) returns nothing if the download is not of
# its shape, else a list of {people => [{name, number, canvas, login, email}], folder, files => [{path, as, order}],
# handed_in, late_flag, attempts, noted, asked}. `as` is the path that the student chose; a file of higher order is newer;
# `asked` is what the instructor has to say before anybody knows whose it is, and `answer` what the platform knows an answer by.
#
# A KEY is safe in names of files and for make, and stays the same for the same person: the login, else the e-mail's
# first part, else what ASCII has of the name with the platform's number, else that number.
# Exit status: 0 done, 3 RESULTS cannot be written: stderr says why. What cannot be read is left for class/intake to refuse.

use strict;
use warnings;
use experimental 'signatures';
use FindBin;
use lib "$FindBin::Bin", "$FindBin::Bin/../roster", "$FindBin::Bin/../archives";
use Cwd qw(abs_path);
use Encode ();
use File::Path qw(make_path remove_tree);
use Download;
use Roster qw(people_of);
use Text qw(slurp text_of csv_rows cell shown table name_key plain);

use constant { MOST_FILES => 20_000, MOST_BYTES => 256 << 20 }; # of one person: what class/archives/unpack.sh unpacks
my @COLUMNS = qw(key lms identity source name number canvas login email answer handed_in late_flag attempts);
my $WANTED = qr{\.(?:cu|zip|tgz|tar|gz|xz|bz2|zst|7z|rar)$|(?:^|/)step\.md$}i;

my ($results, @arguments) = @ARGV;
my $place = "$results/handed-in";
my $work = $Download::WORK = "$place/.work";
my (%rows, %taken); # by key: what handed-in.tsv says, also of before; and of whom
my %now;            # how many attempts of each key the downloads hold

# The platform that knows the download, and its uploads. What a platform packs into a folder is looked at, too.
sub recognise ($download) {
    opendir my $folder, $FindBin::Bin or die "cannot read $FindBin::Bin: $!\n";
    my @modules = sort grep { /\.pm$/ } readdir $folder;
    for (my $depth = 0; $download && $depth < 3; $depth++, $download = $download->inner) {
        for my $file (@modules) {
            my $name = $file =~ s/\.pm$//r;
            require $file;
            my @uploads = eval { "lms::$name"->can('uploads')->($download) };
            return ($name, $download, @uploads) if @uploads;
        }
    }
    return;
}

# What CSVs beside the files say of people, by "canvas NUMBER" and "login LOGIN". A CSV that somebody handed in says nothing.
sub people_beside ($download, $uploads) {
    my %known;
    my %handed_in = map { $_->{path} => 1 } map { @{ $_->{files} } } @$uploads;
    for my $path (grep { !$handed_in{$_} } $download->tables) {
        my $people = eval { people_of(csv_rows($download->text($path))) } or next;
        for my $person (@$people) {
            for my $column (qw(canvas login)) {
                $known{"$column \L$person->{$column}"} //= $person if $person->{$column} ne '';
            }
            $known{ 'group ' . name_key($person->{section}) } = 1 if $person->{section} ne '';
        }
    }
    return \%known;
}

sub complete ($person, $known) {
    $person->{$_} //= '' for qw(name number canvas login email);
    return if $known->{ 'group ' . name_key($person->{name}) }; # its number is no person's
    for my $column (qw(canvas login)) {
        my $other = $known->{"$column \L$person->{$column}"} or next;
        for my $cell (qw(name number canvas login email handed_in)) {
            $person->{$cell} = $other->{$cell} if ($person->{$cell} // '') eq '' || $cell eq 'name';
        }
    }
}

sub safe { return substr plain(shown($_[0])) =~ s/[^A-Za-z0-9._@+-]+/_/gr =~ s/^[_.-]+|_+$//gr, 0, 40 }

sub key_of ($person, $upload) {
    my $login = safe($person->{login}) || safe($person->{email} =~ s/\@.*//sr);
    return $login if $login ne '';
    my $number = safe($person->{canvas} || $person->{number} || $upload->{folder});
    my $name = safe($person->{name});
    return $name eq '' || $person->{name} =~ /[^\x00-\x7f]/ && $name !~ /[A-Za-z]{2}/ ? $number : "$name-$number";
}

# Who that is for this platform. Two hand-ins of one download that look like one person's are two submissions, and
# class/people asks: neither takes the other's place.
sub identify ($lms, $uploads) {
    my %same;
    for my $upload (@$uploads) {
        my @people = map { (grep { $_ ne '' } @$_{qw(canvas login number email)}, $upload->{folder})[0] } @{ $upload->{people} };
        my $identity = $lms . ' ' . join '+', sort map { lc cell($_) } @people;
        my $alike = push @{ $same{$identity} }, $upload;
        $upload->{identity} = $identity . ($alike > 1 ? " $alike" : '');
        $upload->{asked} = "whose this is: '$same{$identity}[0]{folder}' looks like the same person's" if $alike > 1;
    }
}

# A key that nobody else has, in this folder of results either; who has one already keeps it.
sub free_key ($upload) {
    my ($before) = sort grep { $taken{$_} eq $upload->{identity} } keys %taken;
    return $before if defined $before;
    my $key = substr(join('+', sort map { key_of($_, $upload) } @{ $upload->{people} }), 0, 80) || 'unknown';
    $key .= '_' if $key =~ /\.(?:log|zip|tgz|gz)$/i;
    my @numbers = grep { $_ ne '' } map { safe($_) } @{ $upload->{people}[0] }{qw(canvas number)};
    for my $try ($key, map { "$key-$_" } @numbers, 2 .. 10000) {
        next if grep { lc $_ eq lc $try } keys %taken;
        $taken{$try} = $upload->{identity};
        return $try;
    }
    die "too many people are called $key\n";
}

# Copies what a person handed in to a new folder in place of KEY. Newer files get later times, since class/intake goes by
# them. Returns what is to be noted.
sub put ($download, $upload, $key) {
    my ($folder, $bytes, $count, @noted) = ("$work/folder", 0, 0, map { "note: $_" } @{ $upload->{noted} // [] });
    unshift @noted, 'nobody can tell ' . shown($upload->{asked}) if $upload->{asked};
    remove_tree($folder);
    make_path($folder);
    my @files = sort { $a->{order} <=> $b->{order} || $a->{path} cmp $b->{path} } @{ $upload->{files} };
    write_file("$place/.others/$key", join "\0", map { $_->{as} } grep { $_->{as} !~ $WANTED } @files);
    @files = grep { $_->{as} =~ $WANTED } @files;
    my @fitting = grep { my $all = $bytes + $download->size($_->{path}); ++$count <= MOST_FILES && $all <= MOST_BYTES && defined($bytes = $all) } @files;
    my %to = map { $_->{path} => "$folder/" . Encode::encode('UTF-8', $_->{as}) } @fitting;
    my %why = $download->copy(%to);
    for my $at (0 .. $#files) {
        my ($file, $why) = ($files[$at], $why{ $files[$at]{path} } // 'too much was handed in');
        push @noted, "'" . substr(shown($file->{as}), 0, 100) . "' is left out: $why" if $why;
        utime((1e9 + ($file->{order} ? 2 + $at * 2 : 0)) x 2, $to{ $file->{path} }) if !$why;
    }
    remove_tree("$place/$key");
    rename $folder, "$place/$key" or die "cannot write to $place: $!\n";
    return @noted;
}

sub write_file ($path, $text) {
    open my $out, '>:encoding(UTF-8)', "$path.new" or die "cannot write to $path: $!\n";
    print {$out} $text and close $out and rename "$path.new", $path or die "cannot write to $path: $!\n";
}

# Takes one download apart; returns the paths of its submissions, in the order of their keys.
sub take ($argument, $lms, $download, $uploads) {
    my $known = people_beside($download, $uploads);
    for my $upload (@$uploads) {
        for my $person (@{ $upload->{people} }) {
            complete($person, $known);
            $upload->{handed_in} ||= $person->{handed_in};
        }
    }
    identify($lms, $uploads);
    my %keys;
    for my $upload (@$uploads) {
        my $key = free_key($upload);
        my $attempts = $now{$key} += $upload->{attempts} || 1;
        # Of two downloads the later attempt counts; without times, the download that was named last.
        if ($attempts > ($upload->{attempts} || 1) && ($rows{$key}[0]{handed_in} // '') gt ($upload->{handed_in} // '')) {
            $_->{attempts} = $attempts for @{ $rows{$key} };
            next;
        }
        $keys{$key} = 1;
        write_file("$place/.notes/$key", join '', map { "$_\n" } put($download, $upload, $key));
        my %row = (key => $key, lms => $lms, source => text_of($argument), attempts => $attempts, map { $_ => $upload->{$_} } qw(identity handed_in late_flag answer));
        $rows{$key} = [map { { %$_, %row } } @{ $upload->{people} }];
    }
    return map { "$place/$_" } sort keys %keys;
}

# Where a path of the caller's is; undef if it is nowhere.
sub place_of ($path) {
    $path = "$ENV{CALLER}/$path" if $path !~ m{^/};
    return -e $path ? abs_path($path) : undef;
}

# The arguments that are downloads, with what recognise says of them. A student may hand in a .zip that looks like one, with
# other people's names in it. So either all arguments are downloads or none, and what was a submission before stays one.
sub downloads {
    my @lines = -s "$results/submissions.tsv" ? split /\n/, slurp("$results/submissions.tsv") : ();
    my %before = map { $_ => 1 } grep { defined } map { place_of((split /\t/)[1]) } grep { /\t/ } @lines;
    my @found;
    for my $argument (@arguments) {
        my $place = place_of($argument);
        my $download = defined $place && !$before{$place} ? Download->open($place) : undef;
        my ($lms, $inner, @uploads) = $download ? recognise($download) : ();
        push @found, [$argument, $lms, $inner, \@uploads] if @uploads;
    }
    return @found if @found == @arguments;
    print STDERR "grade.sh: ", shown(text_of($_->[0])), ": looks like a download of a whole class by $_->[1], and is taken as one submission, as those beside it; ",
        "if it is a download, give it alone\n" for @found;
    return;
}

my @paths;
my $done = eval {
    my @downloads = downloads();
    if (@downloads) {
        make_path("$place/.notes", "$place/.others", $work);
        push @{ $rows{ $_->{key} } }, $_ for table("$results/handed-in.tsv");
        %taken = map { $_ => $rows{$_}[0]{identity} } keys %rows;
        for my $found (@downloads) {
            my @taken = take(@$found);
            print STDERR "grade.sh: ", shown(text_of($found->[0])), ": a download by $found->[1], of ", scalar @taken, @taken == 1 ? " submission\n" : " submissions\n";
            push @paths, @taken;
        }
        my @lines = map { my $row = $_; join "\t", map { cell($row->{$_}) } @COLUMNS } map { @{ $rows{$_} } } sort keys %rows;
        write_file("$results/handed-in.tsv", join '', map { "$_\n" } join("\t", @COLUMNS), @lines);
    }
    1;
} or print STDERR $@;
remove_tree($work);
exit 3 if !$done;
my %seen;
print map { "$_\0" } @paths ? grep { !$seen{$_}++ } @paths : @arguments;
