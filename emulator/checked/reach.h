/* Which accesses the step's code has reached. A line that no run has reached was not checked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A function that the compilers call before an access. These lie together, so that their calls can
 * be found in the code: those that were never made, too. */
#define REACH_HOOK __attribute__((section("emulator_hooks")))

extern unsigned char *reach_marks; /* one for each byte of the program's code */
extern uintptr_t reach_begin, reach_size;
extern bool reach_only; /* nothing is analysed, and threads do not run against each other */

/* An access whose hook returns to `caller`. */
static inline void reach_mark(const void *caller) {
    uintptr_t at = (uintptr_t)caller - reach_begin;
    if (at < reach_size)
        __atomic_store_n(&reach_marks[at], 1, __ATOMIC_RELAXED);
}
