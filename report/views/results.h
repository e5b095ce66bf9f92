/* What the views of one grading share: report/table, report/index. */
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

/* "3 of 4 steps passed, 1 of them wrong as intended" */
const char *passed_in_words(const struct results *results);

/* "NVIDIA H200, driver 580.95, 132 multiprocessors, L2 60.0 MiB", as far as a row knows it. */
const char *device_line(const struct list *list);

/* Of one submission, device, problem and input: the rows of a table, in the ladder's order, and
 * what is decided of it by all of them. */
enum { FIGURES = 11 };
struct group {
    struct list list;
    double calls;
    size_t name_room, steps, scaled; /* scaled: how many times that are shown are scaled up */
    bool is_cpu, for_page, has[FIGURES];
};
struct group group_of(struct list list, bool for_page);

/* Its steps, or its baselines. */
void put_results(struct page *page, struct group *group, bool steps);
void explain_scaled(struct page *page, const struct group *group);

extern const char cpu_has_no_speed[];
