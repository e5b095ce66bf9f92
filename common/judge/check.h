/* The trials before the graded one: small, and on the cpu device analysed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "built.h"
#include "options.h"
#include "record.h"
#include "trial.h"

struct check;
struct count_run;

/* What all of a step's checks share. */
struct check_run {
    const struct options *options;
    const struct built *built;
    uint64_t *random;
    struct deadline deadline;
    struct record *record;
    struct trial *next;         /* the trial that follows, to be drawn meanwhile; or NULL */
    struct count_run *counting; /* to be begun meanwhile on the cpu device, where there is `next` */
    /* In whose processes checks of the plain and of the checked build follow each other; or NULL.
     */
    struct trial *plain, *checked;
    const struct check *small; /* the first of all, which other sizes are like */
};

/* Check the step. False when the verdict has fallen.
 *
 * On the cpu device it also tries the sizes that loops could be wrong for, and finds out what the
 * checks have reached of the step's code. Where there is more, other sizes are checked until
 * nothing is left that the graded size reaches; what is left all the same, because that would take
 * too long, the record says. */
bool check(const struct check_run *run);

/* Of a step that is wrong in what comes after the checks: why, from a checked run in which it is
 * wrong, too. The record then has all of that run's verdict. False where there is none. */
bool check_explain(const struct check_run *run);

/* Of a step that is wrong: in how many checks it is right, each made once more by itself, in the
 * plain build; and of how many. The one that gave the verdict counts with them, as wrong. */
void check_share(const struct check_run *run);

/* CPU time after which a call, a set-up or a tear-down on the cpu device counts as endless, at the
 * graded size, where all cores work on a call: a call that takes longer could not be made as often
 * as it has to be within the timeout. */
double check_graded_cpu_s(const struct options *options);

/* It was right with the one shape, and did not end in time with the other. */
void check_tell_slow(struct shape right, struct shape slow, struct record *record);

/* Ends the trial and takes over its verdict; true if it is a pass. The log gets what it printed,
 * below the trial's name. */
bool check_conclude(struct trial *trial, const struct options *options, const char *name,
                    struct record *record);
