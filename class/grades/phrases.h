/* What pages say of grades, in words. */
#ifndef CLASS_PHRASES_H
#define CLASS_PHRASES_H

#include "points.h"

/* 6 of 20 points, or what is missing to that. */
const char *total_in_words(const struct submission *one);

/* 86.4 of 100 points (9.6 taken off); handed in 1 day late: 10 % taken off */
const char *grade_in_words(const struct class *class, const struct submission *one);

const char *verdict_in_words(const struct grade *grade); /* "not graded yet" */
const char *decided_verdict(const struct grade *grade);  /* "flagged, cleared" */
const char *idea_cost(const struct grade *grade);        /* of what lacks it: "it costs 2 points" */

#endif
