/* Points, verdicts and speed on a class's page, and the chart that charts.gp draws of it. */
#include "../grades/views.h"

#include <math.h>
#include <string.h>

#include "lib/steps.h"
#include "lib/svg.h"
#include "lib/text.h"
#include "overview.h"

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
    drawing(to->page, say("%s/curves.svg", charts), "What a time is worth, step by step",
            text.bytes);
}

void put_distributions(const struct class_page *to, const char *charts) {
    put_standing(to);
    put_curves(to, charts);
}

/* ---- what gnuplot draws ------------------------------------------------------------------------- */

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

/* FOLDER RESULTS.jsonl: what class/overview/charts.gp draws, where there is something to draw. */
int view_overview_data(int count, char **words) {
    struct text text = {0};
    if (count != 2)
        give_up(2, "needs the folder to write to, and RESULTS.jsonl");
    struct class class = read_class(words[1], assignment_named());
    for (size_t s = 0; s < class.steps; s++)
        write_curve(&class, s, &text);
    if (text.length)
        write_file(say("%s/curves.tsv", words[0]), say("step\tkind\tratio\tshare\n%s", text.bytes));
    return class.status;
}
