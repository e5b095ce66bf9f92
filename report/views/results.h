/* What came out of a grading. */
#pragma once

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

/* Of each submission, device, problem and input what came out, in tables. charts: of these names
 * those that lie in the folder are shown, too; NULL for none. */
void put_groups(struct page *page, const struct list *list, const char *folder, const char *charts);

/* "NVIDIA H200, driver 580.95, 132 multiprocessors, L2 60.0 MiB", as far as a row knows it. */
const char *device_line(const struct list *list);
