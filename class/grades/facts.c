#include "facts.h"

#include <math.h>
#include <string.h>

struct timed timed_grade(const struct grade *grade) {
    const struct row *row = grade->row;
    if (!row || (*grade->basis && isnan(grade->ratio)))
        return (struct timed){NAN, NAN, NAN};
    if (*grade->basis)
        return (struct timed){row->predicted_us, row->predicted_low_us, row->predicted_high_us};
    return (struct timed){row->us, row->us_low, row->us_high};
}

/* ---- who stands out ----------------------------------------------------------------------------- */

bool shows_mistake(const struct grade *grade) {
    return *grade->intended && !same(grade->intended, "pass");
}

bool is_without_idea(const struct grade *grade) {
    return same(grade->verdict, "pass") && *grade->lacks && !same(grade->lacks, "there");
}

bool is_late_somehow(const struct class *class, const struct submission *one) {
    return *class->assignment->fact[DUE].value && !*one->late.handed_in &&
           strchr(people_cell(&class->people, one->name, "late_flag"), '1');
}

size_t count_predicted(const struct class *class) {
    size_t predicted = 0;
    for (const struct submission *one = class->submission; one->name; one++)
        predicted += one->predicted > 0;
    return predicted;
}

struct shares shares_of(const struct class *class) {
    struct shares shares = {.share = keep((class->submissions + 1) * sizeof(double))};
    for (const struct submission *one = class->submission; one->name; one++) {
        if (one->total_max <= 0)
            continue;
        double share = 100.0 * (double)one->total / (double)one->total_max;
        shares.share[shares.count++] = share;
    }
    sort_numbers(shares.share, shares.count);
    return shares;
}

/* ---- in words ---------------------------------------------------------------------------------- */

const char *total_in_words(const struct submission *one) {
    struct text text = {0};
    add(&text, "%s of %s points", points(one->total), points(one->total_max));
    if (one->pending == 1)
        add(&text, ", not final: one step is still to be graded");
    else if (one->pending)
        add(&text, ", not final: %zu steps are still to be graded", one->pending);
    if (one->predicted_total)
        add(&text, ", %s of them for speed that is predicted, not measured",
            points(one->predicted_total));
    return text.bytes;
}

const char *grade_in_words(const struct class *class, const struct submission *one) {
    struct text text = {0};
    amount grade = grade_of(class, one), off = grade_less(class, one, 0) - grade;
    if (has_grade(one))
        add(&text, "%s of %s points", points(grade), points(grade_total(class)));
    else
        add(&text, "no grade yet");
    if (off > 0)
        add(&text, " (%s taken off)", points(off));
    add(&text, "%s%s%s", *one->late.how ? "; " : "", one->late.how,
        one->pending ? "; not final" : "");
    return text.bytes;
}

const char *worth_in_words(const struct grade *grade) {
    return *grade->pending ? "not yet"
                           : say("%s of %s", points(points_of(grade)), points(maximum_of(grade)));
}

const char *verdict_in_words(const struct grade *grade) {
    return grade->row ? printable(grade->verdict) : "not graded yet";
}

const char *decided_verdict(const struct grade *grade) {
    const char *cleared = same(grade->decision, "clear") ? ", cleared" : "";
    return say("%s%s", verdict_in_words(grade), cleared);
}

const char *idea_cost(const struct grade *grade) {
    return say("it costs %s of %s points", points(grade->idea_max - grade->idea),
               points(maximum_of(grade)));
}
