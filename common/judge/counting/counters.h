/* What a record keeps of a counts file, and of the time that the model (common/model) predicts from
 * it. These are plain bytes of fixed size, because a separate process sends them: nobody trusts the
 * file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Only so many are kept: the first launches in stream order, and the costliest accesses. */
enum { MOST_LAUNCHES = 64, MOST_ACCESSES = 40, MOST_SHARES = 16 };

struct counters_launch {
    uint64_t op; /* its place among the call's kernels, copies and memsets, from 0 */
    char kernel[256];
    uint64_t line;
    uint32_t grid[3], block[3];
    uint64_t registers; /* 0: unknown */
    uint64_t shared_bytes, counted_blocks, barriers, read_bytes, written_bytes, hot_adds;
    double waves, occupancy;
    bool overlaps; /* it may begin before the kernel before it has ended */
};

struct counters_access {
    uint64_t op;
    char kernel[256];
    uint64_t line;
    char source[121]; /* the line itself, once counters_find_sources has been called */
    char kind[16], space[16];
    uint64_t bytes, requests, lanes, sectors, lines, wavefronts, conflicts, same, most;
};

struct counters_share {
    char unit[24];
    double share;
};

struct counters {
    bool there;      /* else only the error is */
    char error[256]; /* one line */
    char gpu[64];    /* h200 */
    uint64_t rows, columns;
    double read_bytes; /* of global memory, by all kernels: each 32-byte sector once a kernel */
    uint64_t launches, accesses, shares; /* how many there are below */
    struct counters_launch launch[MOST_LAUNCHES];
    struct counters_access access[MOST_ACCESSES];

    /* Of one call. The interval is one of 90 %. */
    double predicted_s, low_s, high_s;
    char limit[24]; /* the unit that limits it */
    struct counters_share share[MOST_SHARES];
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
