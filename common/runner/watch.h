/* What a step's own calls of CUDA do while one of its calls is timed. The Makefile has them go
 * through functions of watch.c; the harness's own calls do not. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "hazard.h"
#include "launch_size.h"

/* A call of the step for so much output begins; it has ended. The end returns the number of kernels
 * that were launched in it; the launch of a graph counts as one. */
void watch_begin(size_t output_bytes);
unsigned long long watch_end(void);

/* The launch with the most threads so far. Those of a graph count on the cpu device only. */
struct launch_size watch_widest(void);

/* Whether more has come to the host since the last time this was asked than a call needs of it, in
 * calls or between them: then it was not the kernels that did the work. */
bool watch_too_much_to_host(void);

/* So many bytes of that were copied by the harness. */
void watch_own_copy(size_t bytes);

/* What the calls did so far that a timed call should not do: the next remark that has not been
 * told, each kind of them once in a process. False if there is none. */
bool watch_remark(struct hazard *remark);
