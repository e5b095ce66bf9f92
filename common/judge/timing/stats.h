#pragma once

#include <stddef.h>

/* Median of count > 0 values, which are put in order; or which stay as they are. */
double stats_median(double *values, size_t count);
double stats_median_of(const double *values, size_t count);

/* A 95 % confidence interval of the median of count > 0 values in order: the narrowest pair of
 * order statistics, equally far from both ends, that holds the median with that probability
 * (binomial distribution; Conover, Practical Nonparametric Statistics, section 3.2). Fewer than six
 * values cannot promise that much: then it is their range. */
void stats_interval95(const double *sorted, size_t count, double *low, double *high);

/* How far another run's mean of as many values lies from the mean of these, at most, in 95 of 100
 * runs: half of a prediction interval (Student's t; the variance of a difference of two means).
 * `more` is a variance that both means have besides, or 0. Infinite for fewer than two values. */
double stats_next_run(const double *values, size_t count, double more);
