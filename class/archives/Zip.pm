# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads .zip files that strangers have made (PKWARE, APPNOTE.TXT 6.3.10, sections 4.3 to 4.5): only what the central
# directory at the file's end lists, so that what is judged and what is unpacked cannot differ. Deflate and bzip2 are
# Perl's core modules.
package Zip;
use strict;
use warnings;
use Encode ();
use Fcntl qw(SEEK_SET SEEK_END);
use POSIX ();
use Compress::Raw::Zlib qw(crc32 Z_OK Z_STREAM_END MAX_WBITS);

use constant CHUNK => 1 << 16;
# The type of an entry by the Unix mode in it.
my %TYPES = (0x4 => 'd', 0x8 => '-', 0xa => 'l', 0x2 => 'c', 0x6 => 'b', 0x1 => 'p', 0xc => 's');

# Opens an archive. Dies with a sentence, as every method: "cut short or corrupt" where it is not whole.
sub new {
    my ($class, $path) = @_;
    open my $file, '<:raw', $path or die "cannot read it: $!\n";
    my $self = bless { file => $file, size => -s $file }, $class;
    $self->find_directory;
    return $self;
}

sub corrupt { die "it is cut short or corrupt\n" }

# LENGTH bytes at AT.
sub bytes {
    my ($self, $at, $length) = @_;
    corrupt() if $at < 0 || $length < 0 || $at + $length > $self->{size};
    seek $self->{file}, $at, SEEK_SET or corrupt();
    my $bytes;
    my $read = read($self->{file}, $bytes, $length);
    corrupt() if !defined $read || $read != $length;
    return $bytes;
}

# The end of the central directory is the last record of the file, but for a comment.
sub find_directory {
    my ($self) = @_;
    my $length = $self->{size} < 65557 ? $self->{size} : 65557;
    my $tail = $self->bytes($self->{size} - $length, $length);
    my $at = rindex $tail, "PK\5\6";
    corrupt() if $at < 0 || length $tail < $at + 22;
    my ($disk, undef, undef, $count, $size, $begin, $comment) = unpack 'x4 v v v v V V v', substr $tail, $at, 22;
    $at += $self->{size} - $length;
    corrupt() if $at + 22 + $comment > $self->{size};
    die "it is one part of several: pack it as one file\n" if $disk != 0 && $disk != 0xffff;
    my $end = $at;
    if ($count == 0xffff || $size == 0xffffffff || $begin == 0xffffffff) {
        my ($signature, undef, $far) = unpack 'a4 V Q<', $self->bytes($at - 20, 20);
        if ($signature eq "PK\6\7") {
            $end = $far;
            ($signature, $count, $size, $begin) = unpack 'a4 x28 Q< Q< Q<', $self->bytes($far, 56);
            corrupt() if $signature ne "PK\6\6";
        }
    }
    # Bytes may stand before the archive: then every offset is short by as many.
    corrupt() if $begin + $size > $end;
    @$self{qw(count begin length shift)} = ($count, $end - $size, $size, $end - $size - $begin);
}

# Calls CODE with each entry, in the directory's order: {name (UTF-8 bytes, with / between folders), type (as ls -l
# shows it), size, packed, method, flags, crc, offset, time}. It ends early where CODE returns false.
sub each_entry {
    my ($self, $code) = @_;
    my ($at, $end) = ($self->{begin}, $self->{begin} + $self->{length});
    for (1 .. $self->{count}) {
        my $head = $self->bytes($at, 46);
        my ($signature, $made, $flags, $method, $time, $date, $crc, $packed, $size, $name_length, $extra_length, $comment_length,
            $attributes, $offset) = unpack 'a4 v x2 v v v v V V V v v v x2 x2 V V', $head;
        corrupt() if $signature ne "PK\1\2";
        my $name = $self->bytes($at + 46, $name_length);
        my $extra = extra_fields($self->bytes($at + 46 + $name_length, $extra_length));
        $at += 46 + $name_length + $extra_length + $comment_length;
        corrupt() if $at > $end;
        my $entry = { flags => $flags, method => $method, crc => $crc, packed => $packed, size => $size, offset => $offset,
            time => time_of($date, $time, $extra->{0x5455}), name => name_of($name, $flags, $extra->{0x7075}) };
        take_zip64($entry, $extra->{1});
        $entry->{type} = type_of($entry->{name}, $made >> 8, $attributes);
        return if !$code->($entry);
    }
}

sub extra_fields {
    my ($bytes) = @_;
    my %fields;
    while (length $bytes >= 4) {
        my ($id, $length) = unpack 'v v', $bytes;
        last if length $bytes < 4 + $length;
        $fields{$id} = substr $bytes, 4, $length;
        substr $bytes, 0, 4 + $length, '';
    }
    return \%fields;
}

# Of the three, the field holds those that do not fit in 32 bits.
sub take_zip64 {
    my ($entry, $field) = @_;
    for my $key (qw(size packed offset)) {
        next if $entry->{$key} != 0xffffffff || !defined $field;
        corrupt() if length $field < 8;
        $entry->{$key} = unpack 'Q<', substr $field, 0, 8, '';
    }
}

# A name as UTF-8: what flag 11 or Info-ZIP's field 0x7075 says it is; else UTF-8 where it is that (macOS and Canvas set
# no flag), and code page 437. A backslash is what some programs on Windows write between folders.
sub name_of {
    my ($name, $flags, $field) = @_;
    if (defined $field && length $field > 5) {
        my ($version, $crc) = unpack 'C V', $field;
        ($name, $flags) = (substr($field, 5), 0x800) if $version == 1 && $crc == crc32($name);
    }
    $name =~ s/\0.*//s;
    $name =~ tr{\\}{/};
    my $copy = $name;
    return $name if defined eval { Encode::decode('UTF-8', $copy, Encode::FB_CROAK) };
    return Encode::encode('UTF-8', Encode::decode($flags & 0x800 ? 'UTF-8' : 'cp437', $name));
}

sub type_of {
    my ($name, $system, $attributes) = @_;
    my $mode = $attributes >> 28;
    return $TYPES{$mode} // '?' if ($system == 3 || $system == 19) && $mode; # Unix, macOS
    return $name =~ m{/$} ? 'd' : '-';
}

# Seconds of Unix time: of the extended field, else MS-DOS's local time.
sub time_of {
    my ($date, $time, $field) = @_;
    return unpack 'x l<', $field if defined $field && length $field >= 5 && ord($field) & 1;
    return POSIX::mktime(($time & 31) * 2, $time >> 5 & 63, $time >> 11, $date & 31, ($date >> 5 & 15) - 1, ($date >> 9) + 80, 0, 0, -1) // 0;
}

# Writes an entry's content to a new file. Its length and checksum are what the directory says, or it dies.
sub extract {
    my ($self, $entry, $path) = @_;
    die "it is encrypted\n" if $entry->{flags} & 0x2041;
    my ($signature, $name_length, $extra_length) = unpack 'a4 x22 v v', $self->bytes($entry->{offset} + $self->{shift}, 30);
    corrupt() if $signature ne "PK\3\4";
    my $at = $entry->{offset} + $self->{shift} + 30 + $name_length + $extra_length;
    open my $out, '>:raw', $path or die "cannot write $path: $!\n";
    my ($written, $crc, $left, $done) = (0, 0, $entry->{packed}, 0);
    my $inflate = inflater($entry->{method});
    while ($left > 0 && !$done) {
        my $bytes = $self->bytes($at, $left < CHUNK ? $left : CHUNK);
        $at += length $bytes;
        $left -= length $bytes;
        # An inflater stops at its limit of output, and is called again for the rest of its input.
        while (length $bytes && !$done) {
            my $output = '';
            $done = $inflate->(\$bytes, \$output);
            $written += length $output;
            corrupt() if $written > $entry->{size};
            $crc = crc32($output, $crc);
            print {$out} $output or die "cannot write $path: $!\n";
        }
    }
    close $out or die "cannot write $path: $!\n";
    corrupt() if $written != $entry->{size} || $crc != $entry->{crc};
    utime $entry->{time}, $entry->{time}, $path;
}

# A function that moves bytes from its input to its output, and returns whether that was the end. It makes at most some
# CHUNKs of output at a time.
sub inflater {
    my ($method) = @_;
    return sub { my ($in, $out) = @_; ($$out, $$in) = ($$in, ''); return 0 } if $method == 0;
    my ($reader, $ok, $end);
    if ($method == 8) {
        ($reader) = Compress::Raw::Zlib::Inflate->new(-WindowBits => -MAX_WBITS(), -Bufsize => CHUNK, -LimitOutput => 1);
        ($ok, $end) = (sub { $_[0] == Z_OK || $_[0] == Compress::Raw::Zlib::Z_BUF_ERROR() }, Z_STREAM_END);
    } elsif ($method == 12 && eval { require Compress::Raw::Bzip2 }) {
        ($reader) = Compress::Raw::Bunzip2->new(0, 1, 0, 0, 1);
        ($ok, $end) = (sub { $_[0] == Compress::Raw::Bzip2::BZ_OK() }, Compress::Raw::Bzip2::BZ_STREAM_END());
    }
    die "it is compressed by a method that is not read here ($method): pack it as .tar.gz, or as a .zip by Deflate\n" if !$reader;
    return sub {
        my ($in, $out) = @_;
        my $before = length $$in;
        my $status = $method == 8 ? $reader->inflate($in, $out) : $reader->bzinflate($in, $out);
        return 1 if $status == $end;
        corrupt() if !$ok->($status) || length $$in == $before && $$out eq '';
        return 0;
    };
}

1;
