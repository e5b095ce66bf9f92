# Texts of others: how their bytes become characters, and what of them people may be shown.
package Text;
use strict;
use warnings;
use Encode ();
use Exporter 'import';
our @EXPORT_OK = qw(slurp text_of shown cell table);

# The file's bytes. Dies with a sentence.
sub slurp {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "cannot read it: $!\n";
    local $/;
    return scalar(<$in>) // '';
}

# Bytes as characters: UTF-8 or UTF-16 by their byte order mark; without one, UTF-8 if it is that, UTF-16 if every
# other byte is 0, else what Windows writes in western Europe.
sub text_of {
    my ($bytes) = @_;
    return Encode::decode('UTF-8', substr $bytes, 3) if $bytes =~ /^\xef\xbb\xbf/;
    return Encode::decode('UTF-16', $bytes) if $bytes =~ /^(?:\xff\xfe|\xfe\xff)/;
    return Encode::decode('UTF-16LE', $bytes) if $bytes =~ /^[^\0]\0[^\0]\0/;
    return Encode::decode('UTF-16BE', $bytes) if $bytes =~ /^\0[^\0]\0[^\0]/;
    my $copy = $bytes;
    my $text = eval { Encode::decode('UTF-8', $copy, Encode::FB_CROAK) };
    return defined $text ? $text : Encode::decode('cp1252', $bytes);
}

# Without control characters, and without those that nobody sees and that reorder or disguise a text: the list of
# printable of common/prelude.sh. The joiners U+200C and U+200D stay: names are written with them.
sub shown {
    my ($text) = @_;
    $text =~ s/[\x00-\x1f\x7f-\x9f\x{2028}\x{2029}]+/ /g;
    $text =~ s/[\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{fffe}\x{ffff}\x{e0000}-\x{e007f}]//g;
    return $text;
}

# A cell of a table: one line without space around it, of at most 500 characters.
sub cell {
    my ($text) = @_;
    $text = shown($text // '');
    $text =~ s/^\s+|\s+$//g;
    return substr $text, 0, 500;
}

# Rows of a table whose first line names the columns, as hashes; none where there is no such file.
sub table {
    my ($path) = @_;
    return if !-s $path;
    my ($head, @lines) = split /\n/, text_of(slurp($path));
    my @names = split /\t/, $head;
    return map { my %row; @row{@names} = split /\t/, $_, -1; \%row } @lines;
}

1;
