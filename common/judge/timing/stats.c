#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

double stats_median_of(const double *values, size_t count) {
    double sorted[count];
    memcpy(sorted, values, sizeof sorted);
    return stats_median(sorted, count);
}

/* The 97.5 % quantile of Student's t. From 13 degrees of freedom on by the first terms of its
 * expansion (Abramowitz and Stegun, 26.7.5), which are right to 0.001 there. */
static double student(size_t degrees) {
    static const double quantile[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                      2.365,  2.306, 2.262, 2.228, 2.201, 2.179};
    if (degrees <= sizeof quantile / sizeof *quantile)
        return quantile[degrees - 1];
    return 1.95996 + 2.3723 / degrees + 2.8225 / ((double)degrees * degrees);
}

double stats_next_run(const double *values, size_t count, double more) {
    double mean = 0, squares = 0;
    if (count < 2)
        return INFINITY;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return student(count - 1) * sqrt(2 * (squares / (count - 1) / count + more));
}
