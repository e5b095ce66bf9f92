// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The fields of a record that say what was counted of a step, and what time is predicted of it:
 * report/record.schema.json says what each means. */
#ifndef RECORD_COUNTERS_H
#define RECORD_COUNTERS_H

#include <stdio.h>

#include "counters.h"

/* Adds the members to the object that is being written; none where nothing was counted.
 * iterations: the calls that the predicted seconds stand for. */
void record_counters(FILE *out, const struct counters *counters, size_t iterations);

#endif
