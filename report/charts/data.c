// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What gnuplot reads of one problem's times, each file's name behind PROBLEM-:
 *
 * main.tsv      the steps on the problem's first input, then the baselines
 * main.gp       the numbers that are one for the whole chart: roofs, counts, names
 * machines.tsv  one data set for each file;     machines.gp  how many */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "lib/steps.h"

static double gtx680_number(const char *key) { return atof(gtx680(key)); }

static bool is_main(const struct problem *problem, const char *input) {
    return strcmp(input, problem->main_input) == 0;
}

/* The chart's range leaves room for all speedups, the roofs and the GTX 680. */
void find_range(struct problem *problem) {
    problem->best = problem->lowest = NAN;
    for (size_t i = 0; i < problem->mine.count; i++) {
        const struct row *row = problem->mine.row[i];
        problem->gtx680_steps += !isnan(row->gtx680_speedup);
        if (is_reference_point(row))
            continue;
        problem->best = larger(problem->best, over_reference(row));
        problem->lowest = smaller(problem->lowest, over_reference(row));
        problem->lowest = smaller(problem->lowest, row->gtx680_speedup);
    }
    for (size_t i = 0; i < problem->predicted.count; i++) {
        const struct row *row = problem->predicted.row[i];
        problem->best = larger(problem->best, predicted_speedup(problem, row->predicted_low_us));
        problem->lowest =
            smaller(problem->lowest, predicted_speedup(problem, row->predicted_high_us));
    }
}

const char *tick_name(const struct row *row) { return text_for_gnuplot(clip(step_shown(row), 28)); }

static void add_numbers(struct text *text, size_t count, const double *number) {
    for (size_t i = 0; i < count; i++)
        add(text, "\t%s", number_or_nan(number[i]));
}

static void add_main(struct text *text, const struct row *row, size_t column) {
    const double numbers[] = {
        row->speedup,        row->r.roof_fraction,
        row->synced_speedup, row->synced_fraction,
        row->gtx680_speedup, ratio_of(gtx680_number("roof"), row->gtx680_seconds)};
    add(text, "%zu\t%s\t%s", column, tick_name(row), text_for_gnuplot(row->r.verdict));
    add_numbers(text, sizeof numbers / sizeof *numbers, numbers);
    add(text, "\n");
}

/* The speedup of the fastest read that was waited for. */
static double roof_of_latency(const struct list *mine) {
    double best = NAN;
    for (size_t i = 0; i < mine->count; i++)
        if (strcmp(mine->row[i]->r.kind, "read") == 0)
            best = larger(best, mine->row[i]->synced_speedup);
    return best;
}

static void write_numbers(const struct problem *problem) {
    const struct charts *charts = problem->charts;
    const struct list *mine = &problem->mine;
    struct text text = {0};
    add(&text, "predicted = %zu\npredicted_name = %s\n", problem->predicted.count,
        gnuplot_text(charts->predicted ? charts->predicted->r.predicted_gpu : ""));
    add(&text, "steps = %zu\ncolumns = %zu\nbest = %s\nlowest = %s\n", problem->ranks.count,
        problem->columns, number_or_0(problem->best), number_or_0(problem->lowest));
    add(&text, "gtx680_steps = %zu\ngtx680_name = %s\n", problem->gtx680_steps,
        gnuplot_text(gtx680("name")));
    add(&text, "timed_latency = %d\nroof_latency = %s\n", !isnan(FIRST(mine, synced_us)),
        number_or_0(roof_of_latency(mine)));
    add(&text, "roof_gbps = %s\nspec_gbps = %s\nroof_speedup = %s\nspec_speedup = %s\n",
        number_or_0(FIRST(mine, r.roof_gbps)), number_or_0(FIRST(mine, device.spec_gbps)),
        number_or_0(FIRST(mine, roof_speedup)), number_or_0(FIRST(mine, spec_speedup)));
    write_data(problem, "main.gp", &text);
}

void write_main(struct problem *problem) {
    static const char header[] =
        "x\tstep\tverdict\tspeedup\troof_fraction\tsynced_speedup\tsynced_fraction\tgtx680_speedup\t"
        "gtx680_fraction\n";
    struct text text = {0};
    add(&text, "%s", header);
    for (size_t i = 0; i < problem->steps.count; i++) {
        const struct row *row = problem->steps.row[i];
        add_main(&text, row, rank_of(&problem->ranks, row->r.step));
    }
    problem->columns = problem->ranks.count;
    for (size_t i = 0; i < problem->mine.count; i++) {
        const struct row *row = problem->mine.row[i];
        if (!is_step(row) && !isnan(row->us) && !is_reference_point(row))
            add_main(&text, row, ++problem->columns);
    }
    write_data(problem, "main.tsv", &text);
    write_numbers(problem);
}

/* ---- the same steps several times ------------------------------------------------------------- */

static void begin_series(struct text *text, const char *title) {
    add(text, "%sx\tstep\t%s\n", text->length ? "\n\n" : "", text_for_gnuplot(title));
}

static void add_series(struct text *text, const struct problem *problem, const char *title,
                       int block, const char *input, const struct names *ranks) {
    begin_series(text, title);
    for (size_t i = 0; i < problem->rows.count; i++) {
        const struct row *row = problem->rows.row[i];
        if (row->block != block || !is_step(row) || strcmp(row->r.input, input) != 0)
            continue;
        const double numbers[] = {row->us, 100 * row->r.roof_fraction};
        size_t rank = rank_of(ranks, row->r.step);
        add(text, "%zu\t%s", rank, tick_name(row));
        add_numbers(text, 2, numbers);
        add(text, "\n");
    }
}

static struct text counts_of(const struct problem *problem, size_t series, size_t columns) {
    struct text text = {0};
    add(&text, "series = %zu\ncolumns = %zu\ngtx680 = %d\n", series, columns,
        problem->gtx680_steps > 0);
    return text;
}

bool has_machine_time(const struct problem *problem, const struct row *row) {
    return is_step(row) && is_main(problem, row->r.input) && !isnan(row->us);
}

static void add_machine(struct problem *problem, int block, struct text *data) {
    const struct machine *machine = &problem->machine[block];
    for (size_t i = 0; i < problem->rows.count; i++)
        if (problem->rows.row[i]->block == block &&
            has_machine_time(problem, problem->rows.row[i])) {
            problem->machine_series++;
            add_series(data, problem, say("%s, %s", clip(machine->gpu, 40), machine->date), block,
                       problem->main_input, &problem->machine_ranks);
            return;
        }
}

static void add_journal(const struct problem *problem, struct text *data) {
    begin_series(data, say("%s (the journal: latency)", gtx680("name")));
    for (size_t i = 0; i < problem->mine.count; i++) {
        const struct row *row = problem->mine.row[i];
        if (isnan(row->gtx680_seconds))
            continue;
        size_t rank = rank_of(&problem->machine_ranks, row->r.step);
        add(data, "%zu\t%s\t%s\t%s\n", rank, tick_name(row),
            plain_number(row->gtx680_seconds * 1000),
            plain_number(100 * gtx680_number("roof") / row->gtx680_seconds));
    }
}

/* Our own block first, then the others as they were named. */
void write_machines(struct problem *problem) {
    struct text data = {0};
    add_machine(problem, problem->charts->own, &data);
    for (int block = 2; block <= 1 + problem->charts->others; block++)
        if (block != problem->charts->own)
            add_machine(problem, block, &data);
    if (problem->gtx680_steps)
        add_journal(problem, &data);
    struct text text = counts_of(problem, problem->machine_series, problem->machine_ranks.count);
    write_data(problem, "machines.tsv", &data);
    write_data(problem, "machines.gp", &text);
}
