/* A view is a function that is given what stands behind its name, and returns an exit status: 0, 2
 * for wrong usage or a line that is no record, 3 where it could not work, or one of its own. */
#pragma once

#include "lib/rows.h"

struct view {
    const char *name;
    int (*show)(int count, char **words);
};

/* Of a list of them, VIEW(one_step) for view_one_step(), which is called one-step: each one's
 * declaration, and its place in a table that ends with one without a name. */
#define DECLARE_VIEW(name) int view_##name(int count, char **words);
#define AS_VIEW(name) {#name, view_##name},

/* The view that argv[1] names. */
int show_view(const struct view *views, int argc, char **argv);

/* Options are --name or --name=value and stand before all else. The value of the next one, or NULL
 * where it is another: take_option("colour", &count, &words). */
const char *take_option(const char *name, int *count, char ***words);
const char *take_text(const char *name, int *count, char ***words); /* "" for NULL */

/* The rows of files; what stands in `rows` is how. */
void rows_of(struct rows *rows, char **files, int count);

/* Those of build/report. */
/* clang-format off */
#define REPORT_VIEWS(VIEW) \
    VIEW(accuracy) VIEW(charts) VIEW(compare) VIEW(counting) \
    VIEW(hint) VIEW(index) VIEW(journal) VIEW(keep) \
    VIEW(ladder) VIEW(machines) VIEW(one_step) VIEW(progress) VIEW(readme) VIEW(rows) \
    VIEW(source) VIEW(table)
/* clang-format on */
REPORT_VIEWS(DECLARE_VIEW)
