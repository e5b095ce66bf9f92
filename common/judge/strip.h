/* The strip that a trial's inputs are cut from, and which window each call gets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* How many regions to read in turn so that no byte is read again before at least twice the L2 cache
 * has been read since: then every call reads from memory. */
size_t strip_cold_regions(size_t window_bytes, size_t l2_bytes);

/* The layout of a strip, without memory. `slide` as in struct input: windows start that many
 * elements apart, in whole rows and on 128-byte boundaries; 0 gives a region one window. */
struct strip strip_plan(const struct problem *problem, struct shape window, size_t regions,
                        size_t calls, size_t slide);

size_t strip_row_bytes(const struct strip *strip);
size_t strip_bytes(const struct strip *strip);
size_t strip_window_bytes(const struct strip *strip);
const void *strip_row(const struct strip *strip, size_t row);

/* Fill rows[0..calls) with the first rows of the windows of so many calls: the regions in turn,
 * each region's windows in a random order of their own. No window comes twice in the first regions
 * * positions calls. `random` is the state of the generator (random.h). */
void strip_windows(const struct strip *strip, uint64_t *random, uint64_t *rows, size_t calls);
