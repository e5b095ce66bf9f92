/* A trial: one runner process, one strip, as many samples as are asked for, every output compared.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>

#include "gpu_state.h"
#include "problem.h"
#include "process.h"
#include "verdict.h"

struct trial {
    const struct problem *problem;
    struct strip strip;
    struct shape shape; /* that the step is called with: the window's */
    void *index;        /* of the strip, for the expected outputs */
    uint64_t *random;   /* state of the generator that orders windows and poisons outputs */
    size_t max_calls, slot_bytes;
    double timeout_s; /* for each answer of the runner */

    struct shared shared;
    uint64_t *windows; /* shared: the first row of each call's window */
    char *outputs;     /* shared: max_calls slots */
    struct process process;
    struct verdict verdict; /* pass, until something else is found */
    double error;           /* the largest of all outputs; below 0 where outputs are exact */
    bool rechecked;
};

struct sample {
    size_t calls;
    bool synced, whole;      /* see protocol.h */
    double event_s, audit_s; /* by the device's events, and by the judge's clock */
    struct gpu_state gpu;    /* as soon as the calls had ended */
};

/* What a trial runs on: either an input with a seed, or one window's elements for every region. */
struct source {
    const struct input *input;
    uint64_t seed;
    const void *elements; /* not NULL: from a file */
};

/* Takes over the strip's layout, makes its memory, fills it, and indexes it for the expected
 * outputs. */
void trial_prepare(struct trial *trial, const struct problem *problem, struct strip layout,
                   const struct source *source);

/* The larger of the worst error so far and that of this output; not a number is the largest. Exact
 * problems have no error: then it stays what it was. */
double trial_worst_error(const struct problem *problem, double worst, const void *expected,
                         const void *got);

/* Start the runner and have it set the step up. False when the verdict has fallen. */
bool trial_start(struct trial *trial, const char *runner);

/* Make sample->calls calls and compare every output. False when the verdict has fallen. */
bool trial_sample(struct trial *trial, struct sample *sample);

/* Tear the step down if it passed so far, end the runner, free everything but what it printed
 * (trial->process.printed, which the caller frees). */
void trial_end(struct trial *trial);

#endif
