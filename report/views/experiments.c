// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* experiments/table: what was tried beside each base, what it changed, and why it did not help. An
 * experiment's record has the name "BASE, NAME", and that of a base which was measured once more
 * "BASE, again". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/page.h"
#include "lib/text.h"
#include "views.h"

/* Names in the order in which they come, each once. */
struct names {
    const char **name;
    size_t count;
};

struct base {
    const char *name, *problem;
    struct names inputs, experiments;
};

struct tables {
    const struct rows *rows;
    struct page *page;
    struct base *base;
    size_t bases;
    bool timed;
};

static void add_name(struct names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return;
    names->name = keep_more(names->name, names->count, sizeof *names->name);
    names->name[names->count++] = name;
}

static struct base *base_of(struct tables *tables, const char *name, const char *problem) {
    for (size_t i = 0; i < tables->bases; i++)
        if (strcmp(tables->base[i].name, name) == 0)
            return &tables->base[i];
    tables->base = keep_more(tables->base, tables->bases, sizeof *tables->base);
    tables->base[tables->bases] = (struct base){.name = name, .problem = problem};
    return &tables->base[tables->bases++];
}

static void collect(struct tables *tables) {
    for (size_t i = 0; i < tables->rows->count; i++) {
        const struct row *row = tables->rows->row[i];
        const char *behind = strstr(row->r.step, ", ");
        tables->timed |= !isnan(row->us);
        if (!behind || strcmp(behind, ", again") == 0)
            continue;
        struct base *base =
            base_of(tables, say("%.*s", (int)(behind - row->r.step), row->r.step), row->r.problem);
        add_name(&base->inputs, row->r.input);
        add_name(&base->experiments, row->r.step);
    }
}

/* ---- times ------------------------------------------------------------------------------------ */

static const struct row *row_of(const struct tables *tables, const struct base *base,
                                const char *name, size_t input) {
    const struct row *last = NULL;
    for (size_t i = 0; i < tables->rows->count; i++) {
        const struct row *row = tables->rows->row[i];
        if (strcmp(row->r.step, name) == 0 && strcmp(row->r.problem, base->problem) == 0 &&
            strcmp(row->r.input, base->inputs.name[input]) == 0)
            last = row;
    }
    return last;
}

static double us_of(const struct row *row) { return row ? row->us : NAN; }

static double synced_us_of(const struct row *row) { return row ? row->synced_us : NAN; }

static const char *hundredths(double us) { return isnan(us) ? "-" : say("%.2f", us); }

static const char *to_base(double us, double base_us) {
    double ratio = ratio_of(us, base_us);
    return isnan(ratio) ? "-" : say("%+.1f %%", 100 * (ratio - 1));
}

static void time_columns(const struct tables *tables, const struct base *base,
                         struct table *table) {
    for (size_t i = 0; i < base->inputs.count; i++) {
        table_column(table, base->inputs.name[i], RIGHT);
        if (!tables->timed)
            continue;
        table_column(table, "to base", RIGHT);
        table_column(table, "synchronized", RIGHT);
        table_column(table, "to base", RIGHT);
    }
}

/* Where there is no time, the verdict is what there is to say. */
static void put_times(const struct tables *tables, const struct base *base, struct table *table,
                      const char *name) {
    bool is_base = strcmp(name, base->name) == 0;
    for (size_t i = 0; i < base->inputs.count; i++) {
        const struct row *row = row_of(tables, base, name, i);
        const struct row *beside = is_base ? NULL : row_of(tables, base, base->name, i);
        put(table, row && isnan(row->us) ? row->r.verdict : hundredths(us_of(row)));
        if (!tables->timed)
            continue;
        put(table, to_base(us_of(row), us_of(beside)));
        put(table, hundredths(synced_us_of(row)));
        put(table, to_base(synced_us_of(row), synced_us_of(beside)));
    }
}

/* ---- tables ----------------------------------------------------------------------------------- */

static void put_row(const struct tables *tables, const struct base *base, struct table *table,
                    const char *label, const char *name) {
    row(table);
    put(table, label);
    put_times(tables, base, table, name);
}

static void write_summary(const struct tables *tables, const struct base *base) {
    struct table *table = new_table();
    struct names reads = {0};
    const char *again = say("%s, again", base->name);
    table_column(table, "", LEFT);
    time_columns(tables, base, table);
    put_row(tables, base, table, "base", base->name);
    if (row_of(tables, base, again, 0))
        put_row(tables, base, table, "base, measured again at the end", again);
    for (size_t i = 0; i < tables->rows->count; i++) {
        const struct record_fields *r = &tables->rows->row[i]->r;
        if (strcmp(r->kind, "read") == 0 && strcmp(r->problem, base->problem) == 0 &&
            !strstr(r->step, ", ") && strcmp(r->step, base->name) != 0)
            add_name(&reads, r->step);
    }
    for (size_t i = 0; i < reads.count; i++)
        put_row(tables, base, table, reads.name[i], reads.name[i]);
    put_table(tables->page, table);
}

/* An experiment's text in experiments/BASE.changes, up to its first change: the idea, and from "Why
 * not:" on the reason. Where it says "It helps:" instead, these words are a part of what is shown.
 */
static void read_reasons(const struct base *base, const char *name, const char **idea,
                         const char **reason) {
    const char *directory = getenv("EXPERIMENTS");
    const char **line =
        lines_of_file(say("%s/%s.changes", directory ? directory : "experiments", base->name));
    const char *heading = say("== %s", name);
    struct text text = {0};
    while (line && *line && strcmp(*line, heading) != 0)
        line++;
    while (line && *line && **line) /* what is known of it stands before the first empty line */
        line++;
    for (; line && *line && strcmp(*line, "@@") != 0 && !begins_with(*line, "== "); line++)
        if (**line)
            add(&text, "%s%s", text.length ? " " : "", *line);
    const char *all = bytes_of(&text), *why = strstr(all, " Why not: ");
    const char *helps = strstr(all, " It helps: ");
    const char *at = !why || (helps && helps < why) ? helps : why;
    *idea = at ? say("%.*s", (int)(at - all), all) : all;
    *reason = !at ? "" : at == why ? at + strlen(" Why not: ") : at + 1;
}

static const char *or_dash(const char *text) { return *text ? with_marks(text) : "-"; }

static void write_experiments(const struct tables *tables, const struct base *base) {
    struct table *table = new_table();
    table_column(table, "experiment", LEFT);
    table_column(table, "idea", LEFT);
    time_columns(tables, base, table);
    table_column(table, "why not", LEFT);
    for (size_t i = 0; i < base->experiments.count; i++) {
        const char *idea, *reason, *name = base->experiments.name[i] + strlen(base->name) + 2;
        read_reasons(base, name, &idea, &reason);
        row(table);
        put(table, name);
        put(table, or_dash(idea));
        put_times(tables, base, table, base->experiments.name[i]);
        put(table, or_dash(reason));
    }
    put_table(tables->page, table);
}

/* ---- order ------------------------------------------------------------------------------------ */

struct timed_name {
    const char *name;
    double us;
};

/* By the time on the first input, those without one last; then by name. */
static int by_time(const void *a, const void *b) {
    const struct timed_name *one = a, *other = b;
    if (isnan(one->us) || isnan(other->us) || one->us == other->us)
        return isnan(one->us) == isnan(other->us) ? strcmp(one->name, other->name)
                                                  : isnan(one->us) - isnan(other->us);
    return one->us < other->us ? -1 : 1;
}

static void sort_experiments(const struct tables *tables, struct base *base) {
    size_t count = base->experiments.count;
    struct timed_name **timed = keep((count + 1) * sizeof *timed);
    for (size_t i = 0; i < count; i++) {
        const char *name = base->experiments.name[i];
        timed[i] = keep(sizeof **timed);
        *timed[i] = (struct timed_name){name, us_of(row_of(tables, base, name, 0))};
    }
    sort_stably(timed, count, by_time);
    for (size_t i = 0; i < count; i++)
        base->experiments.name[i] = timed[i]->name;
}

int view_experiments(int count, char **words) {
    struct rows rows = {0};
    rows_of(&rows, words, count);
    struct tables tables = {.rows = &rows, .page = new_page()};
    collect(&tables);
    if (rows.count)
        paragraph(tables.page,
                  say("%s, %s. %s", rows.row[0]->device.name, leading(rows.row[0]->r.when, 10),
                      tables.timed ? "Microseconds for a call, back to back and with a "
                                     "synchronization after each."
                                   : "Times are not measured there."));
    for (size_t i = 0; i < tables.bases; i++) {
        heading(tables.page, 2, tables.base[i].name);
        if (tables.timed)
            write_summary(&tables, &tables.base[i]);
        sort_experiments(&tables, &tables.base[i]);
        write_experiments(&tables, &tables.base[i]);
    }
    write_page(tables.page, MARKDOWN, stdout);
    return rows.status;
}
