#pragma once

#include <stddef.h>

/* Median of count > 0 values, which are put in order; or which stay as they are. */
double stats_median(double *values, size_t count);
double stats_median_of(const double *values, size_t count);

/* How far another run's mean of as many values lies from the mean of these, at most, in 95 of 100
 * runs: half of a prediction interval (Student's t; the variance of a difference of two means).
 * `more` is a variance that both means have besides, or 0. Infinite for fewer than two values. */
double stats_next_run(const double *values, size_t count, double more);
