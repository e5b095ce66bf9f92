/* The memory of one multiprocessor while it runs its share of a kernel: L1, shared memory's data
 * path, and this multiprocessor's shares of the L2, DRAM and atomic units. Times in ns.
 * README.md, "Memory", has the rules and where they come from. */
#ifndef MODEL_SM_MEMORY_H
#define MODEL_SM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts.h"
#include "gpu.h"
#include "order.h"

/* What a kernel's data is to the caches. */
struct memory_setting {
    double active;                   /* multiprocessors that work at the same time */
    double l1_bytes;                 /* what shared memory leaves of it */
    uint64_t input_first, input_end; /* the call's input, as lines: not in the L2 before the call */
    const float *again; /* of each piece of memory: how many traced blocks touch a line; or NULL */
    uint64_t first_line, piece_lines; /* where the first piece begins, and how long they are */
    size_t pieces;
    double shared_hits;   /* share of the rest that the L2 has when it is read, but for gathers */
    double input_hits;    /* share of the input that the L2 holds already, from an earlier kernel */
    double other_hits;    /* share of everything else that the L2 holds */
    double read, written; /* bytes of memory that the kernel reads, and writes */
    double local;         /* bytes of local memory of the threads that run together */
    double local_store;   /* bytes that the L2 gives in the time of a store to it */
    double gather_room;   /* bytes of the L2 that it takes to keep what is read anywhere */
    double room;          /* that they take in the L2, in whole lines */
    double written_stays; /* share of them that the L2 keeps: it costs no DRAM traffic */
    double atomic_gops;   /* sectors of atomics that the L2 takes each ns */
    double
        atomic_l2_ns; /* that all of the L2 needs for one, but for those to the hottest stretch */
    double dram_gbps; /* of all multiprocessors, for this mix of reads and writes */
};

/* Time that each unit was busy, and bytes that it moved, for this multiprocessor. */
struct memory_use {
    double lsu_ns, shuffle_ns, shared_atomics_ns, global_atomics_ns;
    double l2_bytes; /* what its reads and stores take as so many that are read */
    double dram_bytes;
    double gathered_bytes; /* of DRAM's, by requests to lines that lie anywhere */
    double again_bytes;    /* of DRAM's, what the L2 has lost since this kernel read it */
};

struct memory;

/* NULL: no memory. The caller ends with sm_memory_free(). */
struct memory *sm_memory_new(const struct gpu *gpu, const struct memory_setting *setting);
void sm_memory_free(struct memory *memory);

/* Of a warp: the places in DRAM that its loads ask for since it last waited, of which the slowest
 * is waited for; its last store, and the bytes of those sectors that it and those before have
 * written. */
struct memory_warp {
    unsigned cold;
    uint64_t loaded; /* the line of its last load */
    const struct counts_item *stored;
    double filled;
};

/* A request at `now`; copy: which repetition of the traced block makes it (its part of the input is
 * another one). When its result is there; for a store or an add without a result, when the warp
 * may go on. weight: how many such requests it stands for, in the account of use. */
double sm_memory_request(struct memory *memory, double now, const struct counts *counts,
                         const struct counts_site *site, const struct counts_item *item,
                         unsigned copy, const struct order_step *step, struct memory_warp *warp,
                         double weight);

/* So many accesses to local memory by a warp, the stores among them. When the warp may go on. */
double sm_memory_local(struct memory *memory, double now, double all, double stores, double weight);

/* So many shuffles, which take the path of shared memory. When they are through. */
double sm_memory_shuffle(struct memory *memory, double now, double count, double weight);

/* How long a load of local memory takes. */
double sm_memory_local_ns(const struct memory *memory);

/* A fence: what the L1 holds is no longer valid. */
void sm_memory_fence(struct memory *memory);

/* When all stores and atomics so far are done. */
double sm_memory_drained(const struct memory *memory);

const struct memory_use *sm_memory_used(const struct memory *memory);

#endif
