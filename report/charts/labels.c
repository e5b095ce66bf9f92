// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "labels.h"

#include <math.h>

#include "lib/text.h"

static const double POINT = 5; /* half a mark */
static const double LETTER = 6.6,
                    LINE = 12; /* a letter's width in the chart's font, a line's height */

size_t add_point(struct labels *labels, double x, double y) {
    labels->point = keep_more(labels->point, labels->points, sizeof *labels->point);
    labels->point[labels->points] = (struct spot){x, y};
    return labels->points++;
}

void add_line(struct labels *labels, double x0, double y0, double x1, double y1) {
    labels->line = keep_more(labels->line, labels->lines, sizeof *labels->line);
    labels->line[labels->lines++] = (struct stroke){{x0, y0}, {x1, y1}};
}

/* ---- geometry --------------------------------------------------------------------------------- */

static double hypotenuse(double x, double y) { return sqrt(x * x + y * y); }

static double apart(const struct labels *labels, size_t p, size_t q) {
    const struct spot *point = labels->point;
    return hypotenuse(point[p].x - point[q].x, point[p].y - point[q].y);
}

size_t crowd_around(const struct labels *labels, size_t point) {
    size_t count = 0;
    for (size_t i = 0; i < labels->points; i++)
        count += apart(labels, i, point) < 60;
    return count;
}

bool cannot_be_told_apart(const struct labels *labels, size_t point, size_t other) {
    return apart(labels, point, other) <= POINT;
}

/* Keeps what of a line lies between low and high, if it runs so far along that axis; `inside` is
 * the part of it that is left. Returns whether any is. */
static bool cut(double along, double low, double high, double inside[2]) {
    if (along == 0)
        return low < 0 && 0 < high;
    double first = (along > 0 ? low : high) / along, last = (along > 0 ? high : low) / along;
    inside[0] = first > inside[0] ? first : inside[0];
    inside[1] = last < inside[1] ? last : inside[1];
    return inside[0] < inside[1];
}

/* Whether a line meets the label's rectangle with a margin about it (Liang and Barsky). */
static bool crosses(struct spot from, struct spot to, const struct label *label, double margin) {
    double inside[2] = {0, 1};
    return cut(to.x - from.x, label->left - margin - from.x, label->right + margin - from.x,
               inside) &&
           cut(to.y - from.y, label->bottom - margin - from.y, label->top + margin - from.y,
               inside);
}

/* On which side of the line from a to b c lies: above 0, below it or 0. */
static double side(struct spot a, struct spot b, struct spot c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool lines_cross(struct spot a, struct spot b, struct spot c, struct spot d) {
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/* How far a point is from the line between two. */
static double distance(struct spot point, struct spot from, struct spot to) {
    double across = to.x - from.x, up = to.y - from.y, x = point.x - from.x, y = point.y - from.y;
    double share = (x * across + y * up) / (across * across + up * up);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return hypotenuse(x - share * across, y - share * up);
}

/* ---- places ----------------------------------------------------------------------------------- */

/* The place that lies so far away from the point, in the direction of that sixteenth of a turn. */
static struct label place_at(const struct labels *labels, size_t point, double wide, double away,
                             int turn) {
    double across = cos(turn * atan2(0, -1) / 8), up = sin(turn * atan2(0, -1) / 8);
    struct label place = {.point = point, .is_far = away > POINT + 4};
    place.end.x = labels->point[point].x + away * across;
    place.end.y = labels->point[point].y + away * up;
    place.left = place.end.x - (across > 0.3 ? 0 : across < -0.3 ? wide : wide / 2);
    place.bottom = place.end.y - (up > 0.3 ? 0 : up < -0.3 ? LINE : LINE / 2);
    place.right = place.left + wide;
    place.top = place.bottom + LINE;
    return place;
}

/* Whether a place is inside, and clear of points, of other labels and of their lines. */
static bool is_free(const struct labels *labels, const struct label *place) {
    if (place->left < 0 || place->right > labels->wide || place->bottom < 0 ||
        place->top > labels->high)
        return false;
    for (size_t i = 0; i < labels->points; i++) {
        /* A label without a line must be seen to be its own point's. */
        double near = POINT + (cannot_be_told_apart(labels, i, place->point) ? 1
                               : place->is_far                               ? 3
                                                                             : 9);
        if (crosses(labels->point[i], labels->point[i], place, near))
            return false;
    }
    for (size_t i = 0; i < labels->count; i++) {
        const struct label *other = &labels->label[i];
        if (place->left < other->right + 4 && other->left < place->right + 4 &&
            place->bottom < other->top + 2 && other->bottom < place->top + 2)
            return false;
        if (other->is_far && crosses(labels->point[other->point], other->end, place, 2))
            return false;
    }
    return true;
}

/* Whether the line from the point to the place meets other points or labels, or their lines. */
static bool line_is_in_the_way(const struct labels *labels, const struct label *place) {
    struct spot from = labels->point[place->point];
    for (size_t i = 0; i < labels->points; i++) {
        double far = apart(labels, i, place->point);
        if (far > POINT &&
            distance(labels->point[i], from, place->end) < smaller(POINT + 2, 0.7 * far))
            return true;
    }
    for (size_t i = 0; i < labels->count; i++) {
        const struct label *other = &labels->label[i];
        if (crosses(from, place->end, other, 2) ||
            (other->is_far &&
             lines_cross(from, place->end, labels->point[other->point], other->end)))
            return true;
    }
    return false;
}

static bool lies_on_line(const struct labels *labels, const struct label *place) {
    for (size_t i = 0; i < labels->lines; i++)
        if (crosses(labels->line[i].from, labels->line[i].to, place, 1))
            return true;
    return false;
}

/* Beside the point is better than above it, and that is better than askew. */
static int turn_cost(int turn) {
    return turn == 0 ? 0 : turn == 8 ? 1 : turn % 8 == 4 ? 2 : turn % 4 == 2 ? 3 : 5;
}

static bool find_place(const struct labels *labels, double wide, bool lines_count,
                       struct label *best) {
    double least = NAN;
    for (double away = POINT + 4; away < labels->wide && !(away > least); away += 10)
        for (int turn = 0; turn < 16; turn++) {
            struct label place = place_at(labels, best->point, wide, away, turn);
            double cost = away + turn_cost(turn) + 25 * lies_on_line(labels, &place);
            if (!(cost >= least) && is_free(labels, &place) &&
                !(lines_count && place.is_far && line_is_in_the_way(labels, &place))) {
                least = cost;
                *best = place;
            }
        }
    return !isnan(least);
}

/* Only if there is no other place may the line to the label cross others. */
const struct label *place_label(struct labels *labels, size_t point, size_t letters) {
    struct label label = {.point = point};
    if (!find_place(labels, letters * LETTER, true, &label) &&
        !find_place(labels, letters * LETTER, false, &label))
        return NULL;
    labels->label = keep_more(labels->label, labels->count, sizeof label);
    labels->label[labels->count] = label;
    return &labels->label[labels->count++];
}
