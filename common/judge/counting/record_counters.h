/* The fields of a record that say what was counted of a step, and what time is predicted of it:
 * common/record.def says what each means. */
#pragma once

#include "counters.h"
#include "record/fields.h"

/* What these fields point to. */
struct recorded_counters {
    struct counted_fields counted;
    struct launches_fields launch[MOST_LAUNCHES];
    char grid[MOST_LAUNCHES][48], block[MOST_LAUNCHES][48];
    struct accesses_fields access[MOST_ACCESSES];
    struct record_share share[MOST_SHARES];
};

/* Sets the fields; none where nothing was counted. iterations: the calls that the predicted seconds
 * stand for. */
void record_counters(const struct counters *counters, size_t iterations,
                     struct recorded_counters *memory, struct record_fields *fields);
