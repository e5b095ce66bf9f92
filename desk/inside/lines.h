/* What was counted of one call.
 *
 * It is summed up as a student thinks of it: a kernel with all of its launches, and what one line
 * of source does in it, both with the costliest first. */
#pragma once

#include "lib/counters.h"

struct line_sum {
    double cost;
    struct accesses_fields is; /* sums; `most` is the largest */
    const struct kernel_sum *of;
};
struct kernel_sum {
    double cost;
    const char *name;
    const struct launches_fields *largest; /* with the most blocks */
    size_t launches;
    double hot_adds;
    struct line_sum **line;
    size_t lines;
    struct map known; /* the lines, by what they do */
};
struct counted {
    struct kernel_sum **kernel;
    size_t kernels;
    struct map known; /* the kernels, by name */
};
int by_cost(const void *a, const void *b); /* of what begins with it: for sort_stably() */
struct counted sum_up(struct record_objects launches, struct record_objects accesses,
                      const char *gpu);

/* What one line does: "loads 4 bytes a lane, 4.0 sectors a request: coalesced". */
const char *line_in_words(const struct line_sum *line);

const char *bytes_in_words(double bytes); /* "65.3 MB" */
