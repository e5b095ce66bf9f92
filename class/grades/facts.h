// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Facts about a class, which several of its pages show. */
#ifndef CLASS_FACTS_H
#define CLASS_FACTS_H

#include "points.h"

/* Which times there are: predicted ones where none was measured and the rubric has these count. */
enum timing { NOT_TIMED, MEASURED, FORESEEN };
enum timing timing_of(const struct class *class);

/* A time of one call in us with its interval, and what one read of the input takes on the same GPU;
 * NAN where nobody knows. */
struct timed {
    double us, low, high, roof;
};
struct timed timed_row(const struct row *row, enum timing timing);
struct timed timed_grade(const struct grade *grade, enum timing timing);

/* Of one step: how many right answers have a time, and these; this project's own version and one
 * read of the input. */
enum time_is { FASTEST, LOWER, MEDIAN, UPPER, SLOWEST, OUR_TIME, ROOF, TIMES };
struct times_of_step {
    size_t count;
    double us[TIMES];
};
struct times_of_step times_of_step(const struct class *class, size_t step, enum timing timing);

/* Whether somebody is stuck at a step: the first of its ladder after the last right one, where none
 * follows. */
bool is_stuck_at(const struct class *class, const struct submission *one, size_t step);
bool shows_mistake(const struct grade *grade);   /* it is there to show a wrong answer */
bool is_without_idea(const struct grade *grade); /* though it is right */
bool has_predictions(const struct class *class); /* points for speed come of predicted times */
bool is_late(const struct class *class, const struct submission *one); /* or called so */

/* Each submission's points in per cent of its maximum, sorted: of those for whom something counts.
 * tenth[i]: how many have 10 * i % and more, but all points are in the last. */
struct shares {
    double *share;
    size_t count, tenth[10];
};
struct shares shares_of(const struct class *class);

#endif
