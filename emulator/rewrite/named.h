/* Notes into which variable memory is allocated, in the text of the checked build:
 *
 *   cudaMalloc((void **)&sums, bytes)
 *
 * becomes
 *
 *   cudaMalloc((emulator_names("sums"), (void **)&sums), bytes)
 *
 * which has the same types, for templates and overloads. Hazards then say "sums"
 * (checked/analysis.c). In the plain and the counted build nothing is noted. */
#pragma once
#include "../text/text.h"

/* Adds to `to` the preprocessed text with its notes, about calls in the step's own files. */
void name_allocations(const struct text *from, struct text *to);
