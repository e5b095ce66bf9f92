/* report/accuracy: how far predicted times are off. */
#include <math.h>

#include "lib/counters.h"
#include "lib/page.h"
#include "lib/steps.h"
#include "views.h"

struct accuracy {
    struct list list; /* measured rows, each with what was predicted of it, in the ladder's order */
    size_t timed, others; /* measured; predicted of another source */
};

/* A prediction is of the size that was counted. */
static const char *key_of_size(const struct row *row) {
    return say("%s%s", key_of(row, "step problem input"), predicted_size(row));
}

static void join_rows(struct accuracy *all, const struct rows *predictions,
                      const struct rows *measurements) {
    struct map predicted = {0};
    foreach (row, predictions)
        if (!isnan(row->predicted_us))
            *find(&predicted, key_of_size(row)) = row;
    foreach (row, measurements) {
        if (!(is_step(row) || is_kernel(row)) || isnan(row->us))
            continue;
        const struct row *said = *find(&predicted, key_of_size(row));
        all->timed++;
        if (!said)
            continue;
        all->others += !same(row->r.source_sha256, said->r.source_sha256);
        row->predicted_us = said->predicted_us;
        row->predicted_low_us = said->predicted_low_us;
        row->predicted_high_us = said->predicted_high_us;
        row->r.predicted_gpu = said->r.predicted_gpu;
        row->r.predicted_limit = said->r.predicted_limit;
        list_row(&all->list, row);
    }
    sort_rows(&all->list, "problem input");
}

/* ---- one step ---------------------------------------------------------------------------------- */

/* The larger of predicted / measured and its inverse. */
static double factor_of(const struct row *row) {
    double ratio = ratio_of(row->predicted_us, row->us);
    return ratio < 1 ? 1 / ratio : ratio;
}

static bool has_interval(const struct row *row) { return !isnan(row->predicted_low_us); }

static bool holds(const struct row *row) {
    return has_interval(row) && !(row->predicted_low_us > row->us) &&
           !(row->us > row->predicted_high_us);
}

static void say_what(struct page *page, const struct accuracy *all) {
    const struct row *one = all->list.row[0];
    heading(page, 1, "Predicted and measured times");
    paragraph(page, say("Predicted for %s; measured on %s. %zu of %zu measured times have a "
                        "prediction.%s",
                        one->r.predicted_gpu, one->device.name, all->list.count, all->timed,
                        all->others ? say(" Of %zu of them the source was another (source_sha256).",
                                          all->others)
                                    : ""));
}

static void add_steps(struct page *page, const struct accuracy *all) {
    struct table *table = new_table();
    table_column_of(table, "step", LEFT, 0, 26);
    table_column_of(table, "input", LEFT, 0, 10);
    table_columns(table, ">measured us|>predicted us|>pred./meas.|>90 % interval|holds|limit");
    foreach (of, &all->list)
        put_row(table, of->r.step, of->r.input, significant(of->us, 4),
                significant(of->predicted_us, 4),
                significant(ratio_of(of->predicted_us, of->us), 3),
                say("%s - %s", significant(of->predicted_low_us, 4),
                    significant(of->predicted_high_us, 4)),
                !has_interval(of) ? "-"
                : holds(of)       ? "yes"
                                  : "NO",
                of->r.predicted_limit);
    put_table(page, table);
}

/* ---- figures ----------------------------------------------------------------------------------- */

/* Of some of the steps: their factors, in order, and what they come to. */
struct figures {
    double *factor, mean; /* geometric */
    size_t count, known, held;
};

static struct figures figures_of(const struct list *list) {
    struct figures figures = {.factor = keep((list->count + 1) * sizeof(double))};
    double sum = 0;
    foreach (row, list) {
        figures.factor[figures.count++] = factor_of(row);
        sum += log(factor_of(row));
        figures.known += has_interval(row);
        figures.held += holds(row);
    }
    sort_numbers(figures.factor, figures.count);
    figures.mean = exp(sum / figures.count);
    return figures;
}

static void put_figures(struct table *table, const char *name, const struct list *list) {
    const struct figures of = figures_of(list);
    put_row(table, name, say("%zu", of.count), significant(of.mean, 4),
            significant(quantile(of.factor, of.count, 0.5), 4),
            significant(quantile(of.factor, of.count, 0.9), 4),
            significant(of.factor[of.count - 1], 4),
            of.known ? say("%zu of %zu (%.0f %%)", of.held, of.known, 100.0 * of.held / of.known)
                     : "-");
}

static void add_figures(struct page *page, const struct accuracy *all) {
    struct table *table = table_of("of|>steps|>factor|>median|>90 %|>worst|>intervals that hold");
    struct lists inputs = group_rows(&all->list, "problem input");
    heading(page, 2, "Factor between predicted and measured");
    put_figures(table, "all", &all->list);
    for (size_t i = 0; i < inputs.count; i++) {
        const struct record_fields *r = &inputs.list[i].row[0]->r;
        put_figures(table, say("%s, %s", r->problem, r->input), &inputs.list[i]);
    }
    put_table(page, table);
}

/* What gnuplot draws of them, into the file. */
static void put_chart(const struct accuracy *all, const char *file) {
    const struct figures of = figures_of(&all->list);
    printf("set terminal svg size 1000,620 font 'sans-serif,11' background 'white'\n"
           "set output '%s'\n$points << EOD\nmeasured\tpredicted\tlow\thigh\n",
           replaced(file, "'", "''"));
    foreach (row, &all->list)
        printf("%.4g\t%.4g\t%.4g\t%.4g\n", row->us, row->predicted_us, row->predicted_low_us,
               row->predicted_high_us);
    printf("EOD\ntitle = '%zu predicted times: a factor of %.2f off, %zu intervals hold'\n"
           "load 'report/accuracy.gp'\n",
           of.count, of.mean, of.held);
}

/* The two files. */
int view_accuracy(int count, char **words) {
    struct rows predicted = {0}, measured = {0};
    struct accuracy all = {0};
    struct page *page = new_page();
    const char *chart = take_option("chart", &count, &words);
    if (count != 2)
        return 2;
    rows_of(&predicted, &words[0], 1);
    rows_of(&measured, &words[1], 1);
    join_rows(&all, &predicted, &measured);
    if (!all.list.count)
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
    write_page(page, TEXT_PAGE, stdout);
    return predicted.status | measured.status;
}
