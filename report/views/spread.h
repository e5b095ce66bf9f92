/* How sure a difference of two times is: report/compare.
 *
 * The judge takes samples in rounds of up to five (common/judge/timing/timing.c). All samples of a
 * round have their four parts in the same four processes, and what differs from process to process
 * is most of what differs at all. So a round is one measurement, however many samples it has: its
 * value is the mean of the samples' logarithms.
 *
 * A record has two rounds or so, far too few to tell a step's own spread by; a file has many steps,
 * whose spreads are alike. So each step's variance is drawn towards the common one, which counts as
 * six more degrees of freedom. A library is unlike
 * the steps: rounds of CUB's histogram on an H200 differ by 1.3 %, those of the steps by 0.05 to
 * 0.44 %. So it has its own spread alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct row;

struct rounds {
    double *value; /* logarithms of the seconds of a call */
    size_t count;
};
void add_rounds(struct rounds *rounds, const struct row *row);
double mean_of(const struct rounds *rounds);

/* The same thing, measured before and after; both have rounds. */
struct pair {
    const struct rounds *before, *after;
    bool is_library;
};

double common_variance(const struct pair *pair, size_t count);
double degrees_of(const struct pair *pair);
double standard_error(const struct pair *pair, double common);

/* The t below which a share p > 1/2 of Student's distribution lies. */
double student_quantile(double p, double degrees);
