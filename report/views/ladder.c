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

/* ---- bars ------------------------------------------------------------------------------------- */

enum { BAR_COLUMNS = 44 /* 80 with what stands beside them */, NAME_COLUMNS = 24 };

/* Whole decades, from below the slowest bar to above the highest roof. */
struct axis {
    double low, high, roof, specified;
};

static void stretch(struct axis *axis, double speedup) {
    axis->low = fmin(axis->low, speedup);
    axis->high = fmax(axis->high, speedup);
}

static struct axis find_axis(const struct list *list) {
    struct axis axis = {NAN, NAN, FIRST(list, roof_speedup), FIRST(list, spec_speedup)};
    foreach (row, list) {
        stretch(&axis, over_reference(row));
        stretch(&axis, row->roof_speedup);
        stretch(&axis, row->spec_speedup);
    }
    axis.low = floor(log10(axis.low) - 0.1);
    axis.high = floor(log10(axis.high)) + 1;
    return axis;
}

static int place_of(const struct axis *axis, double speedup) {
    return (int)((log10(speedup) - axis->low) / (axis->high - axis->low) * BAR_COLUMNS + 0.5);
}

static const char *axis_line(const struct axis *axis) {
    const char *line = "";
    for (double decade = axis->low; decade < axis->high; decade++)
        line = say("%s%gx", pad(line, place_of(axis, pow(10, decade))), pow(10, decade));
    return line;
}

/* reach: of so many columns; roof, specified: the columns, from 1 on, where these stand, or 0. */
static const char *bar(int reach, int columns, const char *letter, int roof, int specified) {
    struct text line = {0};
    for (int i = 1; i <= columns; i++)
        add(&line, "%s", i == roof ? "|" : i == specified ? ":" : i <= reach ? letter : " ");
    return bytes_of(&line);
}

static const char *bar_of(const struct axis *axis, double speedup) {
    int roof = isnan(axis->roof) ? 0 : place_of(axis, axis->roof) + 1;
    int specified = isnan(axis->specified) ? 0 : place_of(axis, axis->specified) + 1;
    specified += specified && specified == roof; /* they often fall into one column */
    return bar(isnan(speedup) ? 0 : place_of(axis, speedup), BAR_COLUMNS + 2,
               shows_utf8() ? "█" : "#", roof, specified);
}

static const char *result_of(const struct row *row) {
    if (!isnan(row->speedup))
        return say("%sx", three_digits(row->speedup));
    return has_verdict(row, "pass") ? "no reference" : printable(row->r.verdict);
}

static void print_roof(double speedup, const char *letter, const char *what) {
    if (!isnan(speedup))
        printf("%*s %s %sx: the roof%s\n", NAME_COLUMNS, "", letter, three_digits(speedup), what);
}

static void draw_ladder(struct list list) {
    const struct row *first = list.row[0];
    struct axis axis = find_axis(&list);
    sort_rows(&list, "problem");
    puts(printable(say("%s, input %s, %s, %s", first->r.problem, first->r.input, first->device.name,
                       leading(first->r.when, 10))));
    printf("%-*s %s\n", NAME_COLUMNS, "speedup, log scale", axis_line(&axis));
    foreach (row, &list)
        if (is_step(row))
            printf("%s %s %s\n",
                   pad(leading(printable(step_shown(row)), NAME_COLUMNS), NAME_COLUMNS),
                   bar_of(&axis, row->speedup), result_of(row));
    print_roof(axis.roof, "|", ", the fastest read measured");
    print_roof(axis.specified, ":", " at the specified bandwidth");
    putchar('\n');
}

/* ---- the student's own steps, and below them, apart, what a GPU recorded ------------------------- */

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

/* Predicted times have no reference: how many times as fast as the slowest of them, on a
 * logarithmic scale. */
static void draw_predicted(const struct list *list) {
    const struct row *one = list->row[0];
    enum { ROOM = 36 };
    double slowest = NAN, fastest = NAN;
    foreach (row, list) {
        slowest = fmax(slowest, row->predicted_us);
        fastest = fmin(fastest, row->predicted_us);
    }
    printf("Your steps, predicted for %s, %s, not measured:\n", a_gpu(one->r.predicted_gpu),
           predicted_size(one));
    foreach (row, list) {
        double us = row->predicted_us;
        int reach = slowest > fastest
                        ? 1 + (int)((ROOM - 1) * log(slowest / us) / log(slowest / fastest) + 0.5)
                        : 1;
        printf("%s %s%s%s\n", pad(clip(row->r.step, NAME_COLUMNS), NAME_COLUMNS),
               bar(reach, ROOM, "-", 0, 0), lpad(say("~%s", in_units(us)), 10),
               slowest > fastest ? say(" %sx", lpad(three_digits(slowest / us), 5)) : "");
    }
}

static bool is_recorded(const struct row *row, const struct ladder *ladder) {
    return is_step(row) && same(ladder_prefix(row->r.step), ladder->name) && !isnan(row->us);
}

/* What one GPU recorded, on the input of the student's own row, or on the first that there is. A
 * baseline belongs to the problem that the ladder's steps solve. */
static void draw_recorded(const struct rows *recorded, const struct ladder *ladder,
                          const struct row *own) {
    const struct row *best = NULL;
    const char *input = own ? own->r.input : NULL;
    struct list list = {0};
    foreach (row, recorded)
        if (is_recorded(row, ladder) && is_shown_rather(row, best, own))
            best = row;
    foreach (row, recorded)
        if (best && !input && is_recorded(row, ladder) && same(row->device.name, best->device.name))
            input = row->r.input;
    foreach (row, recorded)
        if (best && same(row->device.name, best->device.name) && same(row->r.input, input) &&
            (is_step(row) ? is_recorded(row, ladder) : same(row->r.problem, best->r.problem)))
            list_row(&list, row);
    if (!list.count)
        return;
    puts("\nNot yours: what a GPU recorded for steps that work (x: over one CPU thread)");
    draw_ladder(list);
}

/* Steps without a time above, since their sources are others now. */
static void print_changed(const struct ladder *ladder) {
    for (size_t i = 0; i < ladder->steps; i++)
        if (ladder->row[i] && !is_of_this_source(ladder->row[i]))
            printf("%s has changed since it was graded: make %s\n", ladder->step[i],
                   short_name(ladder->step[i]));
}

static void print_own(const struct rows *recorded, const struct rows *own,
                      const struct ladder *ladder) {
    struct list measured = own_times(own, ladder, true), predicted = own_times(own, ladder, false);
    puts(progress_of(ladder));
    if (measured.count) {
        puts("Your steps, measured:");
        draw_ladder(measured);
    } else if (predicted.count)
        draw_predicted(&predicted);
    print_changed(ladder);
    draw_recorded(recorded, ladder,
                  measured.count    ? measured.row[0]
                  : predicted.count ? predicted.row[0]
                                    : NULL);
}

/* desk/ladder: --ladder=opt, then the recorded files, --, and the student's own. */
int view_ladder(int count, char **words) {
    struct rows recorded = {.skip_broken = true}, own = {.all = true, .skip_broken = true};
    const char *wanted = take_option("ladder", &count, &words);
    int first = 0;
    while (first < count && !same(words[first], "--"))
        first++;
    rows_of(&recorded, words, first);
    rows_of(&own, words + first + 1, count - first - 1);
    struct progress progress = read_progress(&own);
    bool printed = false;
    for (size_t i = 0; i < progress.count; i++) {
        const struct ladder *ladder = &progress.ladder[i];
        if (wanted && *wanted ? !same(ladder->name, wanted) : !count_if(ladder, is_begun))
            continue;
        fputs(printed ? "\n" : "", stdout);
        print_own(&recorded, &own, ladder);
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
