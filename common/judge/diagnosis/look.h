/* A look at one wrong output beside the window that it should be of: which mistake in keeping
 * counts, or in adding up, gives exactly this? Part of a diagnosis (diagnosis.h), for what the
 * facts of a run do not tell: each rule here has been the right answer to a mistake that nobody
 * knew when it was written.
 *
 * A rule foretells the output of one mistake, and fits if that is what came out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

enum { MOST_BINS = 1024 };

struct look {
    const struct problem *problem;
    const char *window;
    size_t size; /* elements of the window */

    /* Of a problem that counts: what the window really has in each bin, what the output should be,
     * and what it is. */
    uint32_t counts[MOST_BINS], right[MOST_BINS], got[MOST_BINS];

    /* Of a problem that adds up. */
    double sum, slack, got_sum;
};

/* A count as an output shows it; count number `bin` of an output. */
uint32_t count_shown(const struct counting *counting, uint64_t count);
uint32_t count_in(const struct counting *counting, const void *output, size_t bin);

enum { MOST_RULES = 6 };

/* What all rules have found in the looks so far. */
struct findings {
    bool any, ruled_out[MOST_RULES];
};

void findings_add(struct findings *findings, const struct look *look);

/* What the first rule says that fits all looks; or "". */
const char *findings_name(const struct findings *findings);
