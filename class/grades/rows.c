// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The rows of points, one for each submission and step, behind a header; class/points_rows.awk
 * reads them and says what each column means. Rows of this project's own versions come first, and
 * have what stands in their records alone. */
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "points.h"

static const char header[] =
    "line submission step verdict intended outcome detail diagnosis faults remarks hazards idea "
    "device when us us_low us_high scaled roof_fraction reference seed notes ours_line ours_us "
    "ours_roof_fraction ratio basis predicted_us predicted_low_us predicted_high_us predicted_gpu "
    "predicted_ratio correct correct_max speed speed_max idea_points idea_max full none passes "
    "decision reason how left_out pending late_days late_free late_percent late_how extension "
    "handed_in assignment_title assignment_total";

/* What has no place here is as in the record. */
static const struct own_column {
    const char *name;
    enum { TEXT, NUMBER, AMOUNT, DAYS } is;
    enum { OF_GRADE, OF_SUBMISSION, OF_ASSIGNMENT } of;
    size_t offset;
} own[] = {
#define OF_THE_GRADE(name, is, field)                                                              \
    { name, is, OF_GRADE, offsetof(struct grade, field) }
#define OF_ALL_STEPS(name, is, field)                                                              \
    { name, is, OF_SUBMISSION, offsetof(struct submission, field) }
#define OF_THE_CLASS(name, is, field)                                                              \
    { name, is, OF_ASSIGNMENT, offsetof(struct assignment, field) }
    OF_THE_GRADE("submission", TEXT, submission),
    OF_THE_GRADE("step", TEXT, step),
    OF_THE_GRADE("intended", TEXT, intended),
    OF_THE_GRADE("ratio", NUMBER, ratio),
    OF_THE_GRADE("basis", TEXT, basis),
    OF_THE_GRADE("predicted_ratio", NUMBER, predicted_ratio),
    OF_THE_GRADE("correct", AMOUNT, correct),
    OF_THE_GRADE("correct_max", AMOUNT, correct_max),
    OF_THE_GRADE("speed", AMOUNT, speed),
    OF_THE_GRADE("speed_max", AMOUNT, speed_max),
    OF_THE_GRADE("idea_points", AMOUNT, idea),
    OF_THE_GRADE("idea_max", AMOUNT, idea_max),
    OF_THE_GRADE("passes", NUMBER, passes),
    OF_THE_GRADE("decision", TEXT, decision),
    OF_THE_GRADE("reason", TEXT, reason),
    OF_THE_GRADE("how", TEXT, how),
    OF_THE_GRADE("left_out", TEXT, left_out),
    OF_THE_GRADE("pending", TEXT, pending),
    OF_ALL_STEPS("late_days", DAYS, late.days),
    OF_ALL_STEPS("late_free", DAYS, late.free),
    OF_ALL_STEPS("late_percent", AMOUNT, late.percent),
    OF_ALL_STEPS("late_how", TEXT, late.how),
    OF_ALL_STEPS("extension", DAYS, late.extension),
    OF_ALL_STEPS("handed_in", TEXT, late.handed_in),
    OF_THE_CLASS("assignment_title", TEXT, fact[TITLE].value),
};
enum { OWN = sizeof own / sizeof *own };

static const char *own_cell(const struct own_column *column, const void *const *from) {
    const char *at = (const char *)from[column->of] + column->offset;
    if (column->is == TEXT)
        return row_text(*(const char *const *)at);
    if (column->is == NUMBER)
        return plain_number(*(const double *)at);
    if (column->is == AMOUNT)
        return amount_text(*(const amount *)at);
    return *(const long *)at < 0 ? "" : say("%ld", *(const long *)at);
}

/* A prediction is shown where it counts. */
static const char *cell(const struct class *class, const struct submission *one,
                        const struct grade *grade, const char *name) {
    const void *const from[] = {grade, one, class->assignment};
    for (size_t i = 0; i < OWN; i++)
        if (same(own[i].name, name))
            return own_cell(&own[i], from);
    if (begins_with(name, "ours_"))
        return cell_of(grade->ours, name + strlen("ours_"));
    if (same(name, "full") || same(name, "none"))
        return amount_text(grade->worth[same(name, "full") ? FULL : NONE]);
    if (same(name, "assignment_total"))
        return class->assignment->total ? amount_text(class->assignment->total) : "";
    if (begins_with(name, "predicted_") && isnan(grade->predicted_ratio))
        return "";
    return cell_of(grade->row, name);
}

int view_rows_of_points(int count, char **words) {
    struct class class = read_class(words[count - 1], assignment_named());
    struct words columns = words_of(header);
    const size_t last = columns.count - 1;
    puts(replaced(header, " ", "\t"));
    for (size_t i = 0; i < class.own.count; i++)
        for (size_t c = 0; c <= last; c++)
            printf("%s%c", cell_of(class.own.row[i], columns.word[c]), c < last ? '\t' : '\n');
    for (size_t i = 0; i < class.submissions; i++)
        for (size_t s = 0; s < class.steps; s++)
            for (size_t c = 0; c <= last; c++)
                printf("%s%c",
                       cell(&class, &class.submission[i], &class.submission[i].grade[s],
                            columns.word[c]),
                       c < last ? '\t' : '\n');
    return class.status;
}
