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

/* What is as in the record has no place of its own. A prediction is shown where it counts. */
enum column_is { RECORDED, FORETOLD, OURS, TEXT, NUMBER, AMOUNT, WORTH, OF_LATENESS };
#define OWN(is, field)                                                                             \
    { #field, is, offsetof(struct grade, field) }
#define RENAMED(name, is, field)                                                                   \
    { name, is, offsetof(struct grade, field) }
#define SAME(name)                                                                                 \
    { name, RECORDED, 0 }

static const struct column {
    const char *name;
    enum column_is is;
    size_t offset;
} columns[] = {
    SAME("line"),
    OWN(TEXT, submission),
    OWN(TEXT, step),
    SAME("verdict"),
    OWN(TEXT, intended),
    SAME("outcome"),
    SAME("detail"),
    SAME("diagnosis"),
    SAME("faults"),
    SAME("remarks"),
    SAME("hazards"),
    SAME("idea"),
    SAME("device"),
    SAME("when"),
    SAME("us"),
    SAME("us_low"),
    SAME("us_high"),
    SAME("scaled"),
    SAME("roof_fraction"),
    SAME("reference"),
    SAME("seed"),
    SAME("notes"),
    {"ours_line", OURS, 0},
    {"ours_us", OURS, 0},
    {"ours_roof_fraction", OURS, 0},
    OWN(NUMBER, ratio),
    OWN(TEXT, basis),
    {"predicted_us", FORETOLD, 0},
    {"predicted_low_us", FORETOLD, 0},
    {"predicted_high_us", FORETOLD, 0},
    {"predicted_gpu", FORETOLD, 0},
    OWN(NUMBER, predicted_ratio),
    OWN(AMOUNT, correct),
    OWN(AMOUNT, correct_max),
    OWN(AMOUNT, speed),
    OWN(AMOUNT, speed_max),
    RENAMED("idea_points", AMOUNT, idea),
    OWN(AMOUNT, idea_max),
    {"full", WORTH, FULL},
    {"none", WORTH, NONE},
    OWN(NUMBER, passes),
    OWN(TEXT, decision),
    OWN(TEXT, reason),
    OWN(TEXT, how),
    OWN(TEXT, left_out),
    OWN(TEXT, pending),
    {"late_days", OF_LATENESS, 0},
    {"late_free", OF_LATENESS, 0},
    {"late_percent", OF_LATENESS, 0},
    {"late_how", OF_LATENESS, 0},
    {"extension", OF_LATENESS, 0},
    {"handed_in", OF_LATENESS, 0},
    {"assignment_title", OF_LATENESS, 0},
    {"assignment_total", OF_LATENESS, 0},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *lateness_cell(const struct assignment *assignment, const struct lateness *late,
                                 const char *name) {
    if (same(name, "late_days"))
        return say("%ld", late->days);
    if (same(name, "late_free"))
        return say("%ld", late->free);
    if (same(name, "late_percent"))
        return amount_text(late->percent);
    if (same(name, "late_how"))
        return row_text(late->how);
    if (same(name, "extension"))
        return late->extension < 0 ? "" : say("%d", late->extension);
    if (same(name, "handed_in"))
        return row_text(late->handed_in);
    if (same(name, "assignment_title"))
        return row_text(assignment->fact[TITLE].value);
    return assignment->total ? amount_text(assignment->total) : "";
}

static const char *cell(const struct class *class, const struct submission *one,
                        const struct grade *grade, const struct column *column) {
    const char *at = (const char *)grade + column->offset;
    switch (column->is) {
    case FORETOLD:
        return isnan(grade->predicted_ratio) ? "" : cell_of(grade->row, column->name);
    case OURS:
        return cell_of(grade->ours, column->name + strlen("ours_"));
    case TEXT:
        return row_text(*(const char *const *)at);
    case NUMBER:
        return plain_number(*(const double *)at);
    case AMOUNT:
        return amount_text(*(const amount *)at);
    case WORTH:
        return amount_text(grade->worth[column->offset]);
    case OF_LATENESS:
        return lateness_cell(class->assignment, &one->late, column->name);
    default:
        return cell_of(grade->row, column->name);
    }
}

int view_rows_of_points(int count, char **words) {
    struct class class = read_class(words[count - 1], assignment_named());
    for (size_t c = 0; c < COLUMNS; c++)
        printf("%s%s", c ? "\t" : "", columns[c].name);
    putchar('\n');
    for (size_t i = 0; i < class.own.count; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            printf("%s%s", cell_of(class.own.row[i], columns[c].name),
                   c + 1 < COLUMNS ? "\t" : "\n");
    for (size_t i = 0; i < class.submissions; i++)
        for (size_t s = 0; s < class.steps; s++)
            for (size_t c = 0; c < COLUMNS; c++)
                printf(
                    "%s%s",
                    cell(&class, &class.submission[i], &class.submission[i].grade[s], &columns[c]),
                    c + 1 < COLUMNS ? "\t" : "\n");
    return class.status;
}
