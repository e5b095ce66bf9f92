/* Which rows are shown together, in the journal, in its charts and of a ladder. */
#pragma once

#include "lib/rows.h"

/* Of one problem, and of this tree's own steps, or else of the first submission's. Its place is a
 * device, an input and a size: that where most steps are right on a GPU, or, where none has a
 * time, have a result. */
struct chosen {
    const char *problem, *device;
    struct list rows; /* of steps and baselines at that place, in the ladder's order; of a step only
                       * where it is of the source that was graded last */
    struct list steps;     /* the newest of each step; where `rows` has one of the same source, and
                            * the newest says nothing else, that one */
    struct list predicted; /* of each step the newest with a predicted time of that source; those
                            * that can be compared with the first */
};

/* Of each ladder that was begun, in order; the first, where none was. The rows are the `newest`. */
struct chosen *choose_rows(const struct rows *rows, size_t *count);

/* The last of that step; NULL for none. */
const struct row *row_of(const struct list *list, const char *step);

/* Times of the same can be compared: the same problem, input, device and size; predicted ones are
 * for a GPU, and the size that was counted. */
const char *kind_of_time(const struct row *row, bool predicted);
