/* Rules about how sums were kept. */
#include <math.h>
#include <string.h>

#include "judge/text.h"
#include "look.h"

static float number_at(const struct look *look, size_t i) {
    float value;
    memcpy(&value, look->window + i * sizeof value, sizeof value);
    return value;
}

static double off(const struct look *look) { return fabs(look->got_sum - look->sum); }

/* No sum of so many numbers is whole by chance. */
static bool fits_whole(const struct look *look, size_t number) {
    (void)number;
    return look->got_sum != 0 && look->got_sum == floor(look->got_sum) &&
           fabs(look->got_sum) < 0x1p20 && off(look) > look->slack &&
           off(look) < 0.5 * fabs(look->sum);
}

enum { FIXED_POINTS = 40 };

/* The sum is that of numbers that are cut to multiples of 2^-bits: each is off by half of that. */
static bool is_cut(const struct look *look, size_t bits) {
    enum { SURE = 8 };
    double cut = 0;
    const double mean = off(look) / (double)look->size, unit = ldexp(1, -(int)bits);
    if (!bits || mean > unit || mean < unit / 4)
        return false;
    for (size_t i = 0; i < look->size; i++) /* a power of two, so nothing is rounded */
        cut += trunc(number_at(look, i) / unit) * unit;
    const double rest = fabs(look->got_sum - cut);
    return rest <= look->slack && rest < fabs(look->sum - cut) / SURE;
}

/* The sum is a multiple of 2^-bits, which by chance it is not, and off by no more than numbers are
 * that are rounded, or cut, to such multiples. */
static bool is_multiple(const struct look *look, size_t bits) {
    enum { OF_FLOAT = 24, ZEROS = 8 };
    int exponent;
    frexp(look->got_sum != 0 ? look->got_sum : look->sum, &exponent);
    const double scaled = ldexp(look->got_sum, (int)bits);
    return bits > 0 && (int)bits <= OF_FLOAT - ZEROS - exponent && scaled == floor(scaled) &&
           off(look) <= ldexp((double)look->size, -(int)bits);
}

static bool fits_fixed_point(const struct look *look, size_t bits) {
    return is_multiple(look, bits) || is_cut(look, bits);
}

static void say_fixed_point(const struct problem *problem, size_t bits, struct words text) {
    (void)problem;
    text_add(text,
             "Each wrong sum is that of multiples of 2^-%zu, and the input's numbers are not: they "
             "are rounded or cut on the way, as in fixed point. A float has 24 significant bits, "
             "however small it is.",
             bits);
}

/* What one float comes to that takes all numbers in turn. */
static double sum_in_turn(const struct look *look) {
    float sum = 0;
    for (size_t i = 0; i < look->size; i++)
        sum += number_at(look, i);
    return sum;
}

/* Many, and off by little; or as far as adding one by one is, but for the order in which threads
 * come; or a float that takes numbers below 1 has come to where it no longer grows. */
static bool fits_rounding(const struct look *look, size_t number) {
    enum { SLACKS = 4, MANY = 1 << 14 };
    (void)number;
    if ((look->size >= MANY && off(look) <= SLACKS * look->slack) ||
        (look->got_sum == 0x1p24 && look->sum > 0x1p24))
        return true;
    const double drift = sum_in_turn(look) - look->sum;
    return fabs(drift) > look->slack && fabs(look->got_sum - look->sum - drift) <= fabs(drift) / 2;
}

const struct rule rules_of_sums[] = {
    {1, .fits = fits_whole,
     .text = "The sum is a whole number, and the input's numbers are not: fractions are lost on "
             "the way. Usual cause: partial sums in an array or a variable of a whole type, such "
             "as __shared__ int, or a cast to one."},
    {FIXED_POINTS, .fits = fits_fixed_point, .needs_two = true, .say = say_fixed_point},
    {1, .fits = fits_rounding,
     .text = "The sum is off as rounding makes it where one float takes very many numbers, one by "
             "one: from 2^24 on it does not even grow by numbers below 1. Add up in pairs, or a "
             "partial sum for each thread first."},
    {.numbers = 0},
};
