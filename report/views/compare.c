/* report/compare: whether two runs differ. */
#include <math.h>
#include <stdlib.h>

#include "lib/page.h"
#include "spread.h"
#include "views.h"

enum { BEFORE, AFTER };

static const double alpha = 0.05; /* the chance of a false alarm in the whole comparison */

/* A step or baseline on an input of a size. */
struct thing {
    const struct row *last[2]; /* of each file the last row of it */
    const char *failed;        /* its verdict in the second, where that has no time */
    struct rounds rounds[2];
    bool other_source;
    double change, low, high; /* in per cent; NAN where they are not known */
    const char *word;
};

struct comparison {
    double by;        /* the least difference in per cent */
    struct list rows; /* of the first file, then of the second */
    struct thing *thing;
    struct pair *pair; /* those that both files have times of */
    size_t count, pairs, worse, compared;
};

/* An empty kernel is launched from the processor, and the CPU's solutions have no parts: neither is
 * compared. */
static bool is_compared(const struct row *row) {
    return same(row->device.kind, "gpu") && !same(row->r.kind, "empty") &&
           (!same(row->r.kind, "baseline") || !isnan(row->synced_us) || !has_verdict(row, "pass"));
}

static struct thing thing_of(const struct list *rows, const char *after) {
    struct thing thing = {.change = NAN, .low = NAN, .high = NAN, .failed = ""};
    foreach (row, rows) {
        int side = row->file == after;
        const struct row *before = thing.last[BEFORE];
        if (side == AFTER && before && !same(before->r.source_sha256, row->r.source_sha256))
            thing.other_source = true;
        thing.last[side] = row;
        if (!isnan(row->us))
            add_rounds(&thing.rounds[side], row);
        else if (side == AFTER)
            thing.failed = row->r.verdict;
    }
    return thing;
}

static void find_things(struct comparison *all, const char *after) {
    struct lists each = group_rows(&all->rows, "submission step kind problem input rows columns");
    for (size_t i = 0; i < each.count; i++)
        append(all->thing, all->count, thing_of(&each.list[i], after));
    for (size_t i = 0; i < all->count; i++) {
        const struct rounds *rounds = all->thing[i].rounds;
        if (rounds[BEFORE].count && rounds[AFTER].count)
            append(all->pair, all->pairs,
                   (struct pair){&rounds[BEFORE], &rounds[AFTER],
                                 same(all->thing[i].last[AFTER]->r.kind, "baseline")});
    }
}

static double percent_of(double logarithm) { return 100 * (exp(logarithm) - 1); }

static const char *word_for(const struct thing *thing, double by) {
    if (!thing->last[BEFORE] || !thing->last[AFTER])
        return thing->last[AFTER] ? "only after" : "only before";
    if (isnan(thing->change))
        return thing->rounds[BEFORE].count  ? "broken"
               : thing->rounds[AFTER].count ? "mended"
                                            : "no times";
    if (thing->low > 0 && thing->change >= by)
        return "slower";
    if (thing->high < 0 && -thing->change >= by)
        return "faster";
    bool unsure = (thing->low < -by && thing->high > by) ||
                  (fabs(thing->change) >= by && thing->low * thing->high < 0);
    return unsure ? "unsure" : "same";
}

static void judge(struct comparison *all) {
    double common = common_variance(all->pair, all->pairs);
    const struct pair *pair = all->pair;
    for (size_t i = 0; i < all->count; i++) {
        struct thing *thing = &all->thing[i];
        if (thing->rounds[BEFORE].count && thing->rounds[AFTER].count) {
            double change = mean_of(&thing->rounds[AFTER]) - mean_of(&thing->rounds[BEFORE]);
            double p = 1 - alpha / all->pairs / 2;
            double reach = student_quantile(p, degrees_of(pair)) * standard_error(pair, common);
            thing->change = percent_of(change);
            thing->low = percent_of(change - reach);
            thing->high = percent_of(change + reach);
            pair++;
        }
        thing->word = word_for(thing, all->by);
        all->worse += is_one_of(thing->word, "slower broken");
        all->compared += is_one_of(thing->word, "slower faster unsure same broken mended");
    }
}

static double us_of(const struct thing *thing, int side) {
    return thing->rounds[side].count ? exp(mean_of(&thing->rounds[side])) * 1e6 : NAN;
}

/* ---- the page ---------------------------------------------------------------------------------- */

static void put_thing(struct table *table, const struct thing *thing) {
    bool known = !isnan(thing->change), broken = same(thing->word, "broken");
    const struct row *of = thing->last[thing->last[BEFORE] ? BEFORE : AFTER];
    put_row(table, say("%s%s", of->r.step, thing->other_source ? " *" : ""), of->r.input,
            significant(us_of(thing, BEFORE), 4), significant(us_of(thing, AFTER), 4),
            known ? say("%+.2f %%", thing->change) : "",
            known ? say("%+.2f to %+.2f", thing->low, thing->high) : "",
            broken ? say("broken: %s", thing->failed) : thing->word);
}

static const char *counts_in_words(const struct comparison *all) {
    static const char *const words[] = {"slower", "faster", "broken", "mended", "same", "unsure"};
    struct text text = {0};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t count = 0;
        for (size_t i = 0; i < all->count; i++)
            count += same(all->thing[i].word, words[w]);
        if (count)
            add(&text, "%s%zu %s", text.length ? ", " : "", count, words[w]);
    }
    return bytes_of(&text);
}

/* What a reader should know before he believes a difference. */
static void add_notes(struct page *page, const struct comparison *all) {
    const struct row *before = all->rows.row[0], *after = all->rows.row[all->rows.count - 1];
    struct map boards = {0};
    bool marked = false;
    foreach (row, &all->rows) {
        before = row->file == before->file ? row : before;
        if (*row->device.uuid)
            is_new(&boards, row->device.uuid);
    }
    for (size_t i = 0; i < all->count; i++)
        marked |= all->thing[i].other_source;
    if (marked)
        paragraph(page, "* Its source is not the same in both.");
    if (!same(before->device.name, after->device.name))
        paragraph(page, say("These are two kinds of GPU: %s and %s.", before->device.name,
                            after->device.name));
    else if (boards.count > 1)
        paragraph(page, "These are several boards, whose memories differ by up to 3 %: see the "
                        "reads.");
    if (!same(before->r.timing, after->r.timing))
        paragraph(page, "The code that times is not the same in both: a part of each change may "
                        "come from it.");
}

static void write_comparison(const struct comparison *all) {
    struct page *page = new_page();
    struct table *table = table_of("|on|>before, us|>after, us|>change|>interval|");
    page->columns = 110;
    for (size_t i = 0; i < all->count; i++)
        put_thing(table, &all->thing[i]);
    put_table(page, table);
    paragraph(page, say("%s. A difference counts from %s %% on; the chance that any `slower` or "
                        "`faster` here is a false alarm is %s %% at the most.",
                        counts_in_words(all), plain_number(all->by), plain_number(100 * alpha)));
    add_notes(page, all);
    write_page(page, TEXT_PAGE, stdout);
}

/* --by=PERCENT, and the two files. */
int view_compare(int count, char **words) {
    struct rows rows[2] = {{.all = true}, {.all = true}};
    struct comparison all = {0};
    all.by = atof(take_option("by", &count, &words));
    for (int side = BEFORE; side <= AFTER; side++) {
        rows_of(&rows[side], &words[side], 1);
        foreach (row, &rows[side])
            if (is_compared(row))
                list_row(&all.rows, row);
    }
    find_things(&all, words[AFTER]);
    judge(&all);
    if (!all.compared)
        give_up(2, "nothing stands in both files with times of a GPU. `report/table` shows what "
                   "each holds");
    write_comparison(&all);
    return all.worse ? 1 : rows[BEFORE].status | rows[AFTER].status;
}
