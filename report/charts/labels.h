// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Finds a place for the label of each point of a chart: one where it covers no other label and no
 * point, as near to its point as there is one. A label that finds none at its point's side stands
 * farther away, at the end of a thin line to it. All coordinates are pixels of the SVG, from the
 * lower left corner of the part of the chart that labels may use.
 *
 * First add_point() for every point, labelled or not, and add_line() for lines that labels should
 * rather not lie on, then place_label() for one point after the other. A point that has few free
 * places is best labelled early. */
#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include <stdbool.h>
#include <stddef.h>

struct spot {
    double x, y;
};

struct stroke {
    struct spot from, to;
};

struct label {
    size_t point;
    double left, right, bottom, top;
    struct spot end; /* where it is nearest to its point */
    bool is_far;     /* a line leads there */
};

struct labels {
    double wide, high;
    struct spot *point;
    struct stroke *line;
    struct label *label;
    size_t points, lines, count;
};

size_t add_point(struct labels *labels, double x, double y);
void add_line(struct labels *labels, double x0, double y0, double x1, double y1);
size_t crowd_around(const struct labels *labels, size_t point); /* how many are near */
bool cannot_be_told_apart(const struct labels *labels, size_t point, size_t other);

/* A label of so many letters; NULL if there is no place at all. */
const struct label *place_label(struct labels *labels, size_t point, size_t letters);

#endif
