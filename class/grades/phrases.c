#include "phrases.h"

const char *total_in_words(const struct submission *one) {
    struct text text = {0};
    add(&text, "%s of %s points", points(one->total), points(one->total_max));
    if (one->pending == 1)
        add(&text, ", not final: one step is still to be graded");
    else if (one->pending)
        add(&text, ", not final: %zu steps are still to be graded", one->pending);
    if (one->predicted)
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

const char *verdict_in_words(const struct grade *grade) {
    return grade->row ? printable(grade->verdict) : "not graded yet";
}

const char *decided_verdict(const struct grade *grade) {
    const char *cleared = same(grade->decision, "clear") ? ", cleared" : "";
    return say("%s%s", verdict_in_words(grade), cleared);
}

const char *idea_cost(const struct grade *grade) {
    return grade->idea_max ? say("it costs %s points", points(grade->idea_max - grade->idea))
                           : "it costs no points";
}
