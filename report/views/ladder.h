/* How far somebody is with the steps of each ladder. */
#pragma once

#include "lib/rows.h"

/* A ladder as LABS has it. The newest row of this tree's own decides how far somebody is with a
 * step, of its source as it is now where there is one. */
struct ladder {
    const char *name; /* opt */
    const char **step;
    struct row **row; /* NULL: none */
    size_t steps;
};
struct progress {
    struct ladder *ladder;
    size_t count;
};
struct progress read_progress(const struct rows *own);
struct ladder *ladder_of(const struct progress *progress, const char *step);

/* "opt   ✓✓✓✓✗············ 4 of 17 passed" */
const char *progress_of(const struct ladder *ladder);

/* The first step after that one in its ladder which has not passed, else the first before it, else
 * the first of another ladder that was begun; "" where all of those have. */
const char *next_step(const struct progress *progress, const char *step);

/* "make opt06 (Use of the built-in minimum)"; of no step what comes when all have passed. */
const char *goal_of(const char *step);
