/* One's own attempts over time, from the history of the desk: when, what came out, how long a call
 * took. As a chart, and as a table of the same. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart.h"
#include "lib/steps.h"
#include "lib/svg.h"
#include "views/results.h"

enum { MOST_ATTEMPTS = 40 };

/* The newest, in the order in which they were made. */
static struct list attempts_in(const char *history) {
    struct rows rows = {.all = true, .flagged = true, .skip_broken = true};
    struct list last = {0};
    if (*history) {
        read_rows(&rows, history);
        finish_rows(&rows);
    }
    for (size_t i = rows.count > MOST_ATTEMPTS ? rows.count - MOST_ATTEMPTS : 0; i < rows.count;
         i++)
        list_row(&last, rows.row[i]);
    return last;
}

static double time_of(const struct row *row) {
    return !has_verdict(row, "pass") ? NAN : isnan(row->us) ? row->predicted_us : row->us;
}

static const char *shown_time(const struct row *row) {
    double us = time_of(row);
    bool predicted = isnan(row->us);
    return isnan(us) ? ""
                     : say("%s%s us", predicted ? "~" : "", significant(us, predicted ? 3 : 4));
}

/* ---- the chart ---------------------------------------------------------------------------------- */

/* Of each step a data set, so that a line joins its attempts. */
static void add_step(struct text *text, const struct list *list, const char *step, double lowest) {
    add(text, "%sx\tus\tpredicted\tverdict\tlabel\n", text->length ? "\n\n" : "");
    for (size_t i = 0; i < list->count; i++) {
        const struct row *row = list->row[i];
        bool first = !i || strcmp(list->row[i - 1]->r.step, step) != 0;
        if (strcmp(row->r.step, step) != 0)
            continue;
        add(text, "%zu\t%s\t%d\t%s\t%s\n", i + 1,
            plain_number(isnan(time_of(row)) ? lowest : time_of(row)), isnan(row->us),
            text_for_gnuplot(row->r.verdict), first ? text_for_gnuplot(short_name(step)) : "-");
    }
}

/* "12 attempts, from 2026-11-25 to 2026-11-26: 7 pass, 3 wrong, 2 hazard. opt05: ~40.1 us at first,
 * ~35.4 us in the end. " */
static const char *attempts_in_words(const struct list *list, const struct names *steps) {
    struct text text = {0};
    struct map seen = {0};
    const char *first = leading(list->row[0]->r.when, 10);
    const char *last = leading(list->row[list->count - 1]->r.when, 10);
    add(&text, "Your %s %s%s: ", list->count == MOST_ATTEMPTS ? "last" : "first",
        plural(list->count, "attempt"),
        strcmp(first, last) == 0 ? say(", on %s", first) : say(", from %s to %s", first, last));
    for (size_t i = 0; i < list->count; i++) {
        const char *verdict = list->row[i]->r.verdict;
        size_t count = 0;
        if (*find(&seen, verdict))
            continue;
        *find(&seen, verdict) = &seen;
        for (size_t j = i; j < list->count; j++)
            count += has_verdict(list->row[j], verdict);
        add(&text, "%s%zu %s", i ? ", " : "", count, verdict);
    }
    add(&text, ". A point is the time of a call; hollow, with a tilde: predicted, not measured. ");
    for (size_t s = 0; s < steps->count; s++) {
        const struct row *from = NULL, *to = NULL;
        for (size_t i = 0; i < list->count; i++)
            if (strcmp(list->row[i]->r.step, steps->name[s]) == 0 &&
                !isnan(time_of(list->row[i]))) {
                from = from ? from : list->row[i];
                to = list->row[i];
            }
        if (from != to && strcmp(shown_time(from), shown_time(to)) != 0)
            add(&text, "%s: %s at first, %s in the end. ", short_name(steps->name[s]),
                shown_time(from), shown_time(to));
    }
    return text.bytes;
}

void draw_attempts(struct charts *charts, const char *history) {
    struct list list = attempts_in(history);
    struct names steps = {0};
    struct text data = {0}, numbers = {0};
    double lowest = NAN, highest = NAN;
    for (size_t i = 0; i < list.count; i++) {
        add_name(&steps, list.row[i]->r.step);
        lowest = smaller(lowest, time_of(list.row[i]));
        highest = larger(highest, time_of(list.row[i]));
    }
    if (!list.count)
        return;
    for (size_t s = 0; s < steps.count; s++)
        add_step(&data, &list, steps.name[s], isnan(lowest) ? 1 : lowest);
    add(&numbers, "steps = %zu\nattempts = %zu\nlowest = %s\nhighest = %s\n", steps.count,
        list.count, number_or_0(lowest), number_or_0(highest));
    write_file(say("%s/own-attempts.tsv", charts->out), bytes_of(&data));
    write_file(say("%s/own-attempts.gp", charts->out), bytes_of(&numbers));
    draw_high(charts, "own", "attempts", "Your attempts", "the time of a call, one after the other",
              attempts_in_words(&list, &steps), 400);
}

/* ---- the table ---------------------------------------------------------------------------------- */

/* "11-25 22:48", in one piece on a phone. */
static const char *day_and_time(const char *when) {
    return strlen(when) != 20
               ? when
               : say("%.2s\xe2\x80\x91%.2s\xc2\xa0%.5s", when + 5, when + 8, when + 11);
}

void put_attempts(struct page *page, const char *history, const char *folder, const char *chart) {
    struct list list = attempts_in(history);
    const char *path = say("%s/%s", folder, chart);
    if (!list.count)
        return;
    struct table *table = table_of("When|Step|Verdict|>Time of a call");
    for (size_t i = list.count; i--;) {
        const struct row *at = list.row[i];
        put_row(table, day_and_time(at->r.when), short_name(at->r.step), verdict_shown(at),
                shown_time(at));
    }
    heading(page, 2, "Your attempts");
    if (file_text(path))
        image(page, chart, svg_text(path, "desc"), svg_text(path, "title"));
    fold(page, "As a table, the newest first", !file_text(path));
    put_table(page, table);
    unfold(page);
}
