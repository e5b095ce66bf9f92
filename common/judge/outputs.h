/* One call's output: how large it is, and whether it is right. It is one thing of the problem's
 * output_bytes, or, where the problem says how many `outputs` a shape has, so many of them side by
 * side. */
#pragma once

#include <stddef.h>

#include "problem.h"

/* Bytes of the output of a call with a window of this shape, and of what expect() writes for it. */
size_t outputs_bytes(const struct problem *problem, struct shape window);
size_t outputs_expected_bytes(const struct problem *problem, struct shape window);

/* Bytes of the output that the call has to write to memory, as far as they count for its time: 0
 * for an output whose size does not follow the input's. */
size_t outputs_written_bytes(const struct problem *problem, struct shape window);

/* How many calls of a window of this shape have room for their outputs, at most as many as wanted
 * and at least one: each call of a sample has an output of its own. */
size_t outputs_calls(const struct problem *problem, struct shape window, size_t wanted);

/* As the problem's right() and error(), of the whole output: how many are wrong, where `why` tells
 * of the first. The error is the largest; not a number is larger than any. Exact problems have
 * none: then -1. */
size_t outputs_wrong(const struct problem *problem, struct shape window, const void *expected,
                     const void *got, char *why, size_t why_size);
double outputs_error(const struct problem *problem, struct shape window, const void *expected,
                     const void *got);
