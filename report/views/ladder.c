#include "ladder.h"

#include <math.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/page.h"
#include "lib/steps.h"
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

const char *kind_of_time(const struct row *row, bool predicted) {
    return predicted ? say("%s%s\034%s", key_of(row, "problem input"), row->r.predicted_gpu,
                           predicted_size(row))
                     : key_of(row, "problem input device rows columns");
}

static bool is_own_time(const struct row *row, const char *step, bool measured) {
    return is_step(row) && same(row->r.step, step) && !*row->r.submission &&
           has_verdict(row, "pass") && isnan(row->us) == !measured &&
           (measured || !isnan(row->predicted_us)) && is_of_this_source(row);
}

/* Of each step of the ladder the newest row of its source as it is now that passed and has such a
 * time; of these the ones that can be compared with the newest of all. */
static struct list own_times(const struct rows *own, const struct ladder *ladder, bool measured) {
    struct list newest = {0}, alike = {0};
    const struct row *last = NULL;
    for (size_t s = 0; s < ladder->steps; s++) {
        struct row *of_step = NULL;
        foreach (row, own)
            if (is_own_time(row, ladder->step[s], measured) && !is_older(row, of_step))
                of_step = row;
        if (of_step)
            list_row(&newest, of_step);
        if (of_step && (!last || is_older(last, of_step)))
            last = of_step;
    }
    foreach (row, &newest)
        if (same(kind_of_time(row, !measured), kind_of_time(last, !measured)))
            list_row(&alike, row);
    return alike;
}

static const char *in_units(double us) {
    double size = us < 1e3 ? 1 : us < 1e6 ? 1e3 : 1e6;
    return say("%s %s", significant(us / size, 3), us < 1e3 ? "us" : us < 1e6 ? "ms" : "s ");
}

/* Bars on a logarithmic scale, and how many times as fast as one CPU thread; predicted times have
 * no reference, so as the slowest of them. */
static void draw_steps(const struct list *list, bool measured) {
    enum { NAME_COLUMNS = 24, ROOM = 36 };
    const struct row *one = list->row[0];
    double slowest = NAN, fastest = NAN;
    foreach (row, list) {
        double us = measured ? row->us : row->predicted_us;
        slowest = fmax(slowest, us);
        fastest = fmin(fastest, us);
    }
    puts(measured
             ? printable(say("Your steps, measured on %s, input %s, over one CPU thread:",
                             one->device.name, one->r.input))
             : say("Your steps, predicted for %s, %s, not measured:", a_gpu(one->r.predicted_gpu),
                   predicted_size(one)));
    foreach (row, list) {
        double us = measured ? row->us : row->predicted_us;
        double times = measured ? row->speedup : slowest / us;
        int reach = slowest > fastest
                        ? 1 + (int)((ROOM - 1) * log(slowest / us) / log(slowest / fastest) + 0.5)
                        : 1;
        printf("%s %s%s%s\n", pad(clip(row->r.step, NAME_COLUMNS), NAME_COLUMNS),
               pad(repeated("-", reach), ROOM),
               lpad(say("%s%s", measured ? "" : "~", in_units(us)), 10),
               where_known(times, say(" %sx", lpad(three_digits(times), 5))));
    }
}

/* Steps without a time above, since their sources are others now. */
static void print_changed(const struct ladder *ladder) {
    for (size_t i = 0; i < ladder->steps; i++)
        if (ladder->row[i] && !is_of_this_source(ladder->row[i]))
            printf("%s has changed since it was graded: make %s\n", ladder->step[i],
                   short_name(ladder->step[i]));
}

static void print_own(const struct rows *own, const struct ladder *ladder) {
    struct list measured = own_times(own, ladder, true), predicted = own_times(own, ladder, false);
    puts(progress_of(ladder));
    if (measured.count || predicted.count)
        draw_steps(measured.count ? &measured : &predicted, measured.count);
    print_changed(ladder);
}

/* desk/ladder: --ladder=opt, then the student's own files. */
int view_ladder(int count, char **words) {
    struct rows own = {.all = true, .skip_broken = true};
    const char *wanted = take_option("ladder", &count, &words);
    rows_of(&own, words, count);
    struct progress progress = read_progress(&own);
    bool printed = false;
    for (size_t i = 0; i < progress.count; i++) {
        const struct ladder *ladder = &progress.ladder[i];
        if (wanted && *wanted ? !same(ladder->name, wanted) : !count_if(ladder, is_begun))
            continue;
        fputs(printed ? "\n" : "", stdout);
        print_own(&own, ladder);
        printed = true;
    }
    if (!printed && progress.count)
        printf("No step has been graded yet. Begin with: make %s\n",
               short_name(progress.ladder[0].step[0]));
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
