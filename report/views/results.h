// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What the views of one grading share: report/table, report/markdown, report/index. */
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

const char *error_shown(const struct row *of);                /* where outputs need not be exact */
void note_failure(struct table *table, const struct row *of); /* why it did not pass */

extern const char cpu_has_no_speed[];

/* The attempts in a history of the desk, below a heading; nothing where the name is "". The chart's
 * path begins at the folder of the page. */
void put_attempts(struct page *page, const char *history, const char *folder, const char *chart);

#endif
