/* report/accuracy: how far predicted times are off. */
#include <math.h>

#include "lib/counters.h"
#include "lib/page.h"
#include "lib/steps.h"
#include "views.h"

static const double below_us = 1000; /* "below 1 ms" */
/* A pair of steps that differ by less is no test: 3 % lie between two boards of one GPU. */
static const double differ = 1.10;

/* A measured row with its prediction, and those of the step that it builds on, on the same input:
 * NULL where there are none. */
struct joined {
    const struct row *row, *predicted, *before, *before_predicted;
};

struct accuracy {
    struct joined *joined;
    size_t count, timed;
};

/* A prediction is of the size that was counted. */
static const char *key_of_size(const struct row *row) {
    return say("%s%s", key_of(row, "step problem input"), predicted_size(row));
}

static const struct row *predicted_of(struct map *predicted, const struct row *row) {
    return row ? *find(predicted, key_of_size(row)) : NULL;
}

static struct joined join(struct map *predicted, struct map *measured, const struct row *row) {
    const char *before = step_header(row->r.step, "builds-on");
    struct joined joined = {.row = row, .predicted = predicted_of(predicted, row)};
    joined.before = *find(measured, say("%s\034%s", before, key_of(row, "problem input")));
    joined.before_predicted = predicted_of(predicted, joined.before);
    return joined;
}

static struct accuracy join_rows(const struct rows *predictions, const struct rows *measurements) {
    struct accuracy all = {0};
    struct map predicted = {0}, measured = {0};
    struct list list = {0};
    foreach (row, predictions)
        if (!isnan(row->predicted_us))
            *find(&predicted, key_of_size(row)) = row;
    foreach (row, measurements) {
        if (!(is_step(row) || is_kernel(row)) || isnan(row->us))
            continue;
        all.timed++;
        *find(&measured, key_of(row, "step problem input")) = row;
        if (predicted_of(&predicted, row))
            list_row(&list, row);
    }
    sort_rows(&list, "problem input");
    all.joined = keep((list.count + 1) * sizeof *all.joined);
    for (; all.count < list.count; all.count++)
        all.joined[all.count] = join(&predicted, &measured, list.row[all.count]);
    return all;
}

/* ---- one step ---------------------------------------------------------------------------------- */

/* The larger of predicted / measured and its inverse. */
static double factor_of(const struct row *row, double predicted) {
    double ratio = ratio_of(predicted, row->us);
    return ratio < 1 ? 1 / ratio : ratio;
}

static double model(const struct joined *of) { return of->predicted->predicted_us; }

static bool has_interval(const struct joined *of) {
    return !isnan(of->predicted->predicted_low_us);
}

static bool holds(const struct joined *of) {
    return has_interval(of) && !(of->predicted->predicted_low_us > of->row->us) &&
           !(of->row->us > of->predicted->predicted_high_us);
}

static const char *ratio_shown(const struct joined *of) {
    return significant(ratio_of(model(of), of->row->us), 3);
}

static const char *predictor_of(const struct joined *of) {
    return say("%s from %s", of->predicted->r.predicted_gpu, of->predicted->r.predicted_with);
}

static const char *input_of(const struct joined *of) {
    return say("%s, %s", of->row->r.problem, of->row->r.input);
}

static const char *below_1_ms(const struct joined *of) {
    return of->row->us < below_us ? "below 1 ms" : "";
}

/* Of the steps of which `name_of` says that, NULL of all: their factors, in order, and what they
 * come to. */
struct figures {
    double *factor, mean; /* geometric */
    size_t count, known, held;
};

static struct figures figures_of(const struct accuracy *all,
                                 const char *(*name_of)(const struct joined *of),
                                 const char *name) {
    struct figures figures = {.factor = keep((all->count + 1) * sizeof(double))};
    double sum = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct joined *of = &all->joined[i];
        double now = factor_of(of->row, model(of));
        if ((name_of && !same(name_of(of), name)) || isnan(now))
            continue;
        figures.factor[figures.count++] = now;
        sum += log(now);
        figures.known += has_interval(of);
        figures.held += holds(of);
    }
    sort_numbers(figures.factor, figures.count);
    figures.mean = exp(sum / figures.count);
    return figures;
}

/* What is said of the steps, each once. */
static struct words names_of(const struct accuracy *all,
                             const char *(*name_of)(const struct joined *of)) {
    struct words names = {0};
    struct map seen = {0};
    for (size_t i = 0; i < all->count; i++)
        if (is_new(&seen, name_of(&all->joined[i])))
            add_word(&names, name_of(&all->joined[i]));
    return names;
}

static void say_what(struct page *page, const struct accuracy *all) {
    size_t others = 0;
    struct text predictors = {0};
    struct words names = names_of(all, predictor_of);
    for (size_t i = 0; i < names.count; i++)
        add(&predictors, "%s%s (%zu)", i ? ", " : "", names.word[i],
            figures_of(all, predictor_of, names.word[i]).count);
    for (size_t i = 0; i < all->count; i++)
        others +=
            !same(all->joined[i].row->r.source_sha256, all->joined[i].predicted->r.source_sha256);
    heading(page, 1, "Predicted and measured times");
    paragraph(
        page,
        say("Predicted for %s; measured on %s. %zu of %zu measured times have a prediction.%s",
            bytes_of(&predictors), all->joined[0].row->device.name, all->count, all->timed,
            others ? say(" Of %zu of them the source was another (source_sha256).", others) : ""));
}

static void add_steps(struct page *page, const struct accuracy *all) {
    struct table *table = new_table();
    table_column_of(table, "step", LEFT, 0, 26);
    table_column_of(table, "input", LEFT, 0, 10);
    table_columns(table, ">measured us|>predicted us|>pred./meas.|>90 % interval|holds|limit");
    for (size_t i = 0; i < all->count; i++) {
        const struct joined *of = &all->joined[i];
        put_row(table, of->row->r.step, of->row->r.input, significant(of->row->us, 4),
                significant(model(of), 4), ratio_shown(of),
                say("%s - %s", significant(of->predicted->predicted_low_us, 4),
                    significant(of->predicted->predicted_high_us, 4)),
                !has_interval(of) ? "-"
                : holds(of)       ? "yes"
                                  : "NO",
                of->predicted->r.predicted_limit);
    }
    put_table(page, table);
}

/* ---- figures ----------------------------------------------------------------------------------- */

static void put_figures(struct table *table, const struct accuracy *all,
                        const char *(*name_of)(const struct joined *of), const char *name) {
    const struct figures of = figures_of(all, name_of, name);
    if (!of.count)
        return;
    put_row(table, name, say("%zu", of.count), significant(of.mean, 4),
            significant(quantile(of.factor, of.count, 0.5), 4),
            significant(quantile(of.factor, of.count, 0.9), 4),
            significant(of.factor[of.count - 1], 4),
            of.known ? say("%zu of %zu (%.0f %%)", of.held, of.known, 100.0 * of.held / of.known)
                     : "-");
}

static void add_figures(struct page *page, const struct accuracy *all) {
    struct table *table = table_of("of|>steps|>factor|>median|>90 %|>worst|>intervals that hold");
    struct words inputs = names_of(all, input_of);
    heading(page, 2, "Factor between predicted and measured");
    put_figures(table, all, NULL, "all");
    put_figures(table, all, below_1_ms, "below 1 ms");
    for (size_t i = 0; i < inputs.count; i++)
        put_figures(table, all, input_of, inputs.word[i]);
    put_table(page, table);
}

/* ---- pairs ------------------------------------------------------------------------------------- */

static int sign_of(double value) { return (value > 0) - (value < 0); }

/* Of steps that build on one another. The step before must have a prediction, too. */
static bool is_pair(const struct joined *of) {
    return of->before_predicted && factor_of(of->row, of->before->us) > differ;
}

static bool is_right(const struct joined *of) {
    return sign_of(model(of) - of->before_predicted->predicted_us) ==
           sign_of(of->row->us - of->before->us);
}

static void add_pairs(struct page *page, const struct accuracy *all) {
    size_t pairs = 0;
    struct words wrong = {0};
    for (size_t i = 0; i < all->count; i++) {
        const struct joined *of = &all->joined[i];
        pairs += is_pair(of);
        if (is_pair(of) && !is_right(of))
            add_word(&wrong,
                     say("%s after %s on %s: measured %s after %s us, predicted %s after %s us",
                         of->row->r.step, of->before->r.step, of->row->r.input,
                         significant(of->row->us, 4), significant(of->before->us, 4),
                         significant(model(of), 4),
                         significant(of->before_predicted->predicted_us, 4)));
    }
    heading(page, 2, "Which one is faster");
    paragraph(page, say("Pairs of steps that build on one another and differ by more than 10 %%: "
                        "%zu. The faster one is named in %zu.",
                        pairs, pairs - wrong.count));
    for (size_t i = 0; i < wrong.count; i++)
        item(page, wrong.word[i]);
}

/* What gnuplot draws of them, into the file. */
static void put_chart(const struct accuracy *all, const char *file) {
    const struct figures of = figures_of(all, NULL, "all");
    printf("set terminal svg size 1000,620 font 'sans-serif,11' background 'white'\n"
           "set output '%s'\n$points << EOD\nmeasured\tpredicted\tlow\thigh\n",
           replaced(file, "'", "''"));
    for (size_t i = 0; i < all->count; i++) {
        const struct row *said = all->joined[i].predicted;
        printf("%.4g\t%.4g\t%.4g\t%.4g\n", all->joined[i].row->us, said->predicted_us,
               said->predicted_low_us, said->predicted_high_us);
    }
    printf("EOD\ntitle = '%zu predicted times: a factor of %.2f off, %zu intervals hold'\n"
           "load 'report/accuracy.gp'\n",
           of.count, of.mean, of.held);
}

/* The two files. */
int view_accuracy(int count, char **words) {
    struct rows predicted = {0}, measured = {0};
    struct page *page = new_page();
    const char *chart = take_option("chart", &count, &words);
    if (count != 2)
        return 2;
    rows_of(&predicted, &words[0], 1);
    rows_of(&measured, &words[1], 1);
    struct accuracy all = join_rows(&predicted, &measured);
    if (!all.count)
        give_up(2, "no step has a predicted time in the first file and a measured one in the "
                   "second, for the same problem, input and size");
    if (chart) {
        put_chart(&all, chart);
        return predicted.status | measured.status;
    }
    page->columns = 100;
    say_what(page, &all);
    add_steps(page, &all);
    add_figures(page, &all);
    add_pairs(page, &all);
    write_page(page, TEXT_PAGE, stdout);
    return predicted.status | measured.status;
}
