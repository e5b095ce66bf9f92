/* After the verdict: what a GPU would count in one call of the step, and how long the call would
 * take there, as the model (common/model) predicts it. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "judge/built.h"
#include "model/gpu.h"
#include "judge/options.h"
#include "judge/record.h"
#include "judge/trial.h"

/* The GPU that is emulated. */
struct counted_gpu {
    char *text;    /* of its file; NULL: nothing is to be counted */
    char name[64]; /* of common/gpus/NAME.gpu */
    struct gpu gpu;
};

/* Read the GPU file that the options name, if they name one. If it is not a GPU file, this is wrong
 * usage and ends the judge. */
struct counted_gpu counted_gpu(const struct options *options);

/* One more trial, with the counted build on that GPU, which the graded trial had too: two calls
 * (one if the input is large), of which the last is counted, so that caches and the step's own
 * memory are as they are between many calls. */
struct count_run {
    const struct counted_gpu *gpu;
    const struct options *options;
    const struct problem *graded;
    const struct built *built;
    bool begun;     /* the trial, on the thread `thread` */
    bool stands_in; /* for calls that the graded trial has left to it */
    pthread_t thread;
    uint64_t random;
    struct trial trial;
};

/* Begin the trial beside what else is run, where there is a counted build and a GPU to count for.
 * What `counting` points to has to live until count_step. */
void count_ahead(struct count_run *counting);

/* Whether it is under way and makes at least so many calls of the graded size, each on a window
 * that no other trial has had, with changes between them, and every output compared: then the
 * graded trial need not. Whatever keeps it from being right, the plain build makes its calls. */
bool count_stands_in(struct count_run *counting, size_t calls);

/* Begin it if that was not done, and wait for it; or end it, since only a step that is right, or
 * wrong as it is meant to be, is counted.
 *
 * Where anything but the time makes this trial fail, or anything where it stood in for calls, the
 * plain build makes its calls, and has the verdict if it fails, too. Else a pass becomes
 * VERDICT_FLAGGED, as it does if its kernels read less than the input: what is counted is not what
 * was judged. Anything else that keeps a step from being counted becomes a note of the record. */
void count_step(struct count_run *counting, struct record *record);
