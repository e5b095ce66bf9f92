/* A trial: runner processes one after another, a strip for each, as many samples as are asked for,
 * every output compared. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "timing/gpu_state.h"
#include "findings/hazards.h"
#include "problem.h"
#include "process.h"
#include "findings/reach.h"
#include "verdict.h"

/* The elements of the strip that change in a sample, and what they were before. */
struct patches {
    size_t count;
    struct patch patch[MOST_PATCHES];
    unsigned char before[MOST_PATCHES][sizeof(((struct patch *)0)->value)];
};

/* What a strip is filled with: either an input, or one window's elements for every region. */
struct source {
    const struct input *input;
    uint64_t seed;        /* of the strip; each later one of a trial has a seed drawn from it */
    const void *elements; /* not NULL: from a file */
};

/* Bytes of the shared memory. */
struct room {
    size_t strip, calls, outputs;
};

/* When everything that a step does has to be over. */
struct deadline {
    double limit_s; /* how long that is from its start; 0: for ever */
    double end_s;   /* on locks_clock() */
};

/* How far a runner is. Until STAGE_SETUP no function of the step has been called. */
enum stage { STAGE_HARNESS, STAGE_SETUP, STAGE_CALLS, STAGE_TEARDOWN };

struct trial {
    const struct problem *problem;
    struct source source;
    struct strip strip;
    struct shape shape; /* that the step is called with: the window's */
    void *index;        /* of the strip, for the expected outputs */
    uint64_t *random;   /* state of the generator that orders windows and poisons outputs */
    size_t max_calls;
    size_t output_bytes; /* of one call */
    size_t slot_bytes;   /* at the least; trial_prepare rounds it up to what outputs need */
    double timeout_s;    /* for each answer of the runner */
    double where_s;  /* CPU time of a set-up, all calls of a sample, or a tear-down after which its
                        runner has reported twice where it is, if it can; 0: never */
    bool where_ends; /* and that ends the trial; */
    bool patient;    /* what goes on has twice as long: it is the verdict */
    unsigned wheres; /* reports that came since the last answer */
    struct deadline deadline; /* for all that the step does; its limit_s is 0 where there is none */
    bool timed;               /* the times of its samples are wanted, and not the outputs alone */
    bool exclusive;           /* its device takes one process at a time */
    const char *gpu; /* text of a GPU file: its runners emulate that GPU, and can count; or NULL */

    struct shared shared;
    struct room room;  /* at the least; trial_prepare adds what the job needs */
    uint64_t *windows; /* the first row of each call's window */
    uint64_t *told;    /* shared: the same, once the runner may know it */
    char *outputs;     /* shared: max_calls slots */
    char *counts;      /* shared: COUNTS_FD_BYTES, if there is a GPU file, or for reads */
    char *counted;     /* private: the counts file of the last call counted; the caller frees it */
    struct patches patches;
    const char *runner; /* the program that processes run */
    struct process process;
    bool checked;        /* the program reports hazards */
    struct reach *reach; /* or NULL: what its checked program reaches is added */
    bool only_reach;     /* and that is all that it is run for, at the graded size */
    bool only_launch;    /* no kernel runs: only whether launches start is asked */
    uint64_t check_only; /* launches of a call that its checked program analyses; 0: all */
    bool in_order;       /* its checked program runs threads as the plain one does */
    bool running;        /* the process */
    bool drawing;        /* the strip, on the thread `drawer` */
    pthread_t drawer;
    enum stage stage;       /* of the process */
    struct verdict verdict; /* pass, until something else is found */
    char diagnosis[1024];   /* why, where hazards or the pattern of wrong outputs tell */
    struct hazards hazards; /* that its runners told of; their places are known at the end */
    struct crash crash;     /* that its last runner told of, if any */
    struct where where;     /* and where it was last, while an answer was waited for */
    size_t samples_made;
    uint64_t calls_made, loaded_bytes; /* in all: calls of the step, and bytes of its strips */
    uint64_t meetings;                 /* of threads at barriers and in warps, in the last call */
    double idle_since_s;               /* on clock_seconds(): when the last sample had ended */
    double error; /* the largest of all outputs; below 0 where outputs are exact */
    bool rechecked;
};

struct sample {
    size_t calls;
    size_t copied;             /* outputs that are copied: calls, unless that is 0 */
    bool synced, whole;        /* see protocol.h */
    bool again;                /* the same calls as before */
    size_t count;              /* the call to count, from 1 on; 0: none */
    bool part;                 /* of a longer one: fewer changes between calls are enough */
    size_t idle_calls;         /* in which no kernel was launched */
    struct launch_size widest; /* of the runner's launches; it may say anything */
    uint64_t of_blocks;        /* and those of more than one block: bit n is number n of a call */
    size_t host_calls;         /* of which more came to the host than of kernels' work */
    double event_s;            /* by the device's events: finite, and not negative */
    double done_s;        /* by the judge's clock: until the runner said that all calls are done */
    double audit_s;       /* and until the judge had taken the outputs: work put off counts */
    struct gpu_state gpu; /* as soon as the calls had ended */
};

/* Bytes that an output of so many takes among those of other calls. */
size_t trial_slot_bytes(size_t output_bytes);

/* Takes over the strip's layout and what fills it, and makes its memory: what it does not set, and
 * the caller has not, is 0. source->elements have to live as long as the trial. */
void trial_prepare(struct trial *trial, const struct problem *problem, struct strip layout,
                   const struct source *source);

/* The larger of the worst error so far and that of this output; not a number is the largest. Exact
 * problems have no error: then it stays what it was. */
double trial_worst_error(const struct trial *trial, double worst, const void *expected,
                         const void *got);

/* The same for a trial whose step is torn down: its process gets another job, with max_calls that
 * the caller has set. False where its memory has no room for that, and when the verdict has fallen.
 */
bool trial_renew(struct trial *trial, struct strip layout, const struct source *source);

/* Give the trial its verdict, with a detail in printf's form. Returns false. */
bool trial_settle(struct trial *trial, enum verdict_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fill the strip, and index it for the expected outputs. Touches nothing of the process. */
void trial_draw(struct trial *trial);

/* Begin to, on a thread of its own, which trial_start and trial_end wait for. */
void trial_draw_ahead(struct trial *trial);

/* Start the runner, whose name has to live as long as the trial, and which finds its device from
 * then on. No function of the step has been called. */
void trial_begin(struct trial *trial, const char *runner);

/* Begin and draw what has not been begun and drawn, and have the step set up. False when the
 * verdict has fallen. */
bool trial_start(struct trial *trial, const char *runner);

/* Make sample->calls calls, at most max_calls, and compare every output. Where the input allows it,
 * elements of the strip change before the first call and between calls. False when the verdict has
 * fallen. */
bool trial_sample(struct trial *trial, struct sample *sample);

/* Between samples: have the step torn down; then set up again, with its memory elsewhere. False
 * when the verdict has fallen. */
bool trial_tear_down(struct trial *trial);
bool trial_set_up_again(struct trial *trial);

/* End the runner as trial_end does, and start another on a strip that is filled anew. False when
 * the verdict has fallen. */
bool trial_restart(struct trial *trial);

/* Tear the step down if it passed so far, end the runner, find the places of its hazards, which may
 * change the verdict, and free everything but what it printed (trial->process.printed, which the
 * caller frees) and what was counted. */
void trial_end(struct trial *trial);
