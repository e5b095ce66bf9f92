/* Parts of the page of one step, which one_step.c puts together. */
#pragma once

#include "lib/page.h"
#include "lib/rows.h"

/* Of the lines of a log; `log` is what that is called, or "".
 *
 * The first errors of the compiler, each with the lines that it shows for it; `detail` where the
 * log has none. */
void put_errors(struct page *page, const char **line, const char *log, const char *detail);

/* The first warnings of the compiler about the step's own lines. */
void put_warnings(struct page *page, const char *log, const char *step, int most);

/* What the step printed in the trial that made the verdict: the first lines, of the first call (or
 * set-up) that printed. */
void put_printed(struct page *page, const char **line, const char *log, bool passed);
