/* What gnuplot draws of each ladder: times of a GPU, or where there are none, predicted ones; and
 * one's own attempts at it. */
#include <math.h>

#include "lib/counters.h"
#include "lib/steps.h"
#include "views/chosen.h"
#include "views/views.h"

struct charts {
    const char *out;    /* a folder */
    struct text script; /* for gnuplot */
};

/* What the numbers of a speedup chart are: of rows of the results, predicted or measured. */
struct speedups {
    const struct list *rows;
    bool predicted;
    size_t steps, count;
    double slowest; /* predicted times have no reference, and are held against this one */
    double lowest, best, roof;
};

/* ---- what gnuplot reads ------------------------------------------------------------------------
 *
 * Of one problem, each file's name behind PROBLEM-: main.tsv, the steps, then the baselines;
 * main.gp, what is one for the whole chart: roofs, counts, names. attempts.tsv and .gp are alike.
 */

static void write_data(const struct charts *charts, const char *problem, const char *name,
                       const struct text *text) {
    write_file(say("%s/%s-%s", charts->out, problem, name), bytes_of(text));
}

static const char *number_or_0(double value) { return plain_number(known(value)); }

static const char *quoted(const char *text) {
    return say("'%s'", replaced(text_for_gnuplot(text), "'", "''"));
}

static const char *whose(const char *submission) {
    return *submission ? say("%s: ", clip(submission, 24)) : "";
}

/* "opt_2dhisto, input walk, NVIDIA H200, 2026-11-29" */
static const char *title_of(const struct list *rows, bool predicted) {
    const struct row *one = rows->row[0];
    const struct row *last = NULL;
    foreach (row, rows)
        last = is_older(row, last) ? last : row;
    return say("%s%s, input %s, %s%s", whose(one->r.submission), one->r.problem, one->r.input,
               predicted ? say("%s, predicted for %s, not measured", predicted_size(one),
                               one->r.predicted_gpu)
                         : say("%s, ", clip(one->device.name, 40)),
               predicted ? "" : leading(last->r.when, 10));
}

/* So many pixels of an SVG high, as CHART.gp draws it. One gnuplot draws all charts: to begin one
 * for each costs as much as drawing. */
static void draw_high(struct charts *charts, const char *chart, const char *problem,
                      const char *heading, const char *title, int high) {
    const char *out = charts->out;
    add(&charts->script,
        "reset session\nset terminal svg size 1000,%d font 'sans-serif,11' background 'white'\n"
        "set output '%s/charts/%s.svg'\ndata = '%s/%s-'; heading = %s; title = %s; high = %d\n"
        "load 'report/%s.gp'\nunset output\n",
        high, out, chart_name(chart, problem), out, problem, quoted(heading), quoted(title), high,
        chart);
}

/* ---- the speedup chart -------------------------------------------------------------------------- */

static bool is_reference_point(const struct row *row) { /* the roof has a line of its own */
    return is_one_of(row->r.kind, "read empty");        /* an empty kernel reads nothing */
}

static double speedup_of(const struct speedups *all, const struct row *row, double us) {
    return all->predicted ? ratio_of(all->slowest, us) : isnan(us) ? NAN : row->speedup;
}

static void add_row(struct speedups *all, struct text *text, const struct row *row) {
    double us = all->predicted ? row->predicted_us : row->us;
    const double numbers[] = {speedup_of(all, row, us),
                              all->predicted ? speedup_of(all, row, row->predicted_high_us) : NAN,
                              all->predicted ? speedup_of(all, row, row->predicted_low_us) : NAN,
                              all->predicted ? predicted_roof(row) : row->r.roof_fraction,
                              row->synced_speedup,
                              row->synced_fraction};
    add(text, "%zu\t%s\t%s", ++all->count, text_for_gnuplot(clip(step_shown(row), 28)),
        text_for_gnuplot(row->r.verdict));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add(text, "\t%s", number_or_nan(numbers[i]));
    add(text, "\n");
    all->steps += is_step(row);
    all->best = fmax(all->best, fmax(numbers[0], numbers[2]));
    all->lowest = fmin(all->lowest, fmin(numbers[0], numbers[1]));
    if (all->predicted)
        all->roof = ratio_of(numbers[0], numbers[3]);
}

/* The speedup of the fastest read that was waited for. */
static double roof_of_latency(const struct list *rows) {
    double best = NAN;
    foreach (row, rows)
        if (same(row->r.kind, "read"))
            best = fmax(best, row->synced_speedup);
    return best;
}

static void write_numbers(const struct charts *charts, const struct speedups *all) {
    const struct list *rows = all->rows;
    const struct row *one = rows->row[0];
    double roof_gbps =
        all->predicted ? gpu_fact(one->r.predicted_gpu, "dram_gbps") : FIRST(rows, r.roof_gbps);
    struct text text = {0};
    add(&text, "predicted = %d\npredicted_name = %s\n", all->predicted,
        quoted(one->r.predicted_gpu));
    add(&text, "steps = %zu\ncolumns = %zu\nbest = %s\nlowest = %s\n", all->steps, all->count,
        number_or_0(all->best), number_or_0(all->lowest));
    add(&text, "timed_latency = %d\nroof_latency = %s\n", !isnan(FIRST(rows, synced_us)),
        number_or_0(roof_of_latency(rows)));
    add(&text, "roof_gbps = %s\nspec_gbps = %s\nroof_speedup = %s\nspec_speedup = %s\n",
        number_or_0(roof_gbps), number_or_0(FIRST(rows, device.spec_gbps)), number_or_0(all->roof),
        number_or_0(FIRST(rows, spec_speedup)));
    write_data(charts, one->r.problem, "main.gp", &text);
}

static void draw_speedups(struct charts *charts, const struct list *rows, bool predicted) {
    struct speedups all = {.rows = rows, .predicted = predicted, .slowest = NAN, .lowest = NAN};
    struct text text = {0};
    const char *problem = rows->row[0]->r.problem;
    all.best = NAN;
    all.roof = FIRST(rows, roof_speedup);
    add(&text, "x\tstep\tverdict\tspeedup\tspeedup_low\tspeedup_high\troof_fraction\t"
               "synced_speedup\tsynced_fraction\n");
    foreach (row, rows)
        all.slowest = fmax(all.slowest, row->predicted_us);
    foreach (row, rows)
        if (is_step(row) || (!isnan(row->us) && !is_reference_point(row)))
            add_row(&all, &text, row);
    if (isnan(all.best))
        return;
    write_data(charts, problem, "main.tsv", &text);
    write_numbers(charts, &all);
    draw_high(charts, "speedup", problem,
              say("Speedup over %s, and share of the roof%s",
                  predicted ? "the slowest step" : "one CPU thread",
                  predicted ? "; predicted, not measured" : ""),
              title_of(rows, predicted), 190 + 21 * (int)all.count);
}

/* ---- the chart of attempts ---------------------------------------------------------------------- */

struct attempts {
    struct text data, verdicts; /* the verdicts of attempts without a time, and their numbers */
    struct map number;
    size_t rows;
    double low, high;
    bool any_predicted;
};

static void add_attempt(struct attempts *all, size_t x, const struct row *row) {
    bool predicted = isnan(row->us), passed = has_verdict(row, "pass");
    double us = !passed ? NAN : predicted ? row->predicted_us : row->us;
    size_t *number = found(&all->number, verdict_shown(row), sizeof *number);
    if (isnan(us) && !*number) {
        *number = ++all->rows;
        add(&all->verdicts, "%s%s -%zu", *number > 1 ? ", " : "", quoted(verdict_shown(row)),
            *number);
    }
    add(&all->data, "%zu\t%s\t%s\t%s\n", x, number_or_nan(us), number_or_nan(predicted ? NAN : us),
        number_or_nan(isnan(us) ? -(double)*number : NAN));
    all->any_predicted |= predicted && !isnan(us);
    all->low = fmin(all->low, us);
    all->high = fmax(all->high, us);
}

/* A data set for each step, whose first line names it. */
static size_t add_steps(struct attempts *all, const struct list *list, size_t before) {
    struct list sorted = {0};
    foreach (row, list)
        list_row(&sorted, row);
    sort_rows(&sorted, "step");
    struct lists steps = group_rows(&sorted, "step");
    for (size_t s = 0; s < steps.count; s++) {
        const char *step = steps.list[s].row[0]->r.step;
        add(&all->data, "%s%s\n", s ? "\n\n" : "", text_for_gnuplot(clip(short_name(step), 16)));
        foreach (row, list)
            if (same(row->r.step, step))
                add_attempt(all, before + (size_t)(at_row - list->row) + 1, row);
    }
    return steps.count;
}

/* The newest of them, in their order. */
static void draw_attempts(struct charts *charts, const struct list *list) {
    enum { MOST_ATTEMPTS = 40 };
    size_t before = list->count > MOST_ATTEMPTS ? list->count - MOST_ATTEMPTS : 0;
    struct list last = {list->row + before, list->count - before};
    struct attempts all = {.low = NAN, .high = NAN};
    size_t steps = add_steps(&all, &last, before);
    struct text numbers = {0};
    const char *problem = last.row[0]->r.problem;
    const char *from = leading(last.row[0]->r.when, 10),
               *to = leading(last.row[last.count - 1]->r.when, 10);
    add(&numbers,
        "steps = %zu\nbefore = %zu\ncount = %zu\nrows = %zu\nlow = %s\nhigh_us = %s\n"
        "set ytics (%s)\n",
        steps, before, last.count, all.rows, number_or_0(all.low), number_or_0(all.high),
        bytes_of(&all.verdicts));
    write_data(charts, problem, "attempts.tsv", &all.data);
    write_data(charts, problem, "attempts.gp", &numbers);
    draw_high(charts, "attempts", problem, "Your attempts, one after the other",
              say("%s: %s%s, %s%s%s", problem, before ? "the last " : "",
                  plural((double)last.count, "attempt"), from,
                  same(from, to) ? "" : say(" to %s", to),
                  all.any_predicted ? "; hollow: predicted, not measured" : ""),
              138 + 18 * (int)((steps + 5) / 6) + (isnan(all.low) ? 0 : 242) + 22 * (int)all.rows);
}

static void draw_history(struct charts *charts, const char *history) {
    struct rows rows = {.all = true, .skip_broken = true, .quiet = true};
    read_rows(&rows, history);
    finish_rows(&rows);
    struct list list = all_rows(&rows);
    struct lists ladders = group_rows(&list, "problem");
    for (size_t i = 0; i < ladders.count; i++)
        draw_attempts(charts, &ladders.list[i]);
}

/* --out (a folder), --history (of the desk), then all files. */
int view_charts(int count, char **words) {
    struct charts charts = {.out = take_text("out", &count, &words)};
    const char *history = take_text("history", &count, &words);
    struct rows rows = {.newest = true};
    size_t ladders;
    rows_of(&rows, words, count);
    const struct chosen *chosen = choose_rows(&rows, &ladders);
    for (size_t i = 0; i < ladders; i++) {
        bool measured = !isnan(FIRST(&chosen[i].rows, us));
        const struct list *drawn = measured ? &chosen[i].rows : &chosen[i].predicted;
        if (drawn->count)
            draw_speedups(&charts, drawn, !measured);
    }
    if (*history)
        draw_history(&charts, history);
    write_file(say("%s/script.gp", charts.out), bytes_of(&charts.script));
    return rows.status;
}
