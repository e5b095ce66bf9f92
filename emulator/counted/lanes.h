/* From the accesses of threads to the requests of warps.
 *
 * On a GPU the lanes of a warp do the same thing at the same time; here they run one after the
 * other. Lanes belong to one request if they are at the same place of the program's run: the same
 * access in the source, called by the same calls, in the same turns of the same loops. Each warp
 * has a list of what its lanes have done, in the program's order. The first lane that comes makes
 * it. Every other lane follows the list with a cursor, and finds its own accesses ahead of the
 * cursor. What it does not find it inserts behind the cursor, because lanes that diverge are served
 * one after the other. What all lanes have passed is complete: it is counted and leaves the list.
 *
 * At each turn of an outermost loop, threads wait for each other, so that lists stay short
 * and all warps of a block advance alike, as they do on a GPU. */
#pragma once

#include "counts.h"

enum mode {
    IDLE,      /* nothing is counted */
    FOOTPRINT, /* only which memory is used */
    COUNTING,
};

/* Of the block that runs on this OS thread. */
extern __thread enum mode lanes_mode;

/* Of the running thread's next atomic: enum emulator_atomic. */
extern __thread unsigned lanes_atomic;

/* Begin a block of so many threads in this mode. `done` gets what its warps did, in their order. */
void lanes_begin_block(enum mode mode, unsigned threads,
                       void (*done)(unsigned warp, const struct request *request));

/* An access of the running thread to `size` bytes: 1, 2, 4, 8 or 16. */
void lanes_access(uintptr_t address, unsigned size, enum kind kind, const void *return_address);

/* The running thread is about to update this address atomically. If it is in global memory, and
 * what the thread has loaded last, others do as much first: on a GPU, too, they look before it
 * adds. So do they before an update that decides what it finds (a minimum, a swap) and is tried
 * in a loop: threads that unite lists all search them before one is longer. Where the thread has
 * come to this address in a loop of its own, and would search again, more blocks are under way
 * and take turns: on a GPU all of them make the lists longer that each has to search. */
void lanes_before_atomic(uintptr_t address, bool decides, const void *return_address);

/* It does what has no address of memory; `with` takes its place. */
void lanes_do(enum kind kind, uint64_t with, const void *return_address);

/* The running thread finds `seen` at this address, and swaps it for `value`. Whether it asks once
 * more, in a loop, for a lock in global memory that another thread had: it finds the same as
 * before, or gets it although that has changed. (Who swaps what he found gets it only if that has
 * not changed.) How often it asks depends on the order in which threads run. */
bool lanes_ask_again(uintptr_t address, uint64_t seen, uint64_t value);

void lanes_enter(const void *caller);
void lanes_leave(void);
