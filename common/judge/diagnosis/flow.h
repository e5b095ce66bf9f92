/* How a wrong sum came about, in words: no guess, but what threads stored after they had read what,
 * and which of the stored numbers others have read, as the checked build has noted it
 * (emulator/findings/reads.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "noted.h"

/* "Line 42 stores 16.8 in element 0 of warps (thread 0 of block 0). What its warp has read comes to
 * 8.4." Or which of the numbers that a block stores are never read. False where all
 * that was noted is as it should be, or too little was. */
bool flow_describe(const struct wrong_call *of, struct words text);
