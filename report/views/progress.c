#include <string.h>

#include "ladder.h"
#include "lib/steps.h"
#include "views.h"

const char *ladder_prefix(const char *step) {
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
    ladder->row[ladder->steps] = NULL;
    append(ladder->step, ladder->steps, step);
}

struct progress read_progress(const struct rows *own) {
    struct progress progress = {0};
    size_t count;
    const char *const *step = all_steps(&count);
    for (size_t i = 0; i < count; i++)
        add_step(&progress, step[i]);
    for (size_t i = 0; i < own->count; i++) {
        struct row *row = own->row[i];
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

size_t count_begun(const struct ladder *ladder) { return count_if(ladder, is_begun); }

const char *progress_of(const struct ladder *ladder) {
    bool letters = shows_utf8();
    struct text line = {0};
    for (size_t i = 0; i < ladder->steps; i++)
        add(&line, "%s",
            has_passed(ladder->row[i]) ? letters ? "✓" : "+"
            : is_begun(ladder->row[i]) ? letters ? "✗" : "-"
            : letters                  ? "·"
                                       : ".");
    return say("%s %s %zu of %zu passed", pad(ladder->name, 5), bytes_of(&line),
               count_if(ladder, has_passed), ladder->steps);
}

const char *next_step(const struct progress *progress, const char *step) {
    const struct ladder *ladder = ladder_of(progress, step);
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
        if (count_begun(ladder) || i == 0)
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
    printf("  Next: make %s\n",
           *after ? say("%s (%s)", short_name(after), step_header(after, "title")) : "journal");
    return 0;
}
