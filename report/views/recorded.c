/* What is kept of results, and what is shown of what was kept: report/keep, report/machines. */
#include <math.h>
#include <string.h>

#include "chosen.h"
#include "lib/page.h"
#include "lib/steps.h"
#include "results.h"
#include "views.h"

/* ---- keep ------------------------------------------------------------------------------------- */

static void check_kept(const struct rows *rows) {
    foreach (row, rows) {
        if (!same(row->device.kind, "gpu"))
            give_up(1, say("not kept: the %s device times nothing. Grade on a machine with a GPU.",
                           row->device.kind));
        /* sum01, which is meant to be wrong, passes on sums that stay small. */
        if (is_step(row) && !row->success)
            give_up(
                1, say("not kept: %s: %s. Mend it, and grade again.", row->r.step, row->r.verdict));
        if (!same(row->device.name, rows->row[0]->device.name))
            give_up(1, "not kept: they come from several GPUs. Keep them one by one.");
    }
}

/* Prints a file's name for the GPU of these rows, or says why they cannot be kept. */
int view_keep(int count, char **words) {
    struct rows rows = {0};
    rows_of(&rows, words, count);
    check_kept(&rows);
    puts(slug(rows.row[0]->device.name));
    return rows.status;
}

/* The records of files that count, each as the line that it stands in. With --chosen=STEP... only
 * those of these steps, and of what these steps' problems are compared with. */
int view_counting(int count, char **words) {
    struct rows rows = {0};
    struct map files = {0}, chosen = {0};
    bool all = true;
    for (const char *step; (step = take_option("chosen", &count, &words)); all = false)
        is_new(&chosen, step);
    rows_of(&rows, words, count);
    foreach (row, &rows)
        if (is_step(row) && *find(&chosen, row->r.step))
            is_new(&chosen, say("problem %s", row->r.problem));
    foreach (row, &rows)
        if (all || *find(&chosen, is_step(row) ? row->r.step : say("problem %s", row->r.problem)))
            puts(record_of(&files, row));
    return rows.status;
}

/* ---- machines: what each step is worth on each GPU --------------------------------------------- */

static void put_us(struct table *table, double us, double before) {
    put_cells(table, significant(us, 4), with_unit(ratio_of(before, us), 3, "x"));
}

/* steps: a row of each, in order. */
static void put_step(struct table *table, const struct lists *machines, const struct list *steps,
                     size_t at) {
    const char *step = steps->row[at]->r.step, *before = at ? steps->row[at - 1]->r.step : "";
    put_row(table, code(step), with_marks(steps->row[at]->title));
    for (size_t m = 0; m < machines->count; m++) {
        const struct row *shown = row_of(&machines->list[m], step);
        const struct row *other = row_of(&machines->list[m], before);
        put_us(table, shown ? shown->us : NAN, other ? other->us : NAN);
        put(table, significant(shown ? 100 * shown->r.roof_fraction : NAN, 3));
    }
    if (!isnan(FIRST(steps, gtx680_seconds)))
        put_us(table, 1000 * steps->row[at]->gtx680_seconds,
               at ? 1000 * steps->row[at - 1]->gtx680_seconds : NAN);
}

static void write_problem(struct page *page, const struct list *rows) {
    struct table *table = table_of("step|");
    struct lists machines = group_rows(rows, "device"), each = group_rows(rows, "step");
    struct list steps = {0};
    heading(page, 2, say("%s, input %s", rows->row[0]->r.problem, rows->row[0]->r.input));
    for (size_t m = 0; m < machines.count; m++) {
        const struct row *first = machines.list[m].row[0];
        table_column(table, say("%s, %s: us", first->device.name, leading(first->r.when, 10)),
                     RIGHT);
        table_columns(table, ">step before|>% of the roof");
    }
    for (size_t i = 0; i < each.count; i++)
        list_row(&steps, each.list[i].row[0]);
    if (!isnan(FIRST(&steps, gtx680_seconds)))
        table_columns(table, say(">%s (the journal: latency): us|>step before", gtx680("name")));
    sort_rows(&steps, "");
    for (size_t i = 0; i < steps.count; i++)
        put_step(table, &machines, &steps, i);
    put_table(page, table);
}

int view_machines(int count, char **words) {
    struct list steps = {0};
    int status = 0;
    struct page *page = new_page();
    for (int m = 0; m < count; m++) {
        struct rows rows = {.newest = true};
        size_t ladders;
        rows_of(&rows, &words[m], 1);
        status |= rows.status;
        const struct chosen *chosen = choose_rows(&rows, &ladders);
        for (size_t i = 0; i < ladders; i++)
            foreach (row, &chosen[i].rows)
                if (is_step(row))
                    list_row(&steps, row);
    }
    struct lists problems = group_rows(&steps, "problem");
    heading(page, 1, "Which step matters where");
    paragraph(
        page,
        "Of each GPU that results are recorded of: the time of one call, how often it fits into that of the step "
        "before (below 1 it takes longer), and what share of the GPU's own roof it reaches, the fastest read measured in "
        "the same run. Written by report/machines; do not edit.");
    for (size_t i = 0; i < problems.count; i++)
        write_problem(page, &problems.list[i]);
    write_page(page, MARKDOWN, stdout);
    return status;
}

/* ---- readme ----------------------------------------------------------------------------------- */

int view_readme(int count, char **words) {
    struct rows rows = {.newest = true};
    struct page *page = new_page();
    struct list shown = {0};
    size_t ladders;
    rows_of(&rows, words, count);
    const struct chosen *chosen = choose_rows(&rows, &ladders);
    heading(page, 1, "Recorded results");
    as_it_is(page, "Of one GPU; [machines.md](machines.md) has the others "
                   "beside it, [README.md](README.md) says how they were measured. Written by "
                   "report/machines; do not edit.\n");
    for (size_t i = 0; i < ladders; i++)
        foreach (row, &chosen[i].rows)
            list_row(&shown, row);
    put_groups(page, &shown, NULL);
    write_page(page, MARKDOWN, stdout);
    return rows.status;
}
