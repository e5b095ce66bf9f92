/* Memory, for the analysis: allocations, __device__ variables, shared arrays, and shadow cells. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One use of a word, by a thread or by an operation of the host on the device. */
struct access {
    uint32_t pc;     /* offset in the program */
    uint32_t launch; /* number of the operation (order.h); 0: there was none */
    uint32_t block;  /* in the grid; NO_BLOCK: the host's memset or memcpy */
    uint32_t epoch;  /* barriers of the block so far */
    uint32_t clock;  /* of the thread, see order.h */
    uint16_t thread; /* in the block */
    uint8_t flags;   /* ACCESS_… */
};

enum {
    ACCESS_WRITE = 1,
    ACCESS_ATOMIC = 2,
    ACCESS_VOLATILE = 4,
    ACCESS_BLOCK_SCOPE = 8,
    ACCESS_FENCED = 16,     /* volatile, or a write, by a thread that has fenced */
    ACCESS_PAST_L1 = 32,    /* __ldcg: finds what other multiprocessors have written */
    ACCESS_LONE = 64,       /* of a variable that is no array: a flag, maybe */
    ACCESS_READ_ONLY = 128, /* __ldg: by a cache that does not see the writes of this launch */
};
static const uint32_t NO_BLOCK = UINT32_MAX;

/* The last uses of one kind: by anyone; by another thread than that; by another warp; by another
 * block; by work on another stream. Whoever comes next, one of them is a use that he may conflict
 * with, if there is any (of two streams: there may be more). */
enum { LATEST, OTHER_THREAD, OTHER_WARP, OTHER_BLOCK, OTHER_STREAM, RECENT };
enum { WRITES, READS, CHAINS };

/* The shadow of a word of four bytes, or of one byte of it once somebody has used a part. Those of
 * an array are seldom in the cache: most uses need what begins here, two lines of it. */
struct cell {
    struct cell_more *more;    /* or NULL */
    uint32_t generation;       /* shared memory: the block that this is about */
    uint8_t written;           /* a bit for each byte */
    uint8_t known[CHAINS];     /* which of `recent` there are, a bit for each */
    struct access plain_write; /* the last one, which later atomic updates do not hide */
    struct access recent[CHAINS][RECENT];
};

/* What few words need. */
struct cell_more {
    struct cell *bytes;         /* four cells, or NULL */
    uint32_t sync_launch, sync; /* order.h: what a strong read of this word acquires */
    uint16_t leads, comes;      /* how many asynchronous copies lead here, or come from here, and */
    uint32_t copy;              /* the place of the last of them (copies.h) */
};

static inline struct cell *cell_bytes(const struct cell *cell) {
    return cell->more ? cell->more->bytes : NULL;
}

/* Made if there is none. */
struct cell_more *cell_more(struct cell *cell);

enum { PAGE_WORDS = 256 };

/* The cells of some memory, made when they are needed. */
struct shadow {
    struct cell **pages;
    uint8_t *page_written; /* bytes of a page without cells: written, or not */
    size_t page_count;
};

enum region_kind {
    REGION_DEVICE,
    REGION_MANAGED,
    REGION_PINNED,
    REGION_VARIABLE,

    REGION_FREED
};

struct region {
    uintptr_t begin;
    size_t size;
    enum region_kind kind;
    bool of_step;   /* allocated by the step */
    bool allocated; /* and no variable */
    bool in_call;   /* allocated in a call, not in the set-up */
    const char *name;
    uint32_t allocated_pc, freed_pc, nothing_pc; /* nothing: where 0 bytes of it were set */
    unsigned freed_in;                           /* memory_owners, when it was */
    struct shadow shadow;
};

/* Read the program's symbols. Ends the process with a message if that is impossible. */
void memory_start(void);

/* The region that holds the address, or NULL. It lives as long as the process. */
struct region *memory_find(uintptr_t address);

/* The region that an access beside all most likely meant: the nearest within 64 KiB; or NULL. */
struct region *memory_near(uintptr_t address);

struct region *memory_add(uintptr_t begin, size_t size, enum region_kind kind, const char *name,
                          uint32_t pc);
void memory_forget(uintptr_t begin, uint32_t pc);

/* The region that begins there is none any more: the memory is the program's own. */
void memory_remove(uintptr_t begin);
bool memory_overlaps(uintptr_t begin, size_t size); /* with a region */

/* Call `use` with each region, in the order of their addresses. */
void memory_each(void (*use)(struct region *region));

/* From here on, allocations are the step's, or the harness's. */
void memory_owner(bool step);
extern unsigned memory_owners; /* how often that was said */

extern size_t shadow_bytes; /* of all cells */

/* The cell of a word, `offset` bytes from the begin of the shadowed memory. */
struct cell *shadow_new_page(struct shadow *shadow, size_t page);
static inline struct cell *shadow_cell(struct shadow *shadow, size_t offset) {
    size_t page = offset / (4 * PAGE_WORDS);
    struct cell *cells = shadow->pages[page];
    if (__builtin_expect(!cells, 0))
        cells = shadow_new_page(shadow, page);
    return &cells[offset / 4 % PAGE_WORDS];
}
struct shadow shadow_new(size_t bytes);

/* All bytes of a range are written, or are not. */
void shadow_set_written(struct shadow *shadow, size_t offset, size_t bytes, bool written);

/* What nobody has watched was used: all is written, by nobody that is known. */
void shadow_forget(struct shadow *shadow);

/* The host writes there, a few bytes at a time: whole pages that have no cells count as written. */
void shadow_host_writes(struct shadow *shadow, size_t offset, size_t bytes);

/* The four cells of a word's bytes, made if there are none. */
struct cell *cell_split(struct cell *cell);

/* Nothing is known of it any more. */
void cell_clear(struct cell *cell);

/* The shared array that holds an offset, or the nearest of those with room for so many bytes. */
const struct symbol *memory_shared_near(uintptr_t offset, size_t bytes);

/* The name of a variable of the harness that lies in this range, or NULL. */
const char *memory_of_harness(uintptr_t address, size_t size);

/* Is this address in code or constant data of the program, which device code may read? */
bool memory_is_constant(uintptr_t address);

/* The offset of a place in the program, and the innermost caller in the step's own code. */
uint32_t memory_pc(uintptr_t address);
uint32_t memory_caller(void);
