#include "spread.h"

#include <math.h>

#include "lib/rows.h"

enum { ROUND = 5 };

/* Now and then something outside disturbs a single sample, which takes 5 to 30 % longer: 40 of 1050
 * on an H100, 1 of 850 on an H200 (five runs on each). Such a sample says nothing about the step,
 * and is left out: it is this far from the median of its round. The samples of a quiet round are
 * 0.1 to 1 % apart. */
static const double disturbed = 0.03;

/* Of rounds of opt05 to opt17 on an H200 (report/recorded/evidence/five-runs.jsonl.gz): where a
 * comparison has too few steps to tell, and how many of a step's own rounds that is worth. */
static const double usual_spread = 0.0023, usual_degrees = 6;
enum { LEAST_STEPS = 8 };

/* Where a record has a single round, its spread is not known. It may be of one process in place of
 * four (common/build/recording.sh), so it is taken for twice the usual one; a library's for twice
 * that of CUB. */
static const double single_spread = 2 * 0.0023, single_library_spread = 2 * 0.013;
static const double least_spread = 1e-4; /* one measurement agrees with another by chance, too */

static double square(double x) { return x * x; }

/* ---- rounds ------------------------------------------------------------------------------------ */

/* The median of an even number may lie far from all of them. */
static double undisturbed_mean(double *value, size_t count) {
    double sum = 0, left = 0;
    sort_numbers(value, count);
    double median = quantile(value, count, 0.5);
    for (size_t i = 0; i < count; i++)
        if (fabs(value[i] - median) < disturbed) {
            sum += value[i];
            left++;
        }
    return left ? sum / left : median;
}

/* The samples that were asked for come first, then more of five. */
void add_rounds(struct rounds *rounds, const struct row *row) {
    const double *sample = row->r.samples_s.item, asked = row->r.samples_asked;
    size_t count = row->r.samples_s.count, first = asked < count ? fmax(asked, 0) : count;
    for (size_t i = 0, size; i < count; i += size) {
        double value[ROUND];
        size = (i < first ? first : count) - i;
        size = size < ROUND ? size : ROUND;
        for (size_t j = 0; j < size; j++)
            value[j] = log(sample[i + j] / row->r.iterations);
        append(rounds->value, rounds->count, undisturbed_mean(value, size));
    }
}

double mean_of(const struct rounds *rounds) {
    double sum = 0;
    for (size_t i = 0; i < rounds->count; i++)
        sum += rounds->value[i];
    return sum / rounds->count;
}

static double squares_of(const struct rounds *rounds) {
    double sum = 0, mean = mean_of(rounds);
    for (size_t i = 0; i < rounds->count; i++)
        sum += square(rounds->value[i] - mean);
    return sum;
}

/* ---- spread ------------------------------------------------------------------------------------ */

/* About the means of both, and its degrees of freedom. */
static double own_squares(const struct pair *pair) {
    return squares_of(pair->before) + squares_of(pair->after);
}

static double own_degrees(const struct pair *pair) {
    return (double)pair->before->count + pair->after->count - 2;
}

/* The median, which single steps that spread widely do not move; that of estimates with d degrees
 * of freedom lies below what they estimate (Wilson and Hilferty). */
double common_variance(const struct pair *pair, size_t count) {
    double *variance = keep((count + 1) * sizeof *variance);
    size_t steps = 0;
    for (size_t i = 0; i < count; i++) {
        double d = own_degrees(&pair[i]);
        if (!pair[i].is_library && d >= 1)
            variance[steps++] = own_squares(&pair[i]) / d / pow(1 - 2 / (9 * d), 3);
    }
    sort_numbers(variance, steps);
    return steps < LEAST_STEPS ? square(usual_spread) : quantile(variance, steps, 0.5);
}

/* Whether its rounds say something of its spread. One degree of freedom says next to nothing. */
static bool has_spread(const struct pair *pair) { return own_degrees(pair) >= 2; }

double degrees_of(const struct pair *pair) {
    return has_spread(pair) ? (pair->is_library ? 0 : usual_degrees) + own_degrees(pair)
                            : usual_degrees;
}

double standard_error(const struct pair *pair, double common) {
    double variance = square(pair->is_library ? single_library_spread : single_spread);
    if (has_spread(pair))
        variance = ((pair->is_library ? 0 : usual_degrees * common) + own_squares(pair)) /
                   degrees_of(pair);
    variance = fmax(variance, square(least_spread));
    return sqrt(variance * (1.0 / pair->before->count + 1.0 / pair->after->count));
}

/* ---- Student's distribution -------------------------------------------------------------------- */

static double normal_quantile(double p) {
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(1 - erfc(middle / sqrt(2)) / 2 < p ? &low : &high) = middle;
    }
    return low;
}

/* The normal quantile, widened by the first terms of 1 / degrees (Abramowitz and Stegun, 26.7.5):
 * 4 % too narrow at 6 degrees and p = 0.9994, less with more. */
double student_quantile(double p, double degrees) {
    double z = normal_quantile(p), n = degrees;
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n) +
           (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * n * n * n);
}
