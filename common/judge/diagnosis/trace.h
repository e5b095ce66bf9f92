/* How a wrong element of the output came about, in words: no guess, but who stored it, what that
 * thread had read before, and who had stored that (emulator/findings/reads.h). */
#pragma once

#include <stdbool.h>

#include "noted.h"

/* "Line 22 stores 0 in bin 10 of the output, after reading 0 in element 10 of counts. No kernel
 * has written that before." False where not all was noted, or no element is wrong. */
bool trace_describe(const struct wrong_call *of, struct words text);
