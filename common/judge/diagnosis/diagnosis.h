/* A diagnosis: what wrong calls of a sample did, and what the pattern of all its wrong outputs says
 * of the mistake behind them.
 *
 * It is a few sentences for the person who has to find the mistake, or nothing at all where nothing
 * is known: a wrong diagnosis costs more time than none. So what the run did comes first, and a
 * rule foretells what a certain mistake would have given, and speaks up only where every output
 * looked at is exactly that.
 *
 * Use: diagnosis_begin; for each call in order, expect() into diagnosis_expected and, if the call
 * is wrong, diagnosis_wrong while its window is still in the strip; diagnosis_name; diagnosis_end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reads.h"
#include "problem.h"

struct diagnosis;

/* A sample of so many calls, whose outputs held `poison` before; `fresh` where its first call is
 * the very first that the runner made. */
struct diagnosis *diagnosis_begin(const struct problem *problem, const struct strip *strip,
                                  size_t calls, unsigned char poison, bool fresh);

/* What was looked for while these calls ran, and found. Faults explain outputs that differ from run
 * to run; where none was found, no race does. */
enum races { RACES_UNKNOWN, RACES_OR_FAULTS, RACES_NONE };

void diagnosis_races(struct diagnosis *diagnosis, enum races races);

/* Before the first wrong call: what it has read of its input, and what its threads used one after
 * the other, if that was noted, by this program. Its end frees them. */
void diagnosis_reads(struct diagnosis *diagnosis, struct reads *reads, const char *program);

/* Where the expected output of a call belongs. */
void *diagnosis_expected(struct diagnosis *diagnosis, size_t call);

/* The call whose window starts at that row of the strip gave `got`, which is wrong. */
void diagnosis_wrong(struct diagnosis *diagnosis, size_t call, size_t row, const void *got);

/* All outputs, slot_bytes apart, and those of the same calls made again (NULL: they were not).
 * Fills `text`; false, and an empty text, where nothing fits. */
bool diagnosis_name(struct diagnosis *diagnosis, const char *outputs, const char *again,
                    size_t slot_bytes, char *text, size_t text_size);

/* What is said of outputs that differ from run to run, where no fault was found. */
extern const char diagnosis_unordered[];

/* After that: whether of all calls only the first one is right. */
bool diagnosis_first_right(const struct diagnosis *diagnosis);

void diagnosis_end(struct diagnosis *diagnosis);
