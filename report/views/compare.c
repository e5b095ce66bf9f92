/* report/compare: whether two runs differ. */
#include <math.h>
#include <stdlib.h>

#include "lib/page.h"
#include "views.h"

/* A step or baseline on an input of a size: its row in each file; NULL for none. */
struct thing {
    const struct row *before, *after;
};

struct comparison {
    double by; /* the least difference in per cent */
    struct thing **thing;
    size_t count, worse;
    bool other_source, other_board, other_timing;
};

/* An empty kernel is launched from the processor, and the CPU's solutions have no parts: neither is
 * compared. */
static bool is_compared(const struct row *row) {
    return same(row->device.kind, "gpu") && !same(row->r.kind, "empty") &&
           (!same(row->r.kind, "baseline") || !isnan(row->synced_us) || !has_verdict(row, "pass"));
}

static bool is_in_both(const struct thing *thing) { return thing->before && thing->after; }

static bool has_other_source(const struct thing *thing) {
    return is_in_both(thing) &&
           !same(thing->before->r.source_sha256, thing->after->r.source_sha256);
}

/* In per cent; NAN where one of them has no time. */
static double change_of(const struct thing *thing) {
    return is_in_both(thing) ? 100 * (thing->after->us / thing->before->us - 1) : NAN;
}

static const char *word_for(const struct thing *thing, double by) {
    const struct row *before = thing->before, *after = thing->after;
    double change = change_of(thing);
    if (!is_in_both(thing))
        return after ? "only after" : "only before";
    if (isnan(change))
        return !isnan(before->us)  ? say("broken: %s", after->r.verdict)
               : !isnan(after->us) ? "mended"
                                   : "no times";
    /* A time's interval says where another run would be. */
    bool are_apart = before->us_high < after->us_low || after->us_high < before->us_low;
    return fabs(change) < by ? "same" : !are_apart ? "unsure" : change > 0 ? "slower" : "faster";
}

static void find_things(struct comparison *all, const struct rows *before,
                        const struct rows *after) {
    struct map known = {0};
    for (const struct rows *rows = before; rows; rows = rows == before ? after : NULL)
        foreach (row, rows) {
            const char *key = key_of(row, "submission step kind problem input rows columns");
            struct thing *thing = is_compared(row) ? found(&known, key, sizeof *thing) : NULL;
            if (thing && !thing->before && !thing->after)
                append(all->thing, all->count, thing);
            if (thing)
                *(rows == before ? &thing->before : &thing->after) = row;
        }
}

static const char *us_in_words(const struct row *row) {
    return !row || isnan(row->us) ? "-"
                                  : say("%s (%s to %s)", significant(row->us, 4),
                                        significant(row->us_low, 4), significant(row->us_high, 4));
}

static void put_thing(struct table *table, struct comparison *all, const struct thing *thing) {
    const struct row *before = thing->before, *after = thing->after, *one = before ? before : after;
    const char *word = word_for(thing, all->by);
    double change = change_of(thing);
    put_row(table, say("%s%s", one->r.step, has_other_source(thing) ? " *" : ""), one->r.input,
            us_in_words(before), us_in_words(after), where_known(change, say("%+.2f %%", change)),
            word);
    all->worse += same(word, "slower") || begins_with(word, "broken");
    all->other_source |= has_other_source(thing);
    all->other_board |= is_in_both(thing) && !same(gpu_of(before), gpu_of(after));
    all->other_timing |= is_in_both(thing) && !same(before->r.timing, after->r.timing);
}

static void write_comparison(struct comparison *all) {
    struct page *page = new_page();
    struct table *table = table_of("|on|>before, us|>after, us|>change|");
    page->columns = 110;
    for (size_t i = 0; i < all->count; i++)
        put_thing(table, all, all->thing[i]);
    put_table(page, table);
    paragraph(page, say("A difference counts from %s %% on, where no interval reaches the other.",
                        plain_number(all->by)));
    if (all->other_source)
        paragraph(page, "* Its source is not the same in both.");
    if (all->other_board)
        paragraph(page,
                  "Not all of this is of one GPU: boards of one kind differ by up to 3 %, see "
                  "the reads.");
    if (all->other_timing)
        paragraph(page, "The code that times is not the same in both: a part of each change may "
                        "come from it.");
    write_page(page, TEXT_PAGE, stdout);
}

/* --by=PERCENT, and the two files. */
int view_compare(int count, char **words) {
    struct rows before = {0}, after = {0};
    struct comparison all = {.by = atof(take_option("by", &count, &words))};
    size_t both = 0;
    rows_of(&before, &words[0], 1);
    rows_of(&after, &words[1], 1);
    find_things(&all, &before, &after);
    for (size_t i = 0; i < all.count; i++)
        both += is_in_both(all.thing[i]);
    if (!both)
        give_up(2, "nothing stands in both files with times of a GPU. `report/table` shows what "
                   "each holds");
    write_comparison(&all);
    return all.worse ? 1 : before.status | after.status;
}
