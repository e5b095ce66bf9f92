# Times of learning platforms, in UTC.
package Times;
use strict;
use warnings;
use POSIX ();
use Time::Local qw(timegm);
use Exporter 'import';
our @EXPORT_OK = qw(utc_of time_in_words);

my @MONTHS = qw(jan feb mar apr may jun jul aug sep oct nov dec);

# YYYY-MM-DDTHH:MM:SSZ of a date and time. SHIFT is how many seconds that clock is ahead of UTC; without it it is a clock
# of the time zone TZ (of the environment; else this machine's). Empty for what is no time.
sub utc_of {
    my ($year, $month, $day, $hour, $minute, $second, $shift) = @_;
    my $time = eval {
        my $checked = timegm($second, $minute, $hour, $day, $month - 1, $year);
        defined $shift ? $checked - $shift : POSIX::mktime($second, $minute, $hour, $day, $month - 1, $year - 1900, 0, 0, -1);
    };
    return defined $time ? POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $time) : '';
}

# The same of Moodle's words, in English: Wednesday, 12 October 2022, 11:59 PM.
sub time_in_words {
    my ($day, $month, $year, $hour, $minute, $half) = $_[0] =~ /(\d{1,2}) (\w+) (\d{4}), (\d{1,2}):(\d\d)(?:\s*([AP]M))?/i or return '';
    my ($number) = grep { lc(substr $month, 0, 3) eq $MONTHS[$_ - 1] } 1 .. 12;
    $hour = $hour % 12 + (uc $half eq 'PM' ? 12 : 0) if $half;
    return $number ? utc_of($year, $number, $day, $hour, $minute, 0) : '';
}

1;
