/* The counted build: what a GPU would count of one call of a step.
 *
 * A step compiled for the counted build (front/builds.h) calls a function before every load and
 * store, and at each turn of its loops. hooks.c is what is called. lanes.c forms the requests of
 * warps: lanes that are at the same place, by their calls, loops, turns and source, are one
 * request. requests.c counts each request as the GPU's memory system would, trace.c keeps some of
 * them in their order, operations.c follows kernels, memsets and copies, and writes the counts
 * file.
 *
 * emulator.h has the two functions that the harness uses: emulator_emulate and counted_next_call.
 *
 * The counts file, version 1:
 * Text. One item a line, fields separated by one blank; numbers are decimal unless said. A reader
 * refuses what it does not know. Names come last and may hold blanks.
 *
 *   histolab-counts 1
 *   gpu NAME MULTIPROCESSORS      the name as its file has it, with _ for blanks
 *   call ROWS COLUMNS INPUT_BYTES OUTPUT_BYTES
 *   op N kernel LINE GX GY GZ BX BY BZ STATIC_SHARED DYNAMIC_SHARED OVERLAPS COUNTED_BLOCKS NAME
 *       N from 0, in stream order. LINE of the launch, or of the kernel where the launch has none
 *       (cudaLaunchKernelEx). STATIC_SHARED: bytes of the shared arrays that it used. OVERLAPS 1:
 *       programmatic dependent launch. COUNTED_BLOCKS < blocks: every k-th block was counted, with
 *       the first and the last, and the figures of site, sync and hot are scaled up. memory is not
 *       sampled.
 *   op N memset BYTES
 *   op N copy BYTES
 *   after N OPERATIONS
 *       op N begins when these (bits, hex) have ended; without this line, when all before it have
 *   site N ID LINE LOOP KIND SPACE BYTES FIGURES
 *       of op N; ID from 0. LOOP: the line of its innermost loop, or 0. KIND load|store|atomic.
 *       SPACE global|shared|local; local: stores to what a thread has for itself, such as arrays
 *       that front/loops.c marks. These sites come last, and are in no trace. BYTES of one
 *       lane's access. FIGURES, eight numbers:
 *       REQUESTS of warps; LANES summed over requests; SECTORS of 32 bytes (an atomic sends one as
 *       often as lanes meet on a word of it) and LINES of 128 bytes, summed over requests (shared:
 *       0); WAVEFRONTS: passes through shared memory (of an atomic that is a loop with its loads),
 *       CONFLICTS those beyond what the size of the access needs (global: 0); SAME: sum over
 *       requests of the most lanes that meet on one address; MOST: the largest of these.
 *       Integer additions that always meet on one address, all lanes of a request, are one lane's,
 *       because nvcc adds up before: SAME, MOST, hot and traces say so.
 *   memory N READ WRITTEN
 *       distinct sectors of global memory that op N reads and writes (atomics do both)
 *   hot N ADDS REQUESTS NEAR
 *       of the global address that most atomics of op N meet on: lanes' adds, warps' requests; and
 *       the SECTORS of atomics on those 512 bytes that get most
 *   sync N BARRIERS WARP_OPERATIONS FENCES
 *       of all warps: arrivals at block barriers, operations of warps, fences
 *   passes N MATCH GROUPS CONSTANTS BYTES
 *       what warps do one after the other, if there is any: the different values of
 *       __match_any_sync, the masks of other operations whose lanes have different ones, and the
 *       words of loads of constants, from a stretch of so many bytes
 *   trace N BLOCK WARP
 *       begins a warp's trace. Traced are blocks that multiprocessor 0 would get (BLOCK %
 *       MULTIPROCESSORS == 0), up to 16, from all over the grid, and one of those that ended last:
 *       the one with most requests, such as the one that adds up what the others left.
 *   s WEIGHT
 *       what follows, up to the next s or e, stands for WEIGHT times as much: a long part between
 *       two barriers is sampled in pieces. WEIGHT may have a fraction. Before the first s: 1.
 *   r SITE TURN MASK WAVEFRONTS MULTIPLICITY [LINE:SECTORS ...]
 *       a request, in program order. TURN of the innermost loop, from 0. MASK of lanes: hex.
 *       MULTIPLICITY: most lanes on one address. WAVEFRONTS of a global load of more than 4 bytes
 *       for each lane, or from more than 2 lines: passes through the L1; of other global requests
 *       0. Global: each 128-byte line (its address / 128, hex) and the sectors of it (hex digit,
 *       bit 0 is the first). Addresses are those that a device might give: allocations lie one
 *       behind the other.
 *   b | w | f | d | t | g
 *       block barrier; warp operation; fence; cudaGridDependencySynchronize;
 *       cudaTriggerProgrammaticLaunchCompletion; a grid's barrier, between two of the block
 *   l FIRST LAST TURNS
 *       has gone through the loop at these lines, in which it did nothing of all this, and took so
 *       many turns: of its lanes, the one with most
 *   e
 *       ends the warp's trace
 *
 * For each op the lines come in the order above, op by op. */
#pragma once

#include "../scheduler/scheduler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP = 32, SECTOR = 32, LINE = 128 };

enum space { GLOBAL, SHARED, LOCAL };

enum kind {
    LOAD,
    STORE,
    ATOMIC,
    /* and what has no address */
    BARRIER,
    WARP_OPERATION,
    FENCE,
    DEPENDENCY_WAIT,
    DEPENDENCY_TRIGGER,
    GRID_BARRIER,
    MATCH,    /* __match_any_sync */
    CONSTANT, /* a load of constant memory */
    TURNS,    /* of a loop that does nothing of all this */
    YIELD,    /* a turn of a loop, where lanes wait for each other */
};

/* What the lanes of a warp do together. */
struct request {
    uint32_t mask;              /* of lanes */
    uint32_t loop, turn;        /* the line of the innermost loop, or 0, and its turn */
    uint32_t site;              /* a place in the step's code: see places.c */
    uint8_t kind, space, bytes; /* of one lane's access */
    uint8_t atomic;             /* of an atomic in shared memory: enum emulator_atomic */
    uint64_t address[WARP];     /* of the lanes in the mask; but for shared memory as on a device */
};

/* For qsort, by the numbers that two structures begin with. */
static inline int compare_numbers(const void *a, const void *b, int count) {
    const unsigned *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* ---- places.c: the step's code ---------------------------------------------------------- */

/* A place: the number of a call of a hook, from 1 on; 0 if it is not known. */
uint32_t place_of_return(const void *return_address);
unsigned place_line(uint32_t place);
/* A number for the spot in the source: the same for copies that the compiler made of its code. */
unsigned place_spot(uint32_t place);
/* Of a kernel by its address: its name and the line it begins at; NULL if it is not known. */
const char *place_function(const void *address, unsigned *line);

/* ---- regions.c: global memory ----------------------------------------------------------- */

/* The region that was used last, of whoever asks; it begins as zeros. */
struct region_used {
    uintptr_t begin;
    size_t bytes;
    uint64_t device;
    unsigned changes; /* region_changes at that time */
};
extern unsigned region_changes;
uint64_t region_find(uintptr_t address, struct region_used *used);

/* The device's address of what lies there, or 0 if that is no global memory. */
static inline uint64_t region_device_address(uintptr_t address, struct region_used *used) {
    if (address - used->begin < used->bytes && used->changes == region_changes)
        return used->device + (address - used->begin);
    return region_find(address, used);
}
/* Note that the sectors (bits) of the line at this address of the device are accessed so. */
void region_touch(uint64_t device_address, unsigned sectors, enum kind kind);
/* Begin to note, and the distinct sectors noted since. */
void region_begin(void);
void region_touched(uint64_t *read, uint64_t *written);
