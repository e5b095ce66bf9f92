/* A look at one wrong output beside the window that it should be of: which mistake in keeping
 * counts, or in adding up, gives exactly this? Part of a diagnosis (diagnosis.h), for what the
 * facts of a run do not tell: each rule here has been the right answer to a mistake that nobody
 * knew when it was written.
 *
 * A rule foretells the output of one mistake, and fits if that is what came out. Those of counts
 * are in look_counts.c, those of sums in look_sum.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/text.h"
#include "problem.h"

enum { MOST_BINS = 1024 };

enum { MOST_NUMBERS = 256 };

struct look {
    const struct problem *problem;
    const char *window;
    size_t size; /* elements of the window */

    /* Of a problem that counts: what the window really has in each bin, what the output should be,
     * and what it is. */
    uint32_t counts[MOST_BINS], right[MOST_BINS], got[MOST_BINS];
    uint32_t of_value[MOST_NUMBERS]; /* where elements are bytes: how many have each value */

    /* Of a problem that adds up. */
    double sum, slack, got_sum;
};

struct rule {
    size_t numbers; /* that the mistake may have, such as a width in bits, from 0 on; or 1 */
    bool (*fits)(const struct look *look, size_t number);
    bool needs_two; /* looks: one could be chance */

    /* In words: of the first number that fits all looks; or a text that needs none. */
    void (*say)(const struct problem *problem, size_t number, struct words text);
    const char *text;
};

/* In the order in which they are asked; the last has no numbers. */
extern const struct rule rules_of_counts[], rules_of_sums[];

/* A count as an output shows it; count number `bin` of an output. */
uint32_t count_shown(const struct counting *counting, uint64_t count);
uint32_t count_in(const struct counting *counting, const void *output, size_t bin);

enum { MOST_RULES = 8 };

/* What all rules have found in the looks so far. */
struct findings {
    const struct problem *problem;
    size_t looks;
    bool ruled_out[MOST_RULES][MOST_NUMBERS];
};

void findings_add(struct findings *findings, const struct look *look);
bool findings_name(const struct findings *findings, struct words text);
