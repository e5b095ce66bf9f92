/* What charts show from counters: predicted times in the speedup chart, and the roofline. Files:
 *
 * predicted.tsv  predicted speedups of the results' own steps, with their 90 % intervals
 * roofline.tsv   a data set for each roof: x is its share of a step's time in per cent. The last
 * one is about each step as a whole: y, its name, the largest share, its limit in words roofline.gp
 * names, how many steps, where the axis begins */
#include <math.h>

#include "chart.h"
#include "lib/counters.h"

/* ---- predicted times -------------------------------------------------------------------------- */

bool is_predicted(const struct row *row) { return is_step(row) && !isnan(row->predicted_us); }

/* Of the results, where the times that are drawn are another GPU's. */
void select_predicted(struct problem *problem) {
    const struct charts *charts = problem->charts;
    const struct row *one = charts->predicted, *other = NULL;
    const char *size = problem->mine.count ? predicted_size(problem->mine.row[0]) : "";
    for (size_t i = 0; one && i < charts->rows.count; i++) {
        struct row *row = charts->rows.row[i];
        if (row->file != charts->file || !is_predicted(row) ||
            !same(row->r.problem, problem->name) || !same(row->r.submission, one->r.submission))
            continue;
        if (!problem->counted.count || same(row->r.input, problem->counted.row[0]->r.input))
            list_row(&problem->counted, row);
        if (!same(row->r.input, problem->main_input) || !same(predicted_size(row), size))
            other = row;
        else
            list_row(&problem->predicted, row);
    }
    if (other && !problem->predicted.count)
        printf("What was predicted is of input %s, %s, and stands beside no recorded time: those "
               "are of input %s, %s. Grade with that --input and --size.\n",
               printable(other->r.input), predicted_size(other), printable(problem->main_input),
               size);
}

/* Over the same reference as the recorded ones. */
double predicted_speedup(const struct problem *problem, double us) {
    return ratio_of(FIRST(&problem->mine, reference) * 1000, us);
}

void write_predicted(const struct problem *problem) {
    struct text text = {0};
    add(&text, "x\tstep\tspeedup\tspeedup_low\tspeedup_high\n");
    foreach (row, &problem->predicted) {
        const double us[] = {row->predicted_us, row->predicted_high_us, row->predicted_low_us};
        add(&text, "%zu\t%s", rank_of(problem, row->r.step), text_for_gnuplot(row->r.step));
        for (int j = 0; j < 3; j++)
            add(&text, "\t%s", number_or_nan(predicted_speedup(problem, us[j])));
        add(&text, "\n");
    }
    write_data(problem, "predicted.tsv", &text);
}

/* ---- roofline --------------------------------------------------------------------------------- */

/* The row with counters of what a GPU measured in that row: of the same source, input and size, and
 * for that GPU. The last one counts. */
static const struct row *counted_row(const struct charts *charts, const struct row *row) {
    for (size_t i = charts->read.count; i-- > 0;) {
        const struct row *counted = charts->read.row[i];
        if (!isnan(counted->predicted_us) && counted->r.predicted_shares.count &&
            same(counted->r.source_sha256, row->r.source_sha256) &&
            same(key_of(counted, "step problem input"), key_of(row, "step problem input")) &&
            same(predicted_size(counted), predicted_size(row)) &&
            is_named_gpu(row->device.name, counted->r.predicted_gpu))
            return counted;
    }
    return NULL;
}

/* Of the GPU that a row is predicted for, as far as a record that it measured says. */
static double sms_of(const struct problem *problem, const struct row *counted) {
    foreach (row, &problem->rows)
        if (row->device.sms > 0 && is_named_gpu(row->device.name, counted->r.predicted_gpu))
            return row->device.sms;
    return NAN;
}

/* Which share of the multiprocessors has a block of the largest launch; 1 where nobody knows. */
static double working_share(const struct row *counted, double sms) {
    double blocks = NAN;
    foreach_object (launches, launch, counted->r.launches)
        blocks = fmax(blocks, launch->blocks);
    return fmin(1, blocks / sms);
}

/* One more step: the shares of the predicted time, times `scale` those of the measured one. */
static void add_roofs(struct problem *problem, const struct row *row, const struct row *counted,
                      double scale) {
    struct roofline roof = {.row = row, .largest = -1, .limit = counted->r.predicted_limit};
    roof.sms = sms_of(problem, counted);
    roof.working = working_share(counted, roof.sms);
    for (int i = 0; i < ROOFS; i++) {
        double share = predicted_share(counted, units[i].name);
        roof.share[i] = share > 0 ? share * scale * (units[i].each ? roof.working : 1) : NAN;
        if (share > 0 && (roof.largest < 0 || roof.share[i] > roof.share[roof.largest]))
            roof.largest = i;
    }
    if (roof.largest < 0)
        return;
    append(problem->roof, problem->roofs, roof);
    problem->least_roof = fmin(problem->least_roof, roof.share[roof.largest]);
}

static const char *working_in_words(const struct roofline *roof) {
    return say("%.0f of %.0f multiprocessors", roof->working * roof->sms, roof->sms);
}

/* Which roof a step is under and how far below: "DRAM: 98 %", "waits (latency); DRAM: 41 %". */
static const char *label_of_roof(const struct roofline *roof) {
    bool waits = same(roof->limit, "latency");
    if (roof->working < 1)
        return say("%s: %s", working_in_words(roof), unit_of(roof->limit).roof);
    return say("%s%s: %s %%", waits ? "waits (latency); " : "", units[roof->largest].roof,
               significant(100 * roof->share[roof->largest], 2));
}

static void write_roofs(const struct problem *problem) {
    struct text text = {0}, names = {0};
    for (int i = 0; i < ROOFS; i++) {
        add(&text, "%sshare\ty\tname\n", i ? "\n\n" : "");
        for (size_t s = 0; s < problem->roofs; s++)
            add(&text, "%s\t%zu\t-\n", number_or_nan(100 * problem->roof[s].share[i]), s + 1);
        add(&names, "%s'%s'", i ? ", " : "", units[i].roof);
    }
    add(&text, "\n\nshare\ty\tname\tlimit\n");
    for (size_t s = 0; s < problem->roofs; s++) {
        const struct roofline *roof = &problem->roof[s];
        add(&text, "%s\t%zu\t%s\t%s\n", number_or_nan(100 * roof->share[roof->largest]), s + 1,
            text_for_gnuplot(clip(roof->row->r.step, 28)), label_of_roof(roof));
    }
    write_data(problem, "roofline.tsv", &text);
    text = (struct text){0};
    add(&text, "steps = %zu\nleast = %s\nroofs = %d\narray roof_names[%d] = [%s]\n", problem->roofs,
        plain_number(100 * problem->least_roof), ROOFS, ROOFS, bytes_of(&names));
    add(&text, "of_time = '%s time'\n", problem->counted.count ? "predicted" : "measured");
    write_data(problem, "roofline.gp", &text);
}

void write_roofline(struct problem *problem) {
    problem->least_roof = 0.1;
    foreach (row, &problem->counted)
        add_roofs(problem, row, row, 1);
    for (size_t i = 0; i < problem->steps.count && !problem->counted.count; i++) {
        const struct row *row = problem->steps.row[i];
        const struct row *counted = isnan(row->us) ? NULL : counted_row(problem->charts, row);
        if (counted)
            add_roofs(problem, row, counted, ratio_of(counted->predicted_us, row->us));
    }
    if (problem->roofs)
        write_roofs(problem);
}

const char *roofline_title(const struct problem *problem) {
    const struct row *row = problem->counted.row[0], *one = problem->charts->predicted;
    return say("%s%s, input %s, %s, predicted for %s, not measured", whose(one->r.submission),
               problem->name, row->r.input, predicted_size(row), one->r.predicted_gpu);
}
