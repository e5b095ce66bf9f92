/* A view is a function that is given what stands behind its name, and returns an exit status: 0, 2
 * for wrong usage or a line that is no record, 3 where it could not work, or one of its own. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include <stdbool.h>

#include "lib/rows.h"

struct view {
    const char *name;
    int (*show)(int count, char **words);
};

/* The view that argv[1] names; the last one of the list has no name. */
int show_view(const struct view *views, int argc, char **argv);

/* Options are --name or --name=value and stand before all else. The value of the next one, or NULL
 * where it is another: take_option("colour", &count, &words). */
const char *take_option(const char *name, int *count, char ***words);
const char *take_text(const char *name, int *count, char ***words); /* "" for NULL */

/* The rows of files; what stands in `rows` is how. */
void rows_of(struct rows *rows, char **files, int count);

int view_rows(int count, char **words);
int view_verdicts(int count, char **words);
int view_in_short(int count, char **words);
int view_source(int count, char **words);
int view_ladder(int count, char **words);
int view_own_ladder(int count, char **words);
int view_one_step(int count, char **words);
int view_progress(int count, char **words);
int view_keep(int count, char **words);
int view_counting(int count, char **words);
int view_by_roof(int count, char **words);
int view_journal(int count, char **words);
int view_journal_records(int count, char **words);
int view_machines(int count, char **words);
int view_charts(int count, char **words);
int view_describe(int count, char **words);
int view_readme(int count, char **words);
int view_hint(int count, char **words);
int view_index(int count, char **words);
int view_accuracy(int count, char **words);
int view_compare(int count, char **words);
int view_table(int count, char **words);
int view_markdown(int count, char **words);

#endif
