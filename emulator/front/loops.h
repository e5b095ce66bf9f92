/* Marks the loops of a step's preprocessed text, for the counted build:
 *
 *   for (init; condition; next) body
 *
 * becomes
 *
 *   for (emulator_loop emulator_l3(3, 17, 19), *emulator_p3 = &emulator_l3; emulator_p3;
 *        emulator_p3 = 0) for (init; condition; emulator_l3.turn(), next) body
 *
 * on the same lines: the first `for` takes one turn, and the object's life is the loop's, however
 * it is left. So a thread's loops and their turns are known at each access (counted/lanes.h).
 * while (c) becomes for (; c; turn()), and do … while (c) becomes do … while (turn(), c).
 *
 * Marked are the loops of files in the directory of the first .cu file that a line marker names.
 * An array of a thread that lies in local memory gets an attribute, by which its accesses are seen.
 * Not marked: loops in constexpr functions, which cannot hold such an object; loops into whose body
 * a label or a case leads; do … while (0). */
#pragma once
#include "../text/text.h"

/* Adds to `to` the preprocessed text with its marks. */
void mark_loops(const struct text *from, struct text *to);
