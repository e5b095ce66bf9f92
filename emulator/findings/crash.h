/* How the step's process is about to end, as the runner tells it to the judge. Of fixed size and
 * without pointers: it travels in a message. Whoever reads it must not trust it. */
#pragma once

#include <stdint.h>

enum { CRASH_FRAMES = 16 };

struct crash {
    uint32_t signal;
    uint32_t exits;               /* no signal: it called exit() */
    uint32_t on_host;             /* in the host's code: no block and no thread */
    uint32_t block[3], thread[3]; /* blockIdx and threadIdx */
    uint32_t addressed;           /* whether address means anything */
    uint64_t address;             /* that could not be accessed */
    uint32_t stack_full;          /* it lies below the stack of the thread */
    uint32_t frames;
    uint64_t pc[CRASH_FRAMES]; /* offsets in the program, as addr2line takes them: where it
                                  happened, then the calls that led there */
    char words[160];           /* of the assert() that failed; may be empty */
};
