/* Which charts there are, and which rows they show. Only times of a GPU are drawn: the results'
 * own, or where they hold none those of a recorded GPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/rows.h"
#include "lib/steps.h"
#include "lib/text.h"
#include "views/views.h"

/* The rows of all files, of which one is the results and the others are recorded. */
struct charts {
    struct list read, rows; /* as they stand in the files; in the ladder's order */
    const char *results, *how, *out;
    const char *file, *own; /* that of the results; the one whose times are drawn, NULL for none */
    const char *submission;
    const struct row *predicted; /* the first of the results whose predicted times are drawn */
    struct text uncounted;       /* problems without a roofline */
    struct text script, names;   /* for gnuplot; of the charts */
};

/* A step under its roofs: what share of its time each unit would need. */
struct roofline {
    const struct row *row;
    double share[ROOFS], sms, working; /* working: the share of multiprocessors with a block */
    int largest;
    const char *limit;
};

/* One problem's charts: rows of one submission and one GPU. */
struct problem {
    struct charts *charts;
    const char *name, *main_input, *gpu, *date; /* date: of the newest row on the main input */
    struct list rows, mine, steps;              /* mine: on the main input; steps: of these */
    struct list predicted; /* of the results, of the same input and size as the recorded ones */
    struct list counted;   /* all of the results on the first of its inputs */
    struct words ranks;    /* names of steps in alphabetical order */
    size_t columns, gtx680_steps;
    double best, lowest;
    struct roofline *roof;
    size_t roofs;
    double least_roof;
};

/* ---- which rows are drawn --------------------------------------------------------------------- */

static bool is_predicted(const struct row *row) {
    return is_step(row) && !isnan(row->predicted_us);
}

static bool is_timed(const struct row *row) {
    return is_step(row) && same(row->device.kind, "gpu") && !isnan(row->us);
}

/* The first of the file that has such a time. */
static const struct row *find_time(const struct charts *charts, const char *file,
                                   bool (*has_time)(const struct row *row)) {
    foreach (row, &charts->rows)
        if (row->file == file && has_time(row))
            return row;
    return NULL;
}

/* Of the recorded GPU that the results are predicted for, or else of the one with the fastest
 * memory; of equals the first. */
static const struct row *recorded_to_show(const struct charts *charts) {
    const struct row *best = NULL, *own = charts->predicted;
    double most = -1;
    foreach (row, &charts->read) {
        bool is_own = own && is_named_gpu(row->device.name, own->r.predicted_gpu);
        double rank = known(row->r.roof_gbps) + (is_own ? 1e9 : 0);
        if (row->file == charts->file || !is_timed(row) || rank <= most)
            continue;
        best = row;
        most = rank;
    }
    return best ? find_time(charts, best->file, is_timed) : NULL;
}

static void choose_file(struct charts *charts) {
    const struct row *first = find_time(charts, charts->file, is_timed);
    if (!first) {
        charts->predicted = find_time(charts, charts->file, is_predicted);
        first = recorded_to_show(charts);
        charts->how = "recorded";
        if (first)
            printf(
                "%s holds no times of a GPU: the charts show those recorded in %s, of ladders that "
                "it has.\n",
                printable(charts->results), printable(base_name(first->file)));
    }
    if (!first) {
        printf("No charts: %s holds no times of a GPU, and report/recorded holds none either. "
               "Grade on a machine with an NVIDIA GPU, then: report/plot RESULTS.jsonl OUTDIR\n",
               printable(charts->results));
        return;
    }
    charts->own = first->file;
    charts->submission = first->r.submission;
}

/* ---- the rows of a problem -------------------------------------------------------------------- */

static bool is_reference_point(const struct row *row) { /* the roof has a line of its own */
    return same(row->r.kind, "read") ||
           same(row->r.kind, "empty"); /* an empty kernel reads nothing */
}

static const char *whose(const char *submission) {
    return *submission ? say("%s: ", clip(submission, 24)) : "";
}

static void select_rows(struct problem *problem) {
    const struct charts *charts = problem->charts;
    foreach (row, &charts->rows) {
        const char *when = leading(row->r.when, 10);
        if (row->file != charts->own || !same(row->r.problem, problem->name) ||
            !same(row->device.kind, "gpu") || !same(row->r.submission, charts->submission))
            continue;
        problem->gpu = problem->gpu ? problem->gpu : row->device.name;
        if (!same(row->device.name, problem->gpu))
            continue;
        list_row(&problem->rows, row);
        problem->main_input = otherwise(problem->main_input, row->r.input);
        if (!same(row->r.input, problem->main_input))
            continue;
        problem->date = strcmp(when, problem->date) > 0 ? when : problem->date;
        list_row(&problem->mine, row);
        if (is_step(row))
            list_row(&problem->steps, row);
    }
}

static size_t rank_of(const struct problem *problem, const char *step) {
    size_t i = 0;
    while (!same(problem->ranks.word[i], step))
        i++;
    return i + 1;
}

static void rank_steps(struct problem *problem) {
    const struct list *lists[] = {&problem->predicted, &problem->rows};
    struct map seen = {0};
    for (int i = 0; i < 2; i++)
        foreach (row, lists[i])
            if (is_step(row) && is_new(&seen, row->r.step))
                add_word(&problem->ranks, row->r.step);
    sort_texts(problem->ranks.word, problem->ranks.count);
}

/* ---- what gnuplot reads ------------------------------------------------------------------------
 *
 * Of one problem's times, each file's name behind PROBLEM-: main.tsv, the steps on the problem's
 * first input, then the baselines; main.gp, the numbers that are one for the whole chart: roofs,
 * counts, names.
 *
 * predicted.tsv  predicted speedups of the results' own steps, with their 90 % intervals
 * roofline.tsv   a data set for each roof: x is its share of a step's time in per cent. The last
 * one is about each step as a whole: y, its name, the largest share, its limit in words roofline.gp
 * names, how many steps, where the axis begins */

static void write_data(const struct problem *problem, const char *name, const struct text *text) {
    write_file(say("%s/%s-%s", problem->charts->out, problem->name, name), bytes_of(text));
}

static const char *number_or_0(double value) { return plain_number(isnan(value) ? 0 : value); }

static const char *gnuplot_text(const char *text) {
    return say("'%s'", replaced(text_for_gnuplot(text), "'", "''"));
}

/* ---- predicted times -------------------------------------------------------------------------- */

/* Of the results, where the times that are drawn are another GPU's. */
static void select_predicted(struct problem *problem) {
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
static double predicted_speedup(const struct problem *problem, double us) {
    return ratio_of(FIRST(&problem->mine, reference) * 1000, us);
}

static void write_predicted(const struct problem *problem) {
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

static void write_roofline(struct problem *problem) {
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

static const char *roofline_title(const struct problem *problem) {
    const struct row *row = problem->counted.row[0], *one = problem->charts->predicted;
    return say("%s%s, input %s, %s, predicted for %s, not measured", whose(one->r.submission),
               problem->name, row->r.input, predicted_size(row), one->r.predicted_gpu);
}

/* ---- the speedup chart -------------------------------------------------------------------------- */

/* The chart's range leaves room for all speedups, the roofs and the GTX 680. */
static void find_range(struct problem *problem) {
    problem->best = problem->lowest = NAN;
    foreach (row, &problem->mine) {
        problem->gtx680_steps += !isnan(row->gtx680_speedup);
        if (is_reference_point(row))
            continue;
        problem->best = fmax(problem->best, row->speedup);
        problem->lowest = fmin(problem->lowest, row->speedup);
        problem->lowest = fmin(problem->lowest, row->gtx680_speedup);
    }
    foreach (row, &problem->predicted) {
        problem->best = fmax(problem->best, predicted_speedup(problem, row->predicted_low_us));
        problem->lowest = fmin(problem->lowest, predicted_speedup(problem, row->predicted_high_us));
    }
}

static void add_main(struct text *text, const struct row *row, size_t column) {
    const double numbers[] = {
        row->speedup,        row->r.roof_fraction,
        row->synced_speedup, row->synced_fraction,
        row->gtx680_speedup, ratio_of(atof(gtx680("roof")), row->gtx680_seconds)};
    add(text, "%zu\t%s\t%s", column, text_for_gnuplot(clip(step_shown(row), 28)),
        text_for_gnuplot(row->r.verdict));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add(text, "\t%s", number_or_nan(numbers[i]));
    add(text, "\n");
}

/* The speedup of the fastest read that was waited for. */
static double roof_of_latency(const struct list *mine) {
    double best = NAN;
    foreach (row, mine)
        if (same(row->r.kind, "read"))
            best = fmax(best, row->synced_speedup);
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

static void write_main(struct problem *problem) {
    struct text text = {0};
    add(&text, "x\tstep\tverdict\tspeedup\troof_fraction\tsynced_speedup\tsynced_fraction\t"
               "gtx680_speedup\tgtx680_fraction\n");
    foreach (row, &problem->steps) {
        add_main(&text, row, rank_of(problem, row->r.step));
    }
    problem->columns = problem->ranks.count;
    foreach (row, &problem->mine)
        if (!is_step(row) && !isnan(row->us) && !is_reference_point(row))
            add_main(&text, row, ++problem->columns);
    write_data(problem, "main.tsv", &text);
    write_numbers(problem);
}

/* ---- what gnuplot draws ----------------------------------------------------------------------- */

static const char *speedup_heading(const struct problem *problem) {
    static const char heading[] = "Speedup over one CPU thread, and share of the roof";
    const struct row *one = problem->charts->predicted;
    if (!problem->predicted.count)
        return heading;
    return say("%s; hollow: %s, predicted, not measured", heading,
               *one->r.submission ? clip(one->r.submission, 24) : "your own steps");
}

static const char *without_quotes(const char *text) { return replaced(printable(text), "'", ""); }

/* So many pixels of an SVG high, as CHART.gp draws it. One gnuplot draws all
 * charts: to begin one for each costs as much as drawing. */
static void draw_high(const struct problem *problem, const char *chart, const char *heading,
                      const char *title, int high) {
    struct charts *charts = problem->charts;
    const char *out = charts->out, *name = chart_name(chart, problem->name);
    heading = without_quotes(heading);
    title = without_quotes(title);
    add(&charts->script,
        "reset session\nset terminal svg size 1000,%d font 'sans-serif,11' background 'white'\n"
        "set output '%s/charts/%s.svg'\n"
        "style = 'report/style.gp'; data = '%s/%s-'; heading = '%s'; title = '%s'; high = %d\n"
        "load 'report/%s.gp'\nunset output\n",
        high, out, name, out, problem->name, heading, title, high, chart);
    add(&charts->names, "%s\n", name);
}

static void draw_roofline(const struct problem *problem, const char *title) {
    bool is_own = problem->counted.count;
    draw_high(problem, "roofline",
              say("Roofline: how much of the %s time each unit alone would need",
                  is_own ? "predicted" : "measured"),
              is_own ? roofline_title(problem) : title, 620);
}

static void draw_problem(const struct problem *problem) {
    struct charts *charts = problem->charts;
    const char *where = say("%s, %s on %s", clip(problem->gpu, 40), charts->how, problem->date);
    const char *usual = say("%s%s, input %s, %s", whose(charts->submission), problem->name,
                            problem->main_input, where);
    if (!isnan(problem->best))
        draw_high(problem, "speedup", speedup_heading(problem), usual,
                  190 + 21 * (int)problem->columns);
    if (problem->roofs)
        draw_roofline(problem, usual);
    else if (charts->own == charts->file)
        add(&charts->uncounted, "%s%s", charts->uncounted.length ? ", " : "", problem->name);
}

static void write_problem(struct charts *charts, const char *name) {
    struct problem problem = {.charts = charts, .name = name, .main_input = "", .date = ""};
    select_rows(&problem);
    select_predicted(&problem);
    rank_steps(&problem);
    find_range(&problem);
    write_main(&problem);
    write_predicted(&problem);
    write_roofline(&problem);
    draw_problem(&problem);
}

/* Recorded charts of problems that the results do not have would say nothing here. */
static bool is_graded(const struct charts *charts, const char *problem) {
    foreach (row, &charts->read)
        if (row->file == charts->file && same(row->r.problem, problem))
            return true;
    return false;
}

static void write_problems(struct charts *charts) {
    struct map seen = {0};
    foreach (row, &charts->rows)
        if (row->file == charts->own && is_timed(row) && is_new(&seen, row->r.problem) &&
            is_graded(charts, row->r.problem))
            write_problem(charts, row->r.problem);
    if (charts->uncounted.length)
        printf("No roofline of %s: there are no counters of these sources for this GPU and input, "
               "see report/plot --help.\n",
               bytes_of(&charts->uncounted));
}

/* --results (what the first file is called), --how (its times came about), --out (a folder),
 * then all files. */
int view_charts(int count, char **words) {
    struct charts charts = {0};
    int status = 0;
    charts.results = take_text("results", &count, &words);
    charts.how = take_text("how", &count, &words);
    charts.out = take_text("out", &count, &words);
    if (!count || !*charts.out)
        return 2;
    charts.file = words[0];
    for (int i = 0; i < count; i++) {
        struct rows rows = {0};
        rows_of(&rows, &words[i], 1);
        status |= rows.status;
        foreach (row, &rows) {
            list_row(&charts.read, row);
            list_row(&charts.rows, row);
        }
    }
    sort_rows(&charts.rows, "submission problem device");
    choose_file(&charts);
    write_problems(&charts);
    write_file(say("%s/script.gp", charts.out), bytes_of(&charts.script));
    write_file(say("%s/names", charts.out), bytes_of(&charts.names));
    return status;
}
