// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "stats.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

void stats_interval95(const double *sorted, size_t count, double *low, double *high) {
    /* The probability that `skip` values or fewer lie below the median, and the next one's share.
     */
    double below = 1;
    for (size_t i = 0; i < count; i++)
        below /= 2;
    double share = below;
    size_t skip = 0;
    for (;;) {
        share *= (double)(count - skip) / (double)(skip + 1);
        if (below + share > 0.025)
            break;
        below += share;
        skip++;
    }
    *low = sorted[skip];
    *high = sorted[count - 1 - skip];
}
