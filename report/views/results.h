/* What the views of one grading share: report/table, report/index. */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

#include "lib/page.h"
#include "lib/rows.h"

/* A step may stand on several inputs: it has passed if all its rows say so. One that nobody has
 * begun is not among `steps`. */
struct results {
    struct list begun;
    size_t steps, passed, intended; /* intended: passed, since it is wrong as it is meant to be */
    const char **waiting;           /* the steps that nobody has begun */
    size_t not_started;
};
struct results results_of(const struct list *list);

/* "3 of 4 steps passed, 1 of them wrong as intended" */
const char *passed_in_words(const struct results *results);

void note_failure(struct table *table, const struct row *of); /* why it did not pass */

/* A column of report/table and of the page, which a table has where any of its rows knows that
 * number: a line of results.c. */
struct figure {
    const char *title; /* the page's */
    const char *brief; /* report/table's, and how wide it is there; 0: only the page has it */
    size_t width, known;
    const char *(*shown)(const struct row *of);
};
enum { TIME, TIMES = 4, FIGURES = 11 }; /* the first TIMES: report/table has them of any GPU */
extern const struct figure figures[FIGURES];

extern const char cpu_has_no_speed[];

#endif
