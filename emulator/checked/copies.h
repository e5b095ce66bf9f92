/* Asynchronous copies to shared memory (cp.async) that are under way. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"

struct copy {
    uintptr_t to, from, pc;
    size_t size;
    struct access by; /* the thread that has started it */
    uint32_t batch;   /* of the thread's, from 0 */
};

/* Those of all blocks: only one block runs at any time. In some places (of size 0) there is none.
 */
extern struct copy *copies;
extern size_t copy_count;

size_t copies_put_in(const struct copy *copy); /* its place */
struct copy copies_take_out(size_t place);

/* One that a use of this memory, in a word with this cell (which has `more`), meets: who only reads
 * where it reads meets none. Or NULL. */
const struct copy *copies_meet(const struct cell *cell, uintptr_t address, size_t size,
                               bool writes);

/* Does it lead to the shared memory of this OS thread's block? */
bool copies_is_here(const struct copy *copy);

/* later.c: a GPU makes a copy at any time between the call and the wait for it. Here it is made
 * when somebody waits for it; until then it is under way. The running thread copies. False: at
 * once, for nobody has said that it is asynchronous, or it is one that no GPU makes later. */
bool later_copies(void *to, const void *from, size_t size, const void *caller);
