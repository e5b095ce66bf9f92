/* The read problem: any problem's strip, of which a streaming read returns the sum of all words. It
 * is how a roof is measured: with the same windows and clocks as a step, and checked as a step is.
 */
#pragma once

#include "problem.h"

/* `problem` with the outputs of a read: one uint32_t, the sum (modulo 2^32) of the window's 32-bit
 * words. The last few bytes of a window, if they do not fill a word, do not count. */
struct problem read_problem(const struct problem *problem);

/* The shape that a read of the strip's windows is called with: words, in one column. */
struct shape read_shape(const struct strip *strip);
