// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The sections of a class's page with charts, and a table beside each; and what charts.gp draws. */
#include "../grades/views.h"

#include <math.h>
#include <string.h>

#include "lib/steps.h"
#include "lib/svg.h"
#include "lib/text.h"
#include "overview.h"

/* In the order of a chart; open: the harness's fault, too. */
static const char *const groups[] = {"right", "doubtful", "wrong", "absent", "open"};
enum { GROUPS = sizeof groups / sizeof *groups };

/* In per cent of the class. */
static double share_of_group(const struct class *class, size_t step, const char *group) {
    size_t count = 0;
    for (size_t i = 0; i < class->submissions; i++) {
        const char *of = verdict_group(class->submission[i].grade[step].verdict);
        count += same(same(of, "fault") ? "open" : of, group);
    }
    return 100.0 * (double)count / (double)class->submissions;
}

static bool draw(const struct class_page *to, const char *charts, const char *name,
                 const char *title, const char *text) {
    return drawing(to->page, say("%s/%s.svg", charts, name), title, text);
}

/* The histogram, and beside it its table. */
static void put_points(const struct class_page *to, const char *charts) {
    struct shares shares = shares_of(to->class);
    struct text text = {0};
    section(to->page, "Points");
    put_points_in_words(to, &shares);
    if (!shares.count)
        return;
    add(&text, "Submissions by their share of the points. ");
    for (size_t i = 0; i < 10; i++)
        add(&text, "%s%zu to %zu %%: %zu", i ? ", " : "", 10 * i, 10 * (i + 1), shares.tenth[i]);
    add(&text, ".");
    markup(to->page, "<div class=\"beside\">");
    bool drawn =
        draw(to, charts, "points", "How many submissions have how many points", text.bytes);
    put_histogram(to, &shares, !drawn);
    markup(to->page, "</div>");
}

static void put_groups(const struct class_page *to, const char *charts) {
    const struct class *class = to->class;
    struct text text = {0};
    section(to->page, "Verdicts");
    add(&text, "Per cent of the submissions whose step is right, a hazard or flagged, not right, "
               "missing or not started, and not graded, step by step: ");
    for (size_t s = 0; s < class->steps; s++)
        add(&text, "%s%s %.0f%% right", s ? "; " : "", short_name(printable(class->step[s])),
            share_of_group(class, s, "right"));
    add(&text, ".");
    draw(to, charts, "verdicts", "What became of each step", text.bytes);
    put_verdicts(to);
}

/* The time over ours that its points for speed come of; NAN where it has none. */
static double ratio_that_counts(const struct grade *grade) {
    double ratio = *grade->basis ? grade->predicted_ratio : grade->ratio;
    return grade->speed_max && is_right(grade) ? ratio : NAN;
}

/* One with points for speed to have; NULL for none. */
static const struct grade *any_timed(const struct class *class, size_t step) {
    for (size_t i = 0; i < class->submissions; i++)
        if (!isnan(ratio_that_counts(&class->submission[i].grade[step])))
            return &class->submission[i].grade[step];
    return NULL;
}

static void put_curves(const struct class_page *to, const char *charts) {
    const struct class *class = to->class;
    struct text text = {0};
    add(&text, "Share of the points for speed by the time over ours, with each right answer of the "
               "class on its step's curve.");
    for (size_t s = 0; s < class->steps; s++) {
        const struct grade *any = any_timed(class, s);
        size_t all = 0, none = 0, count = 0;
        for (size_t i = 0; i < class->submissions && any; i++) {
            const struct grade *grade = &class->submission[i].grade[s];
            bool counts = !isnan(ratio_that_counts(grade));
            count += counts;
            all += counts && grade->speed == grade->speed_max;
            none += counts && !grade->speed;
        }
        if (any)
            add(&text, " %s: all up to %s, none from %s%s; of %zu, %zu have all and %zu none.",
                short_name(printable(class->step[s])), amount_text(any->worth[FULL]),
                times(no_speed_from(any)),
                any->before && any->worth[NONE] == BEFORE ? ", our time of the step before" : "",
                count, all, none);
    }
    draw(to, charts, "curves", "What a time is worth, step by step", text.bytes);
}

void put_distributions(const struct class_page *to, const char *charts) {
    put_points(to, charts);
    put_groups(to, charts);
    section(to->page, "Speed");
    put_speed(to);
    put_curves(to, charts);
}

/* ---- what gnuplot draws ------------------------------------------------------------------------- */

static void write_points(const struct class *class, const char *path) {
    struct shares shares = shares_of(class);
    struct text text = {0};
    add(&text, "from\tsubmissions\n");
    for (size_t i = 0; i < 10; i++)
        add(&text, "%zu\t%zu\n", 10 * i, shares.tenth[i]);
    if (shares.count)
        write_file(path, text.bytes);
}

static void write_groups(const struct class *class, const char *path) {
    struct text text = {0};
    add(&text, "step");
    for (size_t g = 0; g < GROUPS; g++)
        add(&text, "\t%s", groups[g]);
    for (size_t s = 0; s < class->steps; s++) {
        add(&text, "\n%s", text_for_gnuplot(short_name(class->step[s])));
        for (size_t g = 0; g < GROUPS; g++)
            add(&text, "\t%.6g", share_of_group(class, s, groups[g]));
    }
    add(&text, "\n");
    write_file(path, text.bytes);
}

/* From left to right: the curve, which is straight by the logarithm, as far as the class's times
 * go; then these. */
static void write_curve(const struct class *class, size_t step, struct text *text) {
    const struct grade *any = any_timed(class, step);
    if (!any)
        return;
    const char *name = text_for_gnuplot(short_name(class->step[step]));
    struct text marks = {0};
    double full = (double)any->worth[FULL] / POINT, none = no_speed_from(any);
    double least = full / 1.5, most = none * 1.5;
    for (size_t i = 0; i < class->submissions; i++) {
        const struct grade *grade = &class->submission[i].grade[step];
        double ratio = ratio_that_counts(grade);
        if (isnan(ratio))
            continue;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        add(&marks, "%s\tclass\t%.6g\t%.6g\n", name, ratio,
            100.0 * (double)grade->speed / (double)grade->speed_max);
    }
    add(text, "%s\tcurve\t%.6g\t100\n%s\tcurve\t%.6g\t100\n", name, least, name, full);
    add(text, "%s\tcurve\t%.6g\t0\n%s\tcurve\t%.6g\t0\n%s", name, none, name, most, marks.bytes);
}

static void write_curves(const struct class *class, const char *path) {
    struct text text = {0};
    for (size_t s = 0; s < class->steps; s++)
        write_curve(class, s, &text);
    if (text.length)
        write_file(path, say("step\tkind\tratio\tshare\n%s", text.bytes));
}

/* FOLDER RESULTS.jsonl: what class/overview/charts.gp draws, each where there is something to draw.
 */
int view_overview_data(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the folder to write to, and RESULTS.jsonl");
    struct class class = read_class(words[1], assignment_named());
    if (class.submissions) {
        write_points(&class, say("%s/points.tsv", words[0]));
        write_groups(&class, say("%s/verdicts.tsv", words[0]));
        write_curves(&class, say("%s/curves.tsv", words[0]));
    }
    return class.status;
}
