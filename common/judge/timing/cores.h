/* All processors at work, for the CPU's solutions: one thread on each that this process may use.
 * They are started once, and wait between calls, so that a call's time holds no starts. */
#pragma once

#include <stddef.h>

enum { MOST_CORES = 256 };

/* How many there are, MOST_CORES at the most. */
size_t cores_count(void);

/* Has each core do work(argument, core, cores_count()), and waits for all. The calling thread is
 * one of them. */
void cores_run(void (*work)(void *argument, size_t core, size_t cores), void *argument);

/* How often it was called so far: who times a function with it needs the wall clock. */
size_t cores_runs(void);

/* A core's share of `size` things: from cores_begin(size, core, cores) to cores_begin(size, core +
 * 1, cores). */
static inline size_t cores_begin(size_t size, size_t core, size_t cores) {
    return size / cores * core + size % cores * core / cores;
}
