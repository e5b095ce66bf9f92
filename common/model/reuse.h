/* What the L2 still holds of what an operation reads, and how much of what it writes stays there
 * until it is written again: from the operations between, in a row of calls. */
#ifndef MODEL_REUSE_H
#define MODEL_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts.h"
#include "gpu.h"

/* Memory in pieces: how much of each an operation reads and writes, 0 to 1; how many of its blocks
 * touch the same line of it; when it touches a line for the first and the last time: 0, as it
 * begins, to 1. */
struct reuse_op {
    float *read, *written, *again, *first, *last;
    double bytes; /* that go through the L2: what it reads or writes, once */
};

struct reuse {
    const struct counts *counts;
    struct reuse_op *ops;
    uint64_t first_line;             /* where piece 0 begins */
    uint64_t piece_lines;            /* in each */
    size_t pieces;                   /* 0: nothing was traced */
    uint64_t input_first, input_end; /* lines of the call's input */
    double touched;                  /* bytes of the stretch of it that the first kernel reads */
};

/* Shares of what an operation reads of the input, and of other memory, that are in the L2 when it
 * begins; of what it writes, that is written again before it has to go to DRAM. */
struct reuse_shares {
    double input_hits, other_hits, written_stays;
    double input_bytes, other_bytes; /* that it reads, each once */
};

/* False: no memory. The caller ends with reuse_free() in any case. */
bool reuse_begin(const struct counts *counts, struct reuse *reuse);
void reuse_free(struct reuse *reuse);

struct reuse_shares reuse_of(const struct reuse *reuse, const struct gpu *gpu, size_t index);

/* Bytes of the pieces in which the operation writes. */
double reuse_writes(const struct reuse *reuse, size_t index);

/* Whether the operation's traced loads touch the call's input. */
bool reuse_reads_input(const struct reuse *reuse, size_t index);

/* Share of data that the L2 still has when so many bytes went through it since. */
double reuse_still_there(const struct gpu *gpu, double bytes);

#endif
