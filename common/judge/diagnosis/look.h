/* A look at one wrong output beside the window that it should be of: which mistake in counting, or
 * in adding up, gives exactly this? Part of a diagnosis (diagnosis.h).
 *
 * A rule foretells the output of one mistake, and fits if that is what came out. Rules stand in
 * tables, by what they are about: look_reach.c, look_threads.c, look_blocks.c, look_wide.c,
 * look_bins.c, look_packed.c, look_places.c, look_sum.c. */
#ifndef LOOK_H
#define LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/launch_size.h"
#include "problem.h"
#include "reading.h"

enum { MOST_BINS = 1024 };

struct look {
    const struct problem *problem;
    struct shape shape;
    const char *window;
    size_t size; /* elements of the window */
    unsigned char poison;
    struct launch_size launch; /* the widest of the step's; zeros where it is unknown */

    /* Of a problem that counts: what the window really has in each bin, what the output should be,
     * and what it is. */
    uint32_t counts[MOST_BINS], right[MOST_BINS], got[MOST_BINS];

    /* Of a problem that adds up. */
    double sum, slack, got_sum;
    bool no_negative; /* a sum of some elements only grows with more of them */
};

/* The numbers with which a rule foretells an output exactly: how many elements are missing, or what
 * factor there is; the rule knows. Saturated counts, and tolerances, can leave several. */
struct range {
    size_t low, high;
};

static const struct range NO_RANGE = {1, 0};

static inline struct range only(size_t number) { return (struct range){number, number}; }

static inline bool within(struct range range, size_t number) {
    return range.low <= number && number <= range.high;
}

/* What a rule has found in all looks, and where its sentence goes. */
struct scene {
    const struct problem *problem;
    struct shape shape;
    size_t size, looks;
    size_t telling; /* counts in all looks that are not saturated, nor 0 where they should be */
    struct launch_size launch;
    enum reading reading;
    bool in_bounds; /* nothing was read from beyond the end */
    bool traced;    /* it is known how a wrong element came about */
    struct range range;
    char *text;
    size_t text_size;
};

struct rule {
    enum { OF_COUNTS = 1, OF_SUMS = 2, OF_PARTS = 4 } of; /* of parts: which all are read */

    /* The numbers inside a range that foretell this output. */
    struct range (*find)(const struct look *look, struct range inside);

    /* Put it into words. False where the numbers are too vague to be sure. */
    bool (*name)(const struct scene *scene);

    /* In place of `find`: does this guess foretell the output? Guesses are numbered from 0 on. The
     * range is then the first that foretells all outputs. */
    bool (*fits)(const struct look *look, size_t guess);
    size_t guesses;

    /* In place of `find`: is it this mistake, which has no number? In place of `name`: a sentence.
     */
    bool (*is)(const struct look *look);
    const char *text;
};

enum { MOST_GUESSES = 256 };

/* In the order in which they are asked; the last is of nothing. */
extern const struct rule rules_of_reach[], rules_of_threads[], rules_of_bins[], rules_of_sums[],
    rules_of_blocks[], rules_of_packed[], rules_of_vectors[], rules_of_places[];

bool say(const struct scene *scene, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A count as an output shows it; count number `bin` of an output; the same of poison. */
uint32_t count_shown(const struct counting *counting, uint64_t count);
uint32_t count_in(const struct counting *counting, const void *output, size_t bin);
uint32_t count_of_poison(const struct counting *counting, unsigned char poison);

/* A tally: the output foretold, while elements are put in or left out one by one. */
struct tally {
    const struct look *look;
    uint32_t counts[MOST_BINS];
    size_t under, over; /* bins that now have less, or more, than the output */
    double sum;
};

struct tally tally_begin(const struct look *look, bool whole); /* the window, or nothing */
void tally_bin(struct tally *tally, size_t bin, int sign);
void tally_element(struct tally *tally, size_t i, int sign);
bool tally_fits(const struct tally *tally);

/* Whether the sum is off by so little, where rounding may be up to `slack`, that most rules
 * foretell it: where elements are missing, nothing is to be learnt of it. */
bool is_near(const struct look *look);

/* What all rules have found in the looks so far. */
struct findings;

struct findings *findings_begin(void);
void findings_add(struct findings *findings, const struct look *look);
/* of_reach: whether the mistake is in which elements are counted, and not in how. */
bool findings_name(const struct findings *findings, enum reading reading, bool in_bounds,
                   bool traced, char *text, size_t text_size, bool *of_reach);
void findings_end(struct findings *findings);

#endif
