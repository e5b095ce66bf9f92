/* How late a submission is, and what that takes off. */
#pragma once

#include "assignment.h"
#include "people.h"

struct lateness {
    long days, free; /* after extensions; how many of them are free */
    long extension_hours;
    long extension;  /* days that it was due later; -1 without a due date */
    amount percent;  /* what the others take off the submission's points */
    const char *how; /* in words; "" without a due date */
    const char *handed_in;
};

/* What it notes in the assignment, report_unused() tells. */
struct lateness lateness_of(struct assignment *assignment, const struct people *people,
                            const char *submission);

/* Notes that a line holds for a submission. */
void add_meant(struct ruling *one, const char *submission);

/* Says which lines hold for nobody, and which for several: a mistyped name would cost a student
 * points, and one that somebody else has, too, would give them away. */
void report_unused(const struct assignment *assignment, const struct people *people);
