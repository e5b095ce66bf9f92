/* For problems whose answer follows from a total over a window's elements. Expected outputs: the
 * total of any window, from running totals of the whole strip. */
#pragma once

#include <stddef.h>

#include "problem.h"

struct running {
    size_t bytes; /* of a total, which is zeros at first */

    /* Adds so many elements; adds another total (sign 1), or takes it away (-1); and what it is
     * once an element has become another. */
    void (*add)(void *total, const void *elements, size_t count);
    void (*join)(void *total, const void *other, int sign);
    void (*replace)(void *total, const void *before, const void *after);
};

/* Functions of a problem that has `running`; running_expect() writes the total. */
size_t running_bytes(const struct strip *strip);
void *running_prepare(const struct strip *strip);
void running_change(struct strip *strip, void *index, size_t element, const void *value);
void running_expect(const struct strip *strip, const void *index, size_t row, void *total);

/* Of problems that count: `join` and `replace` of totals that are counts of 32 bits, and right().
 */
void running_join_counts(void *total, const void *other, int sign);
void running_replace_counts(void *total, const void *before, const void *after);
bool running_counts_right(const void *expected, const void *got, char *why, size_t why_size);
