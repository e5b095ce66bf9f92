/* The one way in which the checked and the counted build watch a run: what the scheduler and the
 * runtime do calls these functions. They are weak, and no part of a plain program. Of one name each
 * of the two builds has its own. */
#pragma once

#include "../findings/emulator.h"
#include "../include/emulated.h"

/* ---- for both builds, and for the analysis of the checked one ------------------------------ */

/* EMULATOR_WATCH calls one if it exists. All but the last group are called on the OS thread of the
 * block that they are about; lanes are bits, threads are numbers in the block, and a site is the
 * return address of a call in the step's code. */
#define EMULATOR_WATCHES __attribute__((weak))

/* In both builds: */
EMULATOR_WATCHES void watch_begin_launch(const struct emulator_launch *launch);
EMULATOR_WATCHES void watch_end_launch(void);
EMULATOR_WATCHES void watch_begin_block(uint64_t number, unsigned threads);
/* This OS thread has no more blocks of the launch: the host finds nothing in their shared memory.
 * Returns how many bytes of its stack a thread has used at the most. */
EMULATOR_WATCHES size_t watch_end_blocks(void);
EMULATOR_WATCHES void watch_arrive(unsigned line, const void *site); /* at __syncthreads */
EMULATOR_WATCHES void watch_fence(int device_wide, const void *site);
EMULATOR_WATCHES void watch_stream(cudaStream_t stream, int blocking);
EMULATOR_WATCHES void watch_event(cudaEvent_t event, cudaStream_t stream);
EMULATOR_WATCHES void watch_wait(cudaStream_t stream, cudaEvent_t event);
EMULATOR_WATCHES void watch_begin_call(const void *input, size_t input_bytes, void *output,
                                       size_t output_bytes);
EMULATOR_WATCHES void watch_end_call(void);
/* In the checked build alone: */
EMULATOR_WATCHES void watch_pause(void);   /* the thread is about to wait or to end */
EMULATOR_WATCHES void watch_barrier(void); /* it opens */
EMULATOR_WATCHES void watch_warp_barrier(unsigned warp, unsigned lanes);
EMULATOR_WATCHES void watch_returns(void);
EMULATOR_WATCHES void watch_grid_sync(void);
EMULATOR_WATCHES void watch_dependency_wait(void);
/* A mask that does not fit; `other`, if it has a site, is named by it, and elsewhere. */
EMULATOR_WATCHES void watch_mask(unsigned thread, const void *site, unsigned other,
                                 const void *other_site, unsigned mask, const char *what);
EMULATOR_WATCHES void watch_deadlock(unsigned thread, const void *site, unsigned other,
                                     const void *other_site);

enum emulator_memory {
    EMULATOR_DEVICE_MEMORY,
    EMULATOR_MANAGED_MEMORY,
    EMULATOR_PINNED_MEMORY,
    EMULATOR_REGISTERED_MEMORY, /* the program's own */
    EMULATOR_HEAP_MEMORY,       /* of malloc or new in a kernel */
};
/* size: 0 where nothing was asked for. */
EMULATOR_WATCHES void watch_allocated(const void *begin, size_t size, enum emulator_memory kind);
EMULATOR_WATCHES void watch_not_allocated(void); /* there is not so much memory */
EMULATOR_WATCHES void watch_freed(const void *begin);
EMULATOR_WATCHES void watch_unregistered(const void *begin);
/* Whether the program may register this: not what is the harness's. */
EMULATOR_WATCHES int watch_may_register(const void *begin, size_t size);
/* from: NULL for a memset. waits: the host goes on only when it is done. */
EMULATOR_WATCHES void watch_copy(void *to, const void *from, size_t size, cudaStream_t stream,
                                 int waits);
/* A texture is read in memory, at `site` in the program. */
EMULATOR_WATCHES void watch_texel(const void *address, size_t size, const void *site);
/* A further row of the copy before it. */
EMULATOR_WATCHES void watch_row(void *to, const void *from, size_t size);
EMULATOR_WATCHES void watch_library(cudaStream_t stream, const struct emulator_use *uses,
                                    unsigned count, int waits);
/* A library was given what is no memory of the device. */
EMULATOR_WATCHES void watch_library_astray(const struct emulator_use *use, const char *function);
/* The host waits for an event, a stream, or (both NULL) for everything. */
EMULATOR_WATCHES void watch_host_waits(cudaStream_t stream, cudaEvent_t event);
/* A function of the host runs in the order of a stream: it knows what that has done so far. */
EMULATOR_WATCHES void watch_begin_host_function(cudaStream_t stream);
EMULATOR_WATCHES void watch_end_host_function(void);
/* The host touched memory of the device at this address (NULL: only that is known): name it. */
EMULATOR_WATCHES void watch_touched(struct hazard *hazard, const void *address);
EMULATOR_WATCHES void watch_begin_step(void);
EMULATOR_WATCHES void watch_end_step(void);

/* ---- for the runtime (host_access.c) ------------------------------------------------------ */

/* This OS thread, of the emulator's own, begins to run kernels, or has ended. */
EMULATOR_WATCHES void emulator_kernel_thread(int runs);
/* One is about to be started, by the only thread that does so; or has been. */
EMULATOR_WATCHES void emulator_starts_worker(int about_to);

/* ---- for racy.c ------------------------------------------------------------------------- */

/* Called when a block starts, and whenever a thread continues after another one ran. Where they
 * exist, the blocks of a grid take turns: only one worker runs at any time, so that every run with
 * the same seed is the same. They are no pointers, which a step could change. */
EMULATOR_WATCHES void racy_begin_block(uint64_t number);
EMULATOR_WATCHES void racy_resume(void);

/* ---- what the counted build adds (counted/) --------------------------------------------- */

/* A thread begins, or continues after another one ran: emulator_thread is its number. */
EMULATOR_WATCHES void counted_resume(void);
EMULATOR_WATCHES void counted_end_block(void);
EMULATOR_WATCHES void counted_end_thread(void);
/* It comes to a block barrier, a warp operation (which meets the lanes of the mask), … */
EMULATOR_WATCHES void counted_grid_barrier(const void *site);
EMULATOR_WATCHES void counted_warp_operation(enum emulator_warp_operation operation, unsigned mask,
                                             uint64_t value, const void *site);
EMULATOR_WATCHES void counted_dependency(int waits,
                                         const void *site); /* or lets the next launch begin */
/* On the host, in stream order. from: NULL for a memset. */
EMULATOR_WATCHES void counted_copy(const void *from, size_t size, cudaStream_t stream);
EMULATOR_WATCHES void counted_allocated(const void *begin, size_t size);
EMULATOR_WATCHES void counted_freed(const void *begin);
