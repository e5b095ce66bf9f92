// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "spread.h"

#include <math.h>

#include "lib/rows.h"
#include "lib/text.h"

enum { ROUND = 5 };

/* Now and then something outside disturbs a single sample, which takes 5 to 30 % longer: 40 of 1050
 * on an H100, 1 of 850 on an H200 (five runs on each). Such a sample says nothing about the step,
 * and is left out: it is this far from the median of its round. The samples of a quiet round are
 * 0.1 to 1 % apart. */
static const double disturbed = 0.03;

/* Of rounds of opt05 to opt17 on an H200 (report/recorded/evidence/five-runs.jsonl.gz): where a
 * comparison has too few steps to tell. */
static const double usual_spread = 0.0023, usual_degrees = 6;
enum { LEAST_STEPS = 8 };

/* Where a record has a single round, its spread is not known. It may be of one process in place of
 * four (common/build/recording.sh), so it is taken for twice the usual one; a library's for twice
 * that of CUB. */
static const double single_spread = 2 * 0.0023, single_library_spread = 2 * 0.013;
static const double least_spread = 1e-4; /* one measurement agrees with another by chance, too */
static const double most_degrees = 200;

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
    size_t count = row->r.samples_s.count, first = asked < count ? larger(asked, 0) : count;
    for (size_t i = 0, size; i < count; i += size) {
        double value[ROUND];
        size = (i < first ? first : count) - i;
        size = size < ROUND ? size : ROUND;
        for (size_t j = 0; j < size; j++)
            value[j] = log(sample[i + j] / row->r.iterations);
        rounds->value = keep_more(rounds->value, rounds->count, sizeof *rounds->value);
        rounds->value[rounds->count++] = undisturbed_mean(value, size);
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

struct prior find_prior(const struct pair *pair, size_t count) {
    struct prior prior = {square(usual_spread), usual_degrees};
    double sum = 0, squares = 0, share = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        double d = own_degrees(&pair[i]);
        if (pair[i].is_library || d < 1)
            continue;
        double e = log(larger(own_squares(&pair[i]) / d, square(least_spread))) - digamma(d / 2) +
                   log(d / 2);
        sum += e;
        squares += e * e;
        share += trigamma(d / 2);
        n++;
    }
    if (n < LEAST_STEPS)
        return prior;
    double target = (squares - sum * sum / n) / (n - 1) - share / n;
    prior.degrees = target > 0 ? smaller(2 * inverse_trigamma(target), most_degrees) : most_degrees;
    prior.variance = exp(sum / n + digamma(prior.degrees / 2) - log(prior.degrees / 2));
    return prior;
}

/* Whether its rounds say something of its spread. One degree of freedom says next to nothing. */
static bool has_spread(const struct pair *pair) { return own_degrees(pair) >= 2; }

double degrees_of(const struct pair *pair, const struct prior *prior) {
    return has_spread(pair) ? (pair->is_library ? 0 : prior->degrees) + own_degrees(pair)
                            : usual_degrees;
}

double standard_error(const struct pair *pair, const struct prior *prior) {
    double variance = square(pair->is_library ? single_library_spread : single_spread);
    if (has_spread(pair))
        variance = ((pair->is_library ? 0 : prior->degrees * prior->variance) + own_squares(pair)) /
                   degrees_of(pair, prior);
    variance = larger(variance, square(least_spread));
    return sqrt(variance * (1.0 / pair->before->count + 1.0 / pair->after->count));
}

/* ---- special functions ------------------------------------------------------------------------- */

/* By recurrence to x >= 6, then by the asymptotic series (Abramowitz and Stegun, 6.3.18, 6.4.12).
 */
double digamma(double x) {
    double shift = 0;
    for (; x < 6; x++)
        shift += 1 / x;
    return log(x) - 1 / (2 * x) - (1 - (1. / 10 - 1 / (21 * x * x)) / (x * x)) / (12 * x * x) -
           shift;
}

double trigamma(double x) {
    double shift = 0;
    for (; x < 6; x++)
        shift += 1 / (x * x);
    return 1 / x + 1 / (2 * x * x) + (1 - (1. / 5 - 1 / (7 * x * x)) / (x * x)) / (6 * x * x * x) +
           shift;
}

/* It falls, so bisection finds it. */
double inverse_trigamma(double y) {
    double low = 1e-4, high = 1e6, middle = 1;
    for (int i = 0; i < 100; i++) {
        middle = sqrt(low * high);
        *(trigamma(middle) > y ? &low : &high) = middle;
    }
    return middle;
}

/* Regularized incomplete beta function, by its continued fraction (26.5.8), evaluated by Lentz's
 * method. */
static double incomplete_beta(double x, double a, double b) {
    if (x <= 0 || x >= 1)
        return x > 0;
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(1 - x, b, a);
    double front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x);
    double f = 1, c = 1, d = 0;
    for (int i = 0; i <= 300; i++) {
        double m = i / 2, term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        if (i % 2)
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + (i ? term : 1) * d);
        c = 1 + (i ? term : 1) / c;
        f *= c * d;
        if (square(c * d - 1) < 1e-24)
            break;
    }
    return exp(front) / a * (f - 1);
}

double student_quantile(double p, double degrees) {
    double low = 0, high = 1e4, middle = 0;
    for (int i = 0; i < 80; i++) {
        middle = (low + high) / 2;
        double x = degrees / (degrees + middle * middle);
        *(1 - incomplete_beta(x, degrees / 2, 0.5) / 2 < p ? &low : &high) = middle;
    }
    return middle;
}
