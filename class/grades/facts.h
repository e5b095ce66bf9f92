/* Facts about a class, and what pages say of grades, for several of its pages. */
#pragma once

#include "points.h"

/* The time of one call in us with its interval; NAN where nobody knows. It is a predicted one where
 * the grade's points for speed come of these, and there is something to compare it with. */
struct timed {
    double us, low, high;
};
struct timed timed_grade(const struct grade *grade);

bool shows_mistake(const struct grade *grade);   /* it is there to show a wrong answer */
bool is_without_idea(const struct grade *grade); /* though it is right */
bool is_late_somehow(const struct class *class, const struct submission *one); /* since when? */
size_t count_predicted(const struct class *class); /* whose points for speed are of such times */

/* Each submission's points in per cent of its maximum, sorted: of those for whom something counts.
 */
struct shares {
    double *share;
    size_t count;
};
struct shares shares_of(const struct class *class);

/* ---- in words ---------------------------------------------------------------------------------- */

/* 6 of 20 points, or what is missing to that. */
const char *total_in_words(const struct submission *one);

/* 86.4 of 100 points (9.6 taken off); handed in 1 day late: 10 % taken off */
const char *grade_in_words(const struct class *class, const struct submission *one);

const char *worth_in_words(const struct grade *grade);   /* "6 of 10", "not yet" */
const char *verdict_in_words(const struct grade *grade); /* "not graded yet" */
const char *decided_verdict(const struct grade *grade);  /* "flagged, cleared" */
const char *idea_cost(const struct grade *grade);        /* "it costs 2 of 12 points" */
