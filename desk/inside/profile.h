/* What each counter of a kernel means. A reader fills in what it knows of one launch, and calls
 * explain(): ncu.c from what Nsight Compute printed, counted.c from what the emulator counted. What
 * a reader does not know is NAN, and left out. */
#pragma once

#include <stddef.h>

struct stall {
    const char *reason; /* as Nsight Compute calls it: long_scoreboard */
    double share;
};

struct figures {
    const char *kernel, *grid, *block; /* "(264, 1, 1)" */
    double registers, static_shared, dynamic_shared, waves;
    double time_ns, dram_percent, dram_bytes, l2_hit_percent;
    double active_percent, possible_percent; /* warps of those that a multiprocessor can hold */
    double load_requests, load_sectors, store_requests, store_sectors; /* of global memory */
    double red_requests, red_sectors, atom_requests, atom_sectors;
    double wavefronts, conflicts, shared_atomics, shared_atomic_wavefronts, shared_swaps;
    double local_loads, local_stores;
    /* Only a counted run knows these: each byte of global memory once, however often it is read. */
    double read_bytes, written_bytes, barriers_a_warp;
    const char *predicted; /* a time, in words */
    struct stall *stall;
    size_t stalls;
};

void explain(const struct figures *figures);

/* The page is 80 columns wide: the text behind `first`, and on lines below it, behind an indent. */
void print_wrapped(const char *first, const char *text, size_t indent);
void print_fact(const char *title, const char *value, const char *meaning);
