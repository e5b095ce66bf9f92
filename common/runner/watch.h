// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What a step's own calls of CUDA do while one of its calls is timed. The Makefile has them go
 * through functions of watch.c; the harness's own calls do not. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "hazard.h"
#include "launch_size.h"

/* A call of the step on so much input begins; it has ended. The end returns the number of kernels
 * that were launched in it; the launch of a graph counts as one. */
void watch_begin(const void *input, size_t input_bytes);
unsigned long long watch_end(void);

/* The launch with the most threads so far. Those of a graph count on the cpu device only. */
struct launch_size watch_widest(void);

/* Whether the last call copied most of its input to the host, or as much as that of what was made
 * of it: its kernels did not need it. */
bool watch_input_went_to_host(void);

/* What the calls did so far that a timed call should not do: the next remark that has not been
 * told, each kind of them once in a process. False if there is none. */
bool watch_remark(struct hazard *remark);

#endif
