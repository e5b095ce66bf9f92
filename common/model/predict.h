/* From a counts file, a GPU file and perhaps a code file to a prediction: how long one call takes
 * on that GPU, and why. */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "counts.h"

/* What can limit a call. PREDICT_LATENCY: none of the others is busy all the time. */
enum predict_unit {
    PREDICT_DRAM,
    PREDICT_L2,
    PREDICT_ISSUE,
    PREDICT_SHARED,
    PREDICT_SHARED_ATOMICS,
    PREDICT_GLOBAL_ATOMICS,
    PREDICT_ONE_ADDRESS,
    PREDICT_BARRIERS,
    PREDICT_LAUNCHES,
    PREDICT_LATENCY,
    PREDICT_UNITS
};

/* dram, l2, issue, shared, shared-atomics, global-atomics, one-address, barriers, launches, latency
 */
const char *predict_unit_name(enum predict_unit unit);

/* One operation of a call: counts.ops[i] has what was counted of it. */
struct predict_op {
    double seconds;
    double shares[PREDICT_UNITS]; /* the time that each unit alone would need, over seconds; there
                                     is none for PREDICT_LATENCY */
    enum predict_unit limit;
    /* of a kernel */
    int registers;     /* of a thread; -1: not known */
    unsigned resident; /* blocks that a multiprocessor holds at the same time */
    double waves;      /* blocks over all that can run at the same time */
    double occupancy;  /* resident threads over the most that a multiprocessor holds */
    bool with_code;    /* its machine code is known */
};

struct predict {
    struct counts counts;
    struct predict_op *ops; /* counts.op_count of them */
    char gpu[64];           /* the name in the GPU file */
    double seconds;         /* of one call, in a row of calls */
    double low, high;       /* 90 % interval */
    double shares[PREDICT_UNITS];
    enum predict_unit limit;
    bool with_code; /* of all kernels; else "source" */
};

/* Read the files, up to their ends, and predict. code may be NULL. names: of the files in messages,
 * in the order counts, gpu, code; NULL: "counts", "GPU file", "code". On success the caller ends
 * with predict_free(). Otherwise error has one line, what was wrong and where, and there is nothing
 * to free. The streams stay open. The counts file may be anything: it is untrusted. */
bool predict(FILE *counts, FILE *gpu, FILE *code, const char *const names[3],
             struct predict *predict, char *error, size_t error_size);
void predict_free(struct predict *predict);

#endif
