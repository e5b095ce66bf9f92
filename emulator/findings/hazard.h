/* One thing that the checked build saw (hazards.def), as the runner tells the judge. Of fixed size,
 * without pointers: a message. Whoever reads it must not trust it: strings may lack an end. */
/* Not #pragma once: of a program that includes this, the rewriting puts a header with that
 * elsewhere, where there is no hazards.def beside it. */
#ifndef HAZARD_H
#define HAZARD_H

#include <stdint.h>

enum hazard_kind {
#define HAZARD(name, word, severity, meaning, remedy) HAZARD_##name,
#include "hazards.def"
#undef HAZARD
    HAZARD_KINDS
};

enum hazard_severity { HAZARD_REMARK, HAZARD_FAULT };

/* Notes that say more of the mistake than its kind: the judge looks for these words. */
#define NOTE_IN_EACH_BLOCK ", in each block"
#define NOTE_NOT_ASKED ": the launch asks for none"
#define NOTE_IN_CALL ", allocated in a call"
#define NOTE_WRITES_0 "the first writes 0"
#define NOTE_FENCED "a thread of this launch has passed __threadfence()"
#define NOTE_LANE_HEARD "only another lane of its warp has the signal"
#define NOTE_BOTH_VOLATILE "both accesses are volatile"
#define NOTE_NOT_SET "not set yet"
#define NOTE_NO_THREAD_SETS "no thread of the block has set any of it"
#define DOES_NOTHING "sets 0 bytes of it"
#define NOTE_NULL "the pointer is null"
#define NOTE_SHARED_FLAG " is one for all blocks, and several store to it"
#define NOTE_NO_PART "which takes no part"
#define NOTE_NO_LANE "and its block is launched with "
#define NOTE_ENDED "have ended"
#define NOTE_TWO_STREAMS "they are on two streams"
#define NOTE_ANOTHER_CALL "the launch was given an address of another call"
#define NOTE_AGAIN "the same place has written it before"
#define NOTE_EARLIER_CALL "the second in an earlier call"
#define NOTE_FREED_BEFORE "freed by a tear-down, and not allocated by the set-up after it"

/* A place in the source, and who was there. */
struct hazard_place {
    uint64_t pc; /* offset in the program, as addr2line takes it; 0 where only the line is known */
    uint32_t line;                /* 0: pc tells */
    uint32_t on_host;             /* the host's code: no block and no thread */
    uint32_t block[3], thread[3]; /* blockIdx and threadIdx */
    char does[32];                /* "reads", "writes", "adds to", "waits", "was allocated" … */
};

struct hazard {
    uint32_t kind;   /* enum hazard_kind */
    uint32_t places; /* of place[]: 1 or 2. The first is where it was noticed. */
    struct hazard_place place[2];
    char array[96];     /* what it is about: "counts", "the input", "memory of malloc in a kernel";
                         * may be empty */
    uint32_t allocated; /* the array is memory that somebody allocated; its name is that of the
                         * variable that it was allocated into, where that is known */
    uint32_t indexed;   /* whether index means anything */
    int64_t index;      /* element of the array, counted in units of `bytes` */
    uint32_t bytes;     /* width of the access */
    char
        note[160]; /* one more fact in words, such as "the array has 1024 elements"; may be empty */
};

#endif
