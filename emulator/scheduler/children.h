/* Dynamic parallelism: work that kernels start. It runs when the grid that started it has ended,
 * in the order in which it was started: CUDA lets it begin any time from then on, because no kernel
 * can wait for its children. A child's own children run before the next child does. */
#pragma once

#include "../include/emulated.h"

/* Where a kernel, a copy or a set was started by a thread of a kernel. */
struct emulator_origin {
    cudaStream_t stream; /* as the thread named it */
    uint32_t block;
    unsigned thread;
    /* order.c: the operation, and what of it is over for the thread */
    uint32_t operation, epoch, clock, lanes[EMULATOR_WARP];
    int knows_all;
};

/* What the threads of a running grid have started. */
struct emulator_family {
    struct child *first, **end, *tail_first, **tail_end;
    unsigned depth; /* the host's grids have 0 */
};

void emulator_family_begin(struct emulator_family *family, const struct emulator_launch *launch);

/* The grid has ended: run what it has started, by `run`. If it failed, forget it. */
cudaError_t emulator_family_end(struct emulator_family *family, cudaError_t status,
                                cudaError_t (*run)(const struct emulator_launch *launch));

/* Called by a thread of a kernel. */
cudaError_t emulator_start_child(const struct emulator_launch *launch);
/* from: NULL for a memset to `value`. */
cudaError_t emulator_start_copy(void *to, const void *from, int value, size_t size,
                                cudaStream_t stream);
