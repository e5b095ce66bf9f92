/* Which accesses of a step's code its runs have reached, by what its checked runner tells
 * (emulator/findings/reads.h). What no check has reached was not looked at. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reads.h"

enum { MOST_REACHED = 4096 }; /* those beyond are not known */

struct reach {
    size_t count;
    struct {
        uint32_t pc;
        bool checked, graded; /* reached by a check; by a run of the graded size */
        size_t line;          /* the first access of the same line */
    } access[MOST_REACHED];
    bool placed;        /* the lines are known */
    uint64_t of_blocks; /* launches of a checked call that had several: bit n is number n */
};

/* What a runner told of; whether it was one of the graded size. */
void reach_add(struct reach *reach, const struct reached *reached, bool graded);

/* Whether there is a line that no check has reached; and one that a run of the graded size has,
 * besides. A compiler makes several accesses of a line, of which some may never be needed, so one
 * of them is enough. The runner, whose accesses they are, tells the lines. */
bool reach_incomplete(struct reach *reach, const char *runner);
bool reach_wanted(const struct reach *reach);

/* Their lines will be asked for. */
void reach_expect(const struct reach *reach, const char *runner);

/* Nobody knows what the graded size reaches: it may be all of them. */
void reach_all_graded(struct reach *reach);

/* The lines that are wanted: "31, 45". Empty where there are none. */
void reach_lines(const struct reach *reach, const char *runner, char *text, size_t size);
