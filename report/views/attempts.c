// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* One's own attempts over time, from the history of the desk: when, what came out, how long a call
 * took, as a bar. */
#include <math.h>
#include <string.h>

#include "lib/steps.h"
#include "lib/text.h"
#include "results.h"
#include "views.h"

enum { MOST_ATTEMPTS = 30, BAR = 8 };

static double time_of(const struct row *row) {
    return !has_verdict(row, "pass") ? NAN : isnan(row->us) ? row->predicted_us : row->us;
}

/* The step's slowest attempt of those shown has a whole bar. */
static const char *bar_of(const struct rows *rows, size_t first, const struct row *at) {
    double slowest = NAN, us = time_of(at);
    for (size_t i = first; i < rows->count; i++)
        if (strcmp(rows->row[i]->r.step, at->r.step) == 0)
            slowest = larger(slowest, time_of(rows->row[i]));
    return isnan(us) ? "" : repeated("█", (size_t)lround(1 + (BAR - 1) * us / slowest));
}

static const char *shown_time(const struct row *row) {
    double us = time_of(row);
    return isnan(us) ? "" : say("%s%s us", isnan(row->us) ? "~" : "", significant(us, 4));
}

/* "11-25 22:48", in one piece on a phone. */
static const char *day_and_time(const char *when) {
    return strlen(when) != 20
               ? when
               : say("%.2s\xe2\x80\x91%.2s\xc2\xa0%.5s", when + 5, when + 8, when + 11);
}

void put_attempts(struct page *page, const char *history) {
    struct rows rows = {.all = true, .flagged = true, .skip_broken = true};
    if (!*history)
        return;
    read_rows(&rows, history);
    finish_rows(&rows);
    size_t first = rows.count > MOST_ATTEMPTS ? rows.count - MOST_ATTEMPTS : 0;
    if (!rows.count)
        return;
    struct table *table = new_table();
    table_column(table, "When", LEFT);
    table_column(table, "Step", LEFT);
    table_column(table, "Verdict", LEFT);
    table_column(table, "Time", RIGHT);
    table_column(table, "", LEFT);
    for (size_t i = rows.count; i-- > first;) {
        const struct row *at = rows.row[i];
        row(table);
        put(table, day_and_time(at->r.when));
        put(table, short_name(at->r.step));
        put(table, verdict_shown(at));
        put(table, shown_time(at));
        put(table, bar_of(&rows, first, at));
    }
    heading(page, 2, "Your attempts, the newest first");
    put_table(page, table);
    paragraph(
        page,
        "A time is of one call, and its bar against the slowest attempt at that step; one with a tilde is predicted, not measured.");
}
