/* One multiprocessor that runs its blocks of a kernel, event by event. README.md, "Simulation". */
#ifndef MODEL_SIMULATE_H
#define MODEL_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts.h"
#include "gpu.h"
#include "sm_memory.h"
#include "order.h"

/* The warps of one traced block. */
struct simulate_block {
    const struct order *orders;
    size_t warps;
};

/* One kernel, as this multiprocessor runs it. */
struct simulate_kernel {
    const struct counts *counts;
    const struct counts_op *op;
    struct memory_setting memory;
    const struct simulate_block *blocks; /* traced ones that stand for all; at least one */
    size_t block_count;
    const struct simulate_block *last; /* the block that ends last, or NULL if it is like all */
    uint64_t run;                      /* blocks that this multiprocessor runs */
    unsigned resident;                 /* that it can hold at the same time */
    double share;   /* of what the blocks do: 1, or less where one was traced that
                       did the work of many */
    unsigned calls; /* 1; more: so many launches of it, each of which may
                       start while the one before runs */
    double at_once; /* 1; more: so many launches have multiprocessors of their own, since a grid
                       needs fewer than there are; this one runs a block of every such launch */
};

/* What is assumed about instructions that are no requests. */
struct simulate_assumptions {
    double apart; /* how much further apart a warp's instructions are than said */
};

/* Cycles from one instruction of a warp to its next one, where the machine code does not tell:
 * about half of them need the result of the one before, the others follow at once. */
double simulate_apart(const struct gpu *gpu, const struct simulate_assumptions *assumptions);

struct simulate_result {
    double ns; /* from the first block's start to the end of the last one; with several calls: of
                  one, in the steady state */
    struct memory_use use; /* of this multiprocessor and one call */
    double issue_ns;       /* that its schedulers, or the busiest of their units, need */
    double barriers_ns;    /* that a block waits at barriers after its last warp has come, summed
                              over blocks and divided by those that run at the same time */
};

/* False: no memory, or the traces are too long to simulate (more than SIMULATE_STEPS). */
enum { SIMULATE_STEPS = 50000000 };
bool simulate(const struct gpu *gpu, const struct simulate_kernel *kernel,
              const struct simulate_assumptions *assumptions, struct simulate_result *result);

#endif
