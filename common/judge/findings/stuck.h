/* Describes where a step that has not finished is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "judge/text.h"
#include "where.h"

/* Whether a runner reported anything. */
static inline int stuck_known(const struct where *where) { return where->cpu_s > 0; }

/* One line: "opt_2dhisto.cu:21: 1024 threads of block (0,0,0) are here; opt_2dhisto.cu:24: 1 thread
 * waits here". `where` is as a runner reported it, of the program that it is; nothing where it
 * reported nothing. `why` is for the diagnosis: which loop that is, and what to look at. */
void stuck_describe(const struct where *where, const char *program, struct sentence text,
                    struct sentence why);

/* In each block that has begun one thread goes on, and its others wait; and others have not begun.
 */
bool stuck_on_blocks(const struct where *where);
