/* Rules about sums alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"

/* A float of 2^24 or more does not grow when numbers below 1 are added one by one. */
static bool is_stuck(const struct look *look) {
    return look->got_sum == 0x1p24 && look->sum > 0x1p24;
}

/* What one float comes to that takes all numbers in turn. */
static double sum_in_turn(const struct look *look) {
    float sum = 0;
    for (size_t i = 0; i < look->size; i++) {
        float value;
        memcpy(&value, look->window + i * sizeof value, sizeof value);
        sum += value;
    }
    return sum;
}

/* As far off, and to the same side, as adding one by one is; threads that come in any order keep it
 * from being the very same. */
static bool is_drift(const struct look *look) {
    double drift = sum_in_turn(look) - look->sum, off = look->got_sum - look->sum;
    return fabs(drift) > look->slack && fabs(off - drift) <= fabs(drift) / 8;
}

/* No sum of so many numbers is whole by chance. */
static bool is_whole(const struct look *look) {
    return look->got_sum != 0 && look->got_sum == floor(look->got_sum) &&
           fabs(look->got_sum) < 0x1p20 && fabs(look->got_sum - look->sum) > look->slack &&
           fabs(look->got_sum - look->sum) < 0.5 * fabs(look->sum);
}

/* The sum is a multiple of 2^-low, which by chance it is not, and off by no more than numbers are
 * that are rounded, or cut, to such multiples. */
static struct range find_fixed_point(const struct look *look, struct range inside) {
    enum { MOST = 40, OF_FLOAT = 24, ZEROS = 8 };
    const double off = fabs(look->got_sum - look->sum);
    size_t low = 0, high = 0;
    int exponent;
    frexp(look->got_sum != 0 ? look->got_sum : look->sum, &exponent);
    while (low < MOST && ldexp(look->got_sum, (int)low) != floor(ldexp(look->got_sum, (int)low)))
        low++;
    if (OF_FLOAT - exponent < ZEROS)
        return NO_RANGE;
    for (high = (size_t)(OF_FLOAT - exponent - ZEROS); high >= low && high; high--)
        if (off <= ldexp((double)look->size, -(int)high))
            break;
    low = low < inside.low ? inside.low : low;
    return (struct range){low, high > inside.high ? inside.high : high};
}

/* Of one sum alone it could be chance. */
static bool name_fixed_point(const struct scene *scene) {
    enum { SURE = 4 };
    const size_t low = scene->range.low;
    return low > 0 && (scene->looks > 1 || scene->range.high >= low + SURE) &&
           say(scene,
               "Each wrong sum is a multiple of 2^-%zu, and the input's numbers are not: they are "
               "rounded on the way, as in fixed point. A float keeps 24 bits of a small number, "
               "too.",
               low);
}

const struct rule rules_of_sums[] = {
    {OF_SUMS, .is = is_whole,
     .text = "The sum is a whole number, and the input's numbers are not: fractions are lost on "
             "the way. Usual cause: partial sums in an array or a variable of a whole type, such "
             "as __shared__ int, or a cast to one."},
    {OF_SUMS, .find = find_fixed_point, .name = name_fixed_point},
    {OF_SUMS, .is = is_stuck,
     .text = "The sum stops at 16777216, which is 2^24: from there on a float does not grow by "
             "numbers below 1. Do not add all numbers to one float one by one: add up in pairs, "
             "or a partial sum for each thread first."},
    {OF_SUMS, .is = is_drift,
     .text = "The sum is off by the rounding errors of adding all numbers to one float, one by "
             "one. Add up in pairs, or a partial sum for each thread first, so that no number "
             "passes through more than some hundred additions."},
    {OF_SUMS, .is = is_near,
     .text = "The sum is off by little more than rounding may be. Usual cause: one float takes "
             "very many numbers, one by one. Add up in pairs, or a partial sum for each thread "
             "first."},
    {.of = 0},
};
