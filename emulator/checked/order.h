/* Happens-before: which uses of memory are ordered, by the rules of CUDA's memory model.
 *
 * - Within a thread, by the program. Within a block, by __syncthreads: `epoch` counts a block's
 *   barriers. Within a warp, by __syncwarp (shuffles and votes order no memory): each lane knows up
 *   to which clock it has seen each other lane. A thread's clock counts its fences and warp
 * barriers.
 * - Between blocks (or threads) by release and acquire. A thread that has fenced and then writes a
 *   word atomically or volatile releases what the fence covers: all that it knew then. A thread
 * that reads the word so, and then fences, acquires it. A barrier joins what its threads have
 * fenced and acquired. Reads that bypass the L1 cache need no fence after the word was read.
 * - Between operations of the host by streams, events and waits; a kernel that may overlap the one
 *   before it (programmatic dependent launch) is ordered after it from its wait on.
 *   All else is at the same time. */
#pragma once

#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"
#include "memory.h"

/* ---- operations that the host starts ---- */

/* The operation that is under way, and the dimensions of a launch. */
struct operation {
    uint32_t number;        /* counts from 1 */
    uint32_t ordered_below; /* all operations with a lower number are ordered before this one */
    dim3 grid, block;
};
extern struct operation order_now;

/* An operation on a stream begins (overlaps: it may start before the kernel before it ends). */
void order_begin_operation(cudaStream_t stream, const struct emulator_launch *launch);
/* Is the access of an earlier operation ordered before the one that is under way? waited: it has
 * called cudaGridDependencySynchronize, if it may overlap any. */
bool order_operation_before(const struct access *access, bool waited);
/* May an earlier launch of the same stream still run, for those that have not waited for it? */
bool order_may_overlap(uint32_t number);
/* Were these operations, if both are not long ago, on different streams? */
bool order_streams_differ(uint32_t number, uint32_t other);

/* A call of the step begins: what the harness has given the default stream before comes first. */
void order_begin_call(void);
bool order_in_earlier_call(uint32_t number);
/* Where the operation's stream was made, if the operation does not wait for that; else 0. */
uint32_t order_too_early(void);
/* Where a stream was made that has a kernel for which neither the default stream nor the host
 * waits; 0: there is none. */
uint32_t order_unjoined(void);
bool order_host_knows(uint32_t number); /* that the operation is over */

/* Dimensions of a launch that is not long ago, for messages. */
const struct operation *order_operation(uint32_t number);

/* ---- threads of the block that runs on this OS thread ---- */

void order_begin_block(uint32_t number, unsigned threads);
void order_end_launch(void);
void order_barrier(void); /* all threads of the block have met */
void order_warp_barrier(unsigned warp, unsigned lanes);
void order_fence(unsigned thread, bool device_wide);
void order_dependency_wait(unsigned thread);

/* What an access made now looks like: all of `access` but pc and flags. */
void order_stamp(struct access *access, unsigned thread);

/* Does the access happen before what the thread does now? `strong`: a read past the L1 cache. */
bool order_before(const struct access *access, unsigned thread, bool strong);

/* A strong write (replaces: a store, and no read-modify-write) or a strong read of a word. */
void order_release(struct cell *cell, uintptr_t address, unsigned thread, bool replaces);
void order_acquire(struct cell *cell, uintptr_t address, unsigned thread);

/* Would it be ordered if there were fences everywhere? What is used there announces nothing. */
bool order_signalled(const struct access *access, uintptr_t used);

/* By what else than an atomic: the address of a flag that several blocks store to, or 0. */
uintptr_t order_shared_flag(const struct access *access, uintptr_t used);

/* Has the thread fenced in this launch? */
bool order_has_fenced(unsigned thread);

/* Whether a thread has heard a signal of the other's block that came after what it did; early: no
 * barrier lies between the two; or only another lane of its warp has. */
enum heard_of { SIGNAL_NONE, SIGNAL_EARLY, SIGNAL_HEARD, SIGNAL_OF_LANE };

enum heard_of order_signal(const struct access *other, unsigned thread);
