#include "ladder.h"

#include <math.h>
#include <string.h>

#include "chosen.h"
#include "lib/page.h"
#include "lib/steps.h"
#include "results.h"
#include "views.h"

/* ---- how far somebody is ------------------------------------------------------------------------- */

static const char *ladder_prefix(const char *step) {
    return say("%.*s", (int)strcspn(step, "0123456789"), step);
}

struct ladder *ladder_of(const struct progress *progress, const char *step) {
    for (size_t i = 0; i < progress->count; i++)
        if (same(progress->ladder[i].name, ladder_prefix(step)))
            return &progress->ladder[i];
    return NULL;
}

static void add_step(struct progress *progress, const char *step) {
    struct ladder *ladder = ladder_of(progress, step);
    if (!ladder) {
        append(progress->ladder, progress->count, (struct ladder){.name = ladder_prefix(step)});
        ladder = &progress->ladder[progress->count - 1];
    }
    ladder->row = keep_more(ladder->row, ladder->steps, sizeof *ladder->row);
    append(ladder->step, ladder->steps, step);
}

struct progress read_progress(const struct rows *own) {
    struct progress progress = {0};
    size_t count;
    const char *const *step = all_steps(&count);
    for (size_t i = 0; i < count; i++)
        add_step(&progress, step[i]);
    foreach (row, own) {
        struct ladder *ladder = ladder_of(&progress, row->r.step);
        for (size_t s = 0; ladder && s < ladder->steps; s++)
            if (is_step(row) && !*row->r.submission && same(ladder->step[s], row->r.step) &&
                tells_more(row, ladder->row[s]))
                ladder->row[s] = row;
    }
    return progress;
}

static bool has_passed(const struct row *row) { return row && row->success; }

static bool is_begun(const struct row *row) { return row && !has_verdict(row, "not-started"); }

static size_t count_if(const struct ladder *ladder, bool (*is)(const struct row *row)) {
    size_t count = 0;
    for (size_t i = 0; i < ladder->steps; i++)
        count += is(ladder->row[i]);
    return count;
}

const char *progress_of(const struct ladder *ladder) {
    struct text line = {0};
    for (size_t i = 0; i < ladder->steps; i++)
        add(&line, "%s", has_passed(ladder->row[i]) ? "✓" : is_begun(ladder->row[i]) ? "✗" : "·");
    return say("%s %s %zu of %zu passed", pad(ladder->name, 5), bytes_of(&line),
               count_if(ladder, has_passed), ladder->steps);
}

static const char *next_in(const struct ladder *ladder, const char *step) {
    const char *first = "";
    bool after = false;
    for (size_t i = 0; ladder && i < ladder->steps; i++) {
        bool is_it = same(ladder->step[i], step);
        if (!has_passed(ladder->row[i]) && !is_it) {
            if (after)
                return ladder->step[i];
            first = *first ? first : ladder->step[i];
        }
        after = after || is_it;
    }
    return first;
}

const char *next_step(const struct progress *progress, const char *step) {
    const char *next = next_in(ladder_of(progress, step), step);
    for (size_t i = 0; !*next && i < progress->count; i++)
        if (count_if(&progress->ladder[i], is_begun))
            next = next_in(&progress->ladder[i], step);
    return next;
}

const char *goal_of(const char *step) {
    return *step ? say("make %s (%s)", short_name(step), step_header(step, "title"))
                 : "make journal";
}

/* ---- the student's own steps --------------------------------------------------------------------- */

/* Times of the files as they are now, of the steps that this adds to `shown`. */
static void put_times(struct page *page, const struct chosen *chosen, struct list *shown) {
    bool measured = !isnan(FIRST(&chosen->rows, us));
    struct list own = {0};
    foreach (row, measured ? &chosen->rows : &chosen->predicted)
        if (is_step(row) && is_of_this_source(row)) {
            list_row(&own, row);
            list_row(shown, row);
        }
    if (own.count)
        put_group(page, &own, NULL, "");
}

/* Why steps have no time above, where others have. */
static void put_others(struct page *page, const struct ladder *ladder, const struct list *shown) {
    for (size_t i = 0; i < ladder->steps; i++) {
        const char *why = NULL;
        if (ladder->row[i] && !is_of_this_source(ladder->row[i]))
            why = "has changed since it was graded";
        else if (has_passed(ladder->row[i]) && shown->count && !row_of(shown, ladder->step[i]))
            why = "was last graded for another GPU or size, or without a time";
        if (why)
            paragraph(page,
                      say("%s %s: make %s", ladder->step[i], why, short_name(ladder->step[i])));
    }
}

/* desk/ladder: --ladder=opt, then the student's own files. */
int view_ladder(int count, char **words) {
    struct rows own = {.newest = true, .skip_broken = true};
    const char *wanted = take_text("ladder", &count, &words);
    struct page *page = new_page();
    size_t chosen_count;
    rows_of(&own, words, count);
    struct progress progress = read_progress(&own);
    const struct chosen *chosen = choose_rows(&own, &chosen_count);
    page->columns = 80;
    for (size_t i = 0; i < progress.count; i++) {
        const struct ladder *ladder = &progress.ladder[i];
        struct list shown = {0};
        if (*wanted ? !same(ladder->name, wanted) : !count_if(ladder, is_begun))
            continue;
        if (page->count)
            blank_line(page);
        preformatted(page, progress_of(ladder));
        for (size_t c = 0; c < chosen_count; c++) {
            const struct row *one = chosen[c].steps.row[0];
            if (!*one->r.submission && ladder_of(&progress, one->r.step) == ladder)
                put_times(page, &chosen[c], &shown);
        }
        put_others(page, ladder, &shown);
    }
    if (!page->count && progress.count)
        paragraph(page, say("No step has been graded yet. Begin with: make %s",
                            short_name(progress.ladder[0].step[0])));
    write_page(page, TEXT_PAGE, stdout);
    return 0;
}

/* The step that was graded last. */
static const struct row *last_begun(const struct progress *progress) {
    const struct row *last = NULL;
    for (size_t l = 0; l < progress->count; l++)
        for (size_t i = 0; i < progress->ladder[l].steps; i++) {
            const struct row *row = progress->ladder[l].row[i];
            if (is_begun(row) && (!last || is_older(last, row)))
                last = row;
        }
    return last;
}

/* desk/ladder --short: how far the ladders are, and which step is next. The rows are the student's
 * own. */
int view_progress(int count, char **words) {
    struct rows rows = {.all = true, .skip_broken = true};
    rows_of(&rows, words, count);
    struct progress progress = read_progress(&rows);
    const char *others = "";
    for (size_t i = 0; i < progress.count; i++) {
        const struct ladder *ladder = &progress.ladder[i];
        if (count_if(ladder, is_begun) || i == 0)
            printf("  %s\n", progress_of(ladder));
        else
            others =
                say("%s%s%s (%zu steps)", others, *others ? ", " : "", ladder->name, ladder->steps);
    }
    if (*others)
        printf("  not begun: %s\n", others);
    const struct row *last = last_begun(&progress);
    const char *after = !progress.count    ? ""
                        : !last            ? progress.ladder[0].step[0]
                        : has_passed(last) ? next_step(&progress, last->r.step)
                                           : last->r.step;
    printf("  Next: %s\n", goal_of(after));
    return 0;
}
