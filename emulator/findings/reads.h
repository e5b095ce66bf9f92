/* How often each element of a call's input was read, and what threads used one after the other, as
 * the checked build counts and notes it: in memory that whoever runs the code gives, and the code
 * could write. Whoever reads it must not trust it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct element_reads {
    uint32_t pc; /* of the first read: offset in the program, as addr2line takes it */
    uint32_t times;
};

enum {
    MOST_USES = 3 << 19, /* later ones are not noted */
    USED_ARRAYS = 8,     /* those of others are not */
    MOST_ADDERS = 16,    /* nor are more of these */
    OF_INPUT = 0,        /* the number of the input among them */
    USED_NAME = 58,      /* bytes of a name that may be read: code could write over its end */
    OF_BLOCK = 1024,     /* threads of a block in thread_use.thread */
    OF_HOST = -1,        /* in place of a thread: a copy that the host asked for */
};

enum { USE_READS, USE_WRITES, USE_ADDS, USE_SWAPS }; /* swaps: another atomic operation */

/* A thread reads or writes. What one thread does is in order. */
struct thread_use {
    uint32_t thread;                      /* OF_BLOCK times its block, and its number there */
    uint32_t pc;                          /* 0: there is no such use */
    uint32_t at;                          /* bytes from the array's begin */
    uint32_t value;                       /* that it reads, stores, or adds; not of the input */
    uint8_t array, bytes, launch, writes; /* writes: USE_… */
    uint32_t high;                        /* upper half of a value of 8 bytes */
};

/* An adder has added 1 << 8, 16 or 24; another number above 1. */
enum { ADDS_PACKED = 1, ADDS_MORE = 2 };

/* A place in the code that adds atomically to an array. */
struct adder {
    uint32_t pc; /* 0: there is no such adder */
    uint32_t at; /* where one of its additions went: bytes from the array's begin */
    uint64_t total;
    uint8_t array, bytes;
    uint8_t elsewhere; /* others went elsewhere */
    uint8_t packed;    /* ADDS_PACKED alone: several counts share a word */

    /* Several numbers may share a word: the bits of all that was added tell how wide they are
     * (reads_field_bits). The first of them that is more than its bits hold: */
    uint8_t full_bits, full_number; /* of each of them, 0: none is; counted from the lowest one */
    uint32_t full_at;               /* where its word is: bytes from the array's begin */
    uint64_t amounts;
};

struct reads {
    uint64_t counted; /* not 0: somebody counted */
    uint64_t uses;    /* may be more than there is room for */
    struct used_array {
        uint32_t bytes;
        uint8_t of_block;  /* each block has its own */
        uint8_t allocated; /* as in struct hazard */
        char name[USED_NAME + 1];
    } array[USED_ARRAYS];
    struct adder adder[MOST_ADDERS];
    struct thread_use use[MOST_USES];
    struct element_reads of[];
};

/* Fields of equal width in a word of so many bytes, if the numbers that are added to at least two
 * of them leave the upper half of each free; else 0. */
static inline unsigned reads_field_bits(uint64_t amounts, size_t bytes) {
    enum { BITS = 8, LEAST = 8 };
    for (unsigned bits = (unsigned)bytes * BITS / 2; bytes <= sizeof amounts && bits >= LEAST;
         bits /= 2) {
        unsigned used = 0, tight = 0;
        for (unsigned at = 0; at < bytes * BITS; at += bits) {
            const uint64_t field = amounts >> at & ((UINT64_C(1) << bits) - 1);
            used += field > 0;
            tight += field >> bits / 2 > 0;
        }
        if (used > 1 && !tight)
            return bits;
    }
    return 0;
}

static inline size_t reads_bytes(size_t elements) {
    return sizeof(struct reads) + elements * sizeof(struct element_reads);
}

/* Accesses of the step's code, and which of them a run has reached: a part. */
enum { REACHED_ACCESSES = 128 };

struct reached {
    uint32_t accesses;                 /* of pc[] */
    uint32_t pc[REACHED_ACCESSES];     /* offsets in the program, as addr2line takes them */
    uint8_t reached[REACHED_ACCESSES]; /* 1: it was reached, 0: it was not */
};
