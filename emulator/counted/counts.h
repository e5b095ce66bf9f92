/* The counted build: what a GPU would count of one call of a step.
 *
 * A step compiled for the counted build (front/builds.h) calls a function before every load and
 * store, and at each turn of its loops. hooks.c is what is called. lanes.c forms the requests of
 * warps: lanes that are at the same place, by their calls, loops, turns and source, are one
 * request. requests.c counts each request as the GPU's memory system would, trace.c keeps some of
 * them in their order, operations.c follows kernels, memsets and copies, and writes the counts
 * file, which files.md describes.
 *
 * Of emulator.h the harness uses emulator_emulate and counted_next_call. */
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

/* ---- streams.c: the order of a call's operations ---------------------------------------- */

void streams_begin_call(void);
/* The operations, as bits, that have ended when this one, put on the stream now, begins. Of more
 * than 64, the later ones come after all. */
uint64_t streams_before(unsigned operation, cudaStream_t stream);
