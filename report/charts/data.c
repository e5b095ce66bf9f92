/* What gnuplot reads of one problem's times, each file's name behind PROBLEM-:
 *
 * main.tsv      the steps on the problem's first input, then the baselines
 * main.gp       the numbers that are one for the whole chart: roofs, counts, names */
#include <math.h>
#include <stdlib.h>

#include "chart.h"
#include "lib/steps.h"

static double gtx680_number(const char *key) { return atof(gtx680(key)); }

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

static const char *tick_name(const struct row *row) {
    return text_for_gnuplot(clip(step_shown(row), 28));
}

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
        if (same(mine->row[i]->r.kind, "read"))
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
        add_main(&text, row, rank_of(problem, row->r.step));
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
