#include "chosen.h"

#include <math.h>

#include "lib/counters.h"

const struct row *row_of(const struct list *list, const char *step) {
    const struct row *last = NULL;
    foreach (row, list)
        if (same(row->r.step, step))
            last = row;
    return last;
}

const char *kind_of_time(const struct row *row, bool predicted) {
    return predicted ? say("%s%s\034%s", key_of(row, "problem input"), row->r.predicted_gpu,
                           predicted_size(row))
                     : key_of(row, "problem input device rows columns");
}

/* Baselines belong to nobody. */
static const char *choose_submission(const struct rows *rows) {
    const char *first = NULL;
    foreach (row, rows)
        if (is_step(row) && (!first || !*row->r.submission))
            first = row->r.submission;
    return first ? first : "";
}

static bool same_source(const struct row *a, const struct row *b) {
    return a == b || (b && *a->r.source_sha256 && same(a->r.source_sha256, b->r.source_sha256));
}

/* Those at the place that such a list is about. */
static struct list rows_there(const struct list *list) {
    struct list steps = {0}, there = {0};
    bool any_time = false;
    foreach (row, list)
        any_time |= is_step(row) && !isnan(row->us);
    foreach (row, list)
        if (is_step(row) && (!any_time || (row->success && !is_cpu(row))))
            list_row(&steps, row);
    struct lists places = group_rows(&steps, "device input rows columns");
    const struct list *most = places.list;
    for (size_t i = 1; i < places.count; i++)
        most = places.list[i].count > most->count ? &places.list[i] : most;
    foreach (row, list)
        if (same(kind_of_time(row, false), kind_of_time(most->row[0], false)))
            list_row(&there, row);
    return there;
}

/* That of most steps; "" where none has a predicted time. */
static const char *usual_kind(const struct list *list) {
    struct map seen = {0}, steps = {0};
    const char *usual = "";
    size_t most = 0;
    foreach (row, list) {
        const char *kind = kind_of_time(row, true);
        if (isnan(row->predicted_us) || !is_new(&seen, say("%s\034%s", kind, row->r.step)))
            continue;
        size_t *count = found(&steps, kind, sizeof *count);
        if (++*count > most)
            most = *count, usual = kind;
    }
    return usual;
}

/* Without what was predicted of the very same source for another GPU or size than `kind`'s as well.
 */
static struct list without_other_kinds(const struct list *list, const char *kind) {
    struct map usual = {0};
    struct list kept = {0};
    foreach (row, list) {
        void **held = find(&usual, row->r.step);
        if (!isnan(row->predicted_us) && same(kind_of_time(row, true), kind) &&
            tells_more(row, *held))
            *held = row;
    }
    foreach (row, list) {
        const struct row *one = *find(&usual, row->r.step);
        if (isnan(row->predicted_us) || same(kind_of_time(row, true), kind) || !one ||
            !same_source(row, one))
            list_row(&kept, row);
    }
    return kept;
}

static void choose_predicted(struct chosen *chosen, const struct list *list, const char *kind,
                             struct map *newest) {
    struct map predicted = {0};
    foreach (row, list) {
        void **held = find(&predicted, row->r.step);
        if (!isnan(row->predicted_us) && same_source(row, *find(newest, row->r.step)) &&
            tells_more(row, *held))
            *held = row;
    }
    foreach (row, list)
        if (row == *find(&predicted, row->r.step) && same(kind_of_time(row, true), kind))
            list_row(&chosen->predicted, row);
}

/* all: all rows of a problem with a step, in the ladder's order. */
static struct chosen choose(const struct list *all) {
    struct chosen chosen = {.problem = all->row[0]->r.problem};
    const char *kind = usual_kind(all);
    const struct list kept = without_other_kinds(all, kind), *list = &kept;
    struct list there = rows_there(list);
    struct map newest = {0};
    foreach (row, list) {
        void **held = find(&newest, row->r.step);
        if (is_step(row) && tells_more(row, *held))
            *held = row;
    }
    chosen.device = there.row[0]->device.name;
    choose_predicted(&chosen, list, kind, &newest);
    foreach (row, &there) {
        struct row **last = (struct row **)find(&newest, row->r.step);
        if (is_step(row) && !same_source(row, *last))
            continue;
        list_row(&chosen.rows, row);
        if (is_step(row) && (*last)->success)
            *last = row;
    }
    foreach (row, list)
        if (row == *find(&newest, row->r.step))
            list_row(&chosen.steps, row);
    return chosen;
}

static bool has_step(const struct list *list, bool begun) {
    foreach (row, list)
        if (is_step(row) && !(begun && has_verdict(row, "not-started")))
            return true;
    return false;
}

struct chosen *choose_rows(const struct rows *rows, size_t *count) {
    const char *submission = choose_submission(rows);
    struct chosen *chosen = NULL;
    const struct list *first = NULL;
    struct list list = {0};
    *count = 0;
    foreach (row, rows)
        if (same(row->r.submission, submission))
            list_row(&list, row);
    sort_rows(&list, "problem");
    struct lists ladders = group_rows(&list, "problem");
    for (size_t i = 0; i < ladders.count; i++) {
        if (has_step(&ladders.list[i], true))
            append(chosen, *count, choose(&ladders.list[i]));
        else if (!first && has_step(&ladders.list[i], false))
            first = &ladders.list[i];
    }
    if (!*count && first)
        append(chosen, *count, choose(first));
    return chosen;
}
