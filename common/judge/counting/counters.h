/* What a record keeps of a counts file, and of the time that the model (common/model) predicts from
 * it. These are plain bytes of fixed size, because a separate process writes them: nobody trusts
 * the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/fields.h"

/* Only so many are kept: the first launches in stream order, and the costliest accesses. */
enum { MOST_LAUNCHES = 64, MOST_ACCESSES = 40, MOST_SHARES = 16 };

/* What a record points to are texts beside it: pointers say nothing to another process, and are set
 * where the bytes have come. */
struct counters {
    bool there;      /* else only the error is */
    char error[256]; /* one line */
    char gpu[64];    /* h200 */
    struct counted_fields counted;
    double read_bytes; /* of global memory, by all kernels: each 32-byte sector once a kernel */
    size_t launches, accesses, shares; /* how many there are below */
    struct launches_fields launch[MOST_LAUNCHES];
    struct accesses_fields access[MOST_ACCESSES];
    struct launch_texts {
        char kernel[256], grid[48], block[48];
    } of_launch[MOST_LAUNCHES];
    struct access_texts {
        char kernel[256], kind[16], space[16];
        char source[121]; /* the line itself, once counters_find_sources has been called */
    } of_access[MOST_ACCESSES];

    /* Of one call. The interval is one of 90 %. */
    double predicted_s, low_s, high_s;
    char limit[24]; /* the unit that limits it */
    struct record_share share[MOST_SHARES];
    char unit[MOST_SHARES][24];
    bool with_code; /* the machine code was there */
};

/* The texts of a counts file, a GPU file, and a code file: NULL where there is none. */
struct counters_texts {
    const char *counts, *gpu, *code;
    const char *gpu_name; /* h200: what the GPU file is called */
};

/* What the counts file says, and what the model predicts from it. A separate process reads the
 * files, within a time limit. If it fails, `error` says why. The caller frees the result. */
struct counters *counters_of(const struct counters_texts *texts);

/* Look up the lines of source in the file that the program was built from. */
void counters_find_sources(struct counters *counters, const char *program);

/* Sets the fields of a record that say what was counted and what time is predicted: they point into
 * the counters. None where nothing was counted. iterations: the calls that the predicted seconds
 * stand for. */
void record_counters(const struct counters *counters, size_t iterations,
                     struct record_fields *fields);
