#include "parts.h"

#include <math.h>

#include "../grades/phrases.h"
#include "../grades/private.h"
#include "lib/steps.h"

/* opt05: pass, 9.5 of 10 points, 34.9 us */
static const char *cell_in_words(const struct grade *grade) {
    struct text text = {0};
    add(&text, "%s: %s", short_name(grade->step), verdict_in_words(grade));
    if (*grade->decision)
        add(&text, ", %sed", grade->decision);
    if (*grade->left_out || *grade->pending)
        add(&text, ", %s", *grade->left_out ? "left out" : "still to be graded");
    else
        add(&text, ", %s of %s points", points(points_of(grade)), points(maximum_of(grade)));
    if (grade->row && !isnan(grade->row->us))
        add(&text, ", %s us", significant(grade->row->us, 4));
    if (!isnan(grade->predicted_ratio))
        add(&text, ", ~%s us predicted", significant(grade->row->predicted_us, 3));
    return text.bytes;
}

static void put_cell(struct table *table, const struct grade *grade) {
    const char *address = say("%s#%s", page_of(grade->submission), file_name(grade->step));
    put(table, linked(verdict_sign(grade->verdict), address, cell_in_words(grade)));
    attribute(table, "class", say("v-%s", verdict_group(grade->verdict)));
}

static const char *late_days_shown(const struct class *class, const struct submission *one) {
    return is_late_by_flag(class, one) ? "?" : say("%ld", one->late.days);
}

static void put_student(const struct class_page *to, struct table *table,
                        const struct submission *one, bool has_late, bool has_sections) {
    const struct class *class = to->class;
    const char *grade = has_grade(one) ? points(grade_of(class, one)) : "-";
    row(table);
    put_heading(table, person_shown(to, one->name));
    put_cells(table, printable(one->name), say("%s%s", grade, one->pending ? " *" : ""));
    if (one->pending)
        attribute(table, "title",
                  say("not final: %s still to be graded", plural(one->pending, "step")));
    for (size_t s = 0; s < class->steps; s++)
        put_cell(table, &one->grade[s]);
    if (has_late)
        put(table, late_days_shown(class, one));
    if (has_sections)
        put(table, printable(person(&class->people, one->name, "section")));
}

/* What the signs mean: those that somebody has. */
static void put_legend(const struct class_page *to) {
    struct table *table = table_of("sign|verdict|>how often|what it means");
    for (size_t v = 0; v <= verdict_count; v++) {
        const char *word = v < verdict_count ? verdict_table[v].word : "";
        size_t count = count_in_class(to->class, word);
        if (!count)
            continue;
        put_row(table, verdict_sign(word));
        attribute(table, "class", say("v-%s", verdict_group(word)));
        put_heading(table, *word ? word : "ungraded");
        put_cells(table, say("%zu", count),
                  *word ? verdict_table[v].meaning : "it has no record yet");
    }
    put_table(to->page, table);
}

void put_grid(const struct class_page *to) {
    const struct class *class = to->class;
    struct table *table = new_table();
    bool has_sections = false, has_late = count_late(class) > 0;
    for (size_t i = 0; i < class->submissions; i++)
        has_sections |= *person(&class->people, class->submission[i].name, "section");
    section(to->page, "Students and steps");
    table_columns(table, "name|submission");
    table_column(table, say("of %s", points(grade_total(class))), RIGHT);
    for (size_t s = 0; s < class->steps; s++) {
        table_column(table, short_name(printable(class->step[s])), LEFT);
        attribute(table, "class", "step");
        attribute(table, "title", class->step[s]);
    }
    if (has_late)
        table_column(table, "days late", RIGHT);
    if (has_sections)
        table_column(table, "section", LEFT);
    for (size_t i = 0; i < class->submissions; i++)
        put_student(to, table, &class->submission[i], has_late, has_sections);
    markup(to->page, "<div class=\"grid\">");
    put_table(to->page, table);
    markup(to->page, "</div>");
    put_legend(to);
}
