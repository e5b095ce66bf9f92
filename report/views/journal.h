/* Which results the journal holds. The rows are the newest of each step, problem, input, device and
 * size. */
#pragma once

#include "lib/rows.h"

struct journal {
    struct rows rows;
    const char *drawn;      /* the folder of charts */
    const char *note;       /* what report/plot said */
    const char *submission; /* this tree's own, or the first one */
    const char **problem;   /* whose ladder was begun, in order */
    size_t problems;
};

void read_journal(struct journal *journal, int count, char **words);

/* Of one problem. The setting is the device, input and size that the journal is about: where most
 * steps have a time (or, where none has one, a result), and of several such the newest. */
struct members {
    const char *setting, *device;
    struct list rows; /* of steps and baselines there, in the ladder's order; of a step only where
                       * it is of the source that was graded last */
    /* The newest row of each step. Where the setting has one of the same source, and the newest
     * says nothing else, that one. No other device's times stand among the setting's. */
    struct list steps;
    struct map newest;    /* the same by name */
    struct map predicted; /* the newest with a predicted time of that source, by name */
};
struct members choose_members(const struct journal *journal, const char *problem);
bool is_here(const struct members *members, const struct row *row);
