# What somebody downloaded: a folder or a .zip, as a list of files that can be read and copied. Links, devices and paths
# that lead out of it are no files of it. A folder may be a student's who still changes it: class/archives/fetch.c reads it.
# bsdtar reads a .zip, and unpacks it when its first file is copied.
package Download;
use strict;
use warnings;
use experimental 'signatures';
use File::Find ();
use File::Basename qw(dirname);
use File::Path qw(make_path);
use Text qw(slurp text_of utf8_or);

my $GRADES = dirname(__FILE__) . '/../../build/grades';
use constant { MOST_FILES => 500_000, MOST_TEXT => 64 << 20, MOST_BYTES => 16 << 30 };
my %LETTERS = (a => "\a", b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", v => "\x0b", '\\' => '\\');
our $WORK = $ENV{TMPDIR} // '/tmp'; # where to unpack

# Opens PATH; undef if it is neither a folder nor a .zip that can be read, or holds too many files.
sub open ($class, $path) {
    my $self = bless { files => {} }, $class;
    $self->{name} = utf8_or('cp437', $path =~ m{([^/]+)/*$} ? $1 : '') =~ s/\.zip$//ir;
    my ($in, $magic);
    my $is_zip = -f $path && CORE::open($in, '<:raw', $path) && read($in, $magic, 4) && $magic eq "PK\3\4";
    return eval { -d $path ? $self->list_folder($path) : $is_zip && $self->list_zip($path) } ? $self : undef;
}

sub add ($self, $name, $place, $size) {
    $name = utf8_or('cp437', $name);
    return if $name =~ m{(?:^|/)(?:__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)} || $name =~ m{^/|(?:^|/)\.\.(?:/|$)};
    $name =~ s{(?:^|(?<=/))\.?/+}{}g;
    $self->{files}{$name} = { place => $place, size => $size };
    die "too many files\n" if keys %{ $self->{files} } > MOST_FILES;
}

sub list_folder ($self, $folder) {
    $self->{folder} = $folder = $folder =~ s{/+$}{}r;
    File::Find::find({ no_chdir => 1, wanted => sub {
        my $size = (lstat $_)[7];
        $File::Find::prune = 1 if -d _ && m{/\.git$};
        $self->add((substr $_, 1 + length $folder) x 2, $size) if -f _;
    } }, $folder);
    return 1;
}

sub bsdtar {
    CORE::open my $pipe, '-|', 'sh', '-c', 'LC_ALL=C.UTF-8 exec bsdtar --passphrase none "$@" 2>/dev/null </dev/null', 'sh', @_ or die "bsdtar does not start: $!\n";
    return $pipe;
}

# A line is "-rw-r--r--  0 user group  size Mon 26 16:08 name", with odd letters of the name behind a backslash.
sub list_zip ($self, $path) {
    my $bytes = 0;
    $self->{zip} = $path;
    my $list = bsdtar('-tvf', $path);
    while (<$list>) {
        my ($size, $name) = /^-\S+ +\S+ +\S+ +\S+ +(\d+) +\S+ +\S+ +\S+ (.+)$/ or next;
        $name =~ s/\\([0-7]{3}|.)/$LETTERS{$1} \/\/ chr oct $1/ge;
        die "too much\n" if ($bytes += $size) > MOST_BYTES;
        $self->add($name =~ tr{\\}{/}r, $name, $size);
    }
    return close $list;
}

# Their paths below the folder or .zip that they lie in, which is called {name}.
sub files { return sort keys %{ $_[0]{files} } }
sub tables { return grep { m{^[^/]+\.csv$}i } $_[0]->files } # beside the folders
sub size { return $_[0]{files}{ $_[1] }{size} }

# The same, one folder further in; undef if there are files outside it.
sub inner ($self) {
    my %outer = map { (m{^([^/]+/)} ? $1 : '') => 1 } $self->files;
    my ($folder, @others) = keys %outer;
    return if @others || !$folder;
    my %inner = map { substr($_, length $folder) => $self->{files}{$_} } $self->files;
    return bless { %$self, name => $folder =~ s{/$}{}r, files => \%inner }, ref $self;
}

# Copies files: NAME => PLACE, ... Returns of each why it is not copied, or '': NAME => WHY, ...
sub copy ($self, %place) {
    require File::Temp; # which takes long to begin
    if (!defined $self->{folder}) {
        $self->{folder} = File::Temp->newdir(DIR => $WORK);
        close bsdtar('--no-same-owner', '--no-same-permissions', '-xf', $self->{zip}, '-C', $self->{folder});
    }
    my %why = map { make_path(dirname($place{$_}), { error => \my $errors });
        $_ => @$errors || -d $place{$_} ? 'its path is too long, or a folder has its name' : '' } keys %place;
    my ($requests, @asked) = (File::Temp->new, grep { !$why{$_} } keys %why);
    print {$requests} map { "$_\0" } map { ('fetch', $self->{folder}, $self->{files}{$_}{place}, $self->size($_), $place{$_}) } @asked;
    close $requests;
    CORE::open my $answers, '-|', 'sh', '-c', 'exec "$0" fetch <"$1"', $GRADES, $requests or die "$GRADES does not start: $!\n";
    $why{$_} = (<$answers> // 'it cannot be read') =~ s/^!|\n$//gr for @asked;
    return %why;
}

# A file's text; empty if it is large.
sub text ($self, $name) {
    return '' if $self->size($name) > MOST_TEXT;
    if ($self->{zip}) {
        my $file = bsdtar('-xOf', $self->{zip}, '--', $self->{files}{$name}{place} =~ s/([\\*?\[])/\\$1/gr);
        read $file, my $bytes, MOST_TEXT;
        return text_of($bytes // '');
    }
    require File::Temp;
    my $folder = File::Temp->newdir;
    my (undef, $why) = $self->copy($name, "$folder/text");
    return $why ? die "$why\n" : text_of(slurp("$folder/text"));
}

1;
