# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Finds a place for the label of each point of a chart, for charts_energy.awk: one where it covers no other label and no point, as near to
# its point as there is one. A label that finds none at its point's side stands farther away, at the end of a thin line to it. All
# coordinates are pixels of the SVG, from the lower left corner of the part of the chart that labels may use.

# begin_labels(), add_point() for every point, labelled or not, add_line() for lines that labels should rather not lie on, then
# place_label() for one point after the other. A point that has few free places is best labelled early.
function begin_labels(wide, high) {
    POINT = 5 # half a mark, and so how far two points that cannot be told apart may be from each other
    LETTER = 6.6 # a letter's width in the chart's font, and a line's height
    LINE = 12
    label_width = wide
    label_height = high
    label_points = label_lines = labels = 0
}

function add_point(x, y) {
    point_x[++label_points] = x
    point_y[label_points] = y
    return label_points
}

function add_line(x0, y0, x1, y1) {
    label_line[++label_lines] = x0 " " y0 " " x1 " " y1
}

# How many other points crowd that one.
function crowd_around(p,    i, count) {
    for (i = 1; i <= label_points; i++)
        count += apart(i, p) < 60
    return count
}

# Places a label of so many letters. Sets label_left[], _right, _bottom and _top of labels, the number of this one, and label_end_x and
# _y, where it is nearest to its point; label_is_far[] where a line leads there. Only if there is no other place may that line cross
# others. Returns 0 if there is no place at all.
function place_label(p, letters) {
    labels++
    if (find_place(p, letters * LETTER, 1) || find_place(p, letters * LETTER, 0))
        return 1
    labels--
    return 0
}

function find_place(p, wide, lines_count,    away, turn, cost, least) {
    least = ""
    for (away = POINT + 4; away < label_width && (least == "" || away <= least); away += 10)
        for (turn = 0; turn < 16; turn++) {
            try_place(p, wide, away, turn)
            cost = away + turn_cost(turn) + 25 * lies_on_line()
            if ((least == "" || cost < least) && is_free(p) && !(lines_count && at_is_far && line_is_in_the_way(p))) {
                least = cost
                keep_place(p)
            }
        }
    return least != ""
}

# Beside the point is better than above it, and that is better than askew.
function turn_cost(turn) {
    return turn == 0 ? 0 : turn == 8 ? 1 : turn % 8 == 4 ? 2 : turn % 4 == 2 ? 3 : 5
}

# Sets at_left and so on: the place that lies so far away from the point, in the direction of that sixteenth of a turn.
function try_place(p, wide, away, turn,    across, up) {
    across = cos(turn * atan2(0, -1) / 8)
    up = sin(turn * atan2(0, -1) / 8)
    at_end_x = point_x[p] + away * across
    at_end_y = point_y[p] + away * up
    at_left = at_end_x - (across > 0.3 ? 0 : across < -0.3 ? wide : wide / 2)
    at_bottom = at_end_y - (up > 0.3 ? 0 : up < -0.3 ? LINE : LINE / 2)
    at_right = at_left + wide
    at_top = at_bottom + LINE
    at_is_far = away > POINT + 4
}

function keep_place(p) {
    label_point[labels] = p
    label_left[labels] = at_left
    label_right[labels] = at_right
    label_bottom[labels] = at_bottom
    label_top[labels] = at_top
    label_end_x[labels] = at_end_x
    label_end_y[labels] = at_end_y
    label_is_far[labels] = at_is_far
}

# Whether the place that was tried for point p is inside, and clear of points, of other labels and of their lines.
function is_free(p,    i, near) {
    if (at_left < 0 || at_right > label_width || at_bottom < 0 || at_top > label_height)
        return 0
    for (i = 1; i <= label_points; i++) {
        # A label without a line must be seen to be its own point's.
        near = POINT + (apart(i, p) <= POINT ? 1 : at_is_far ? 3 : 9)
        if (crosses_place(point_x[i], point_y[i], point_x[i], point_y[i], near))
            return 0
    }
    for (i = 1; i < labels; i++) {
        if (at_left < label_right[i] + 4 && label_left[i] < at_right + 4 && at_bottom < label_top[i] + 2 && label_bottom[i] < at_top + 2)
            return 0
        if (label_is_far[i] && crosses_place(point_x[label_point[i]], point_y[label_point[i]], label_end_x[i], label_end_y[i], 2))
            return 0
    }
    return 1
}

# Whether the line from point p to the place meets other points or labels, or the lines to them.
function line_is_in_the_way(p,    i, q) {
    for (i = 1; i <= label_points; i++)
        if (apart(i, p) > POINT && distance_from_line(i, p) < smaller(POINT + 2, 0.7 * apart(i, p)))
            return 1
    for (i = 1; i < labels; i++) {
        q = label_point[i]
        if (crosses(point_x[p], point_y[p], at_end_x, at_end_y, label_left[i] - 2, label_bottom[i] - 2, label_right[i] + 2, label_top[i] + 2))
            return 1
        if (label_is_far[i] && lines_cross(point_x[p], point_y[p], at_end_x, at_end_y, point_x[q], point_y[q], label_end_x[i], label_end_y[i]))
            return 1
    }
    return 0
}

function lies_on_line(    i, end) {
    for (i = 1; i <= label_lines; i++) {
        split(label_line[i], end, " ")
        if (crosses_place(end[1], end[2], end[3], end[4], 1))
            return 1
    }
    return 0
}

# ---- geometry -----------------------------------------------------------------------------------

function hypotenuse(x, y) {
    return sqrt(x * x + y * y)
}

function apart(p, q) {
    return hypotenuse(point_x[p] - point_x[q], point_y[p] - point_y[q])
}

function crosses_place(x0, y0, x1, y1, margin) {
    return crosses(x0, y0, x1, y1, at_left - margin, at_bottom - margin, at_right + margin, at_top + margin)
}

# Whether a line from one point to the other meets the rectangle (Liang and Barsky): inside_from to inside_to of it is inside.
function crosses(x0, y0, x1, y1, left, bottom, right, top) {
    inside_from = 0
    inside_to = 1
    return cut(x1 - x0, left - x0, right - x0) && cut(y1 - y0, bottom - y0, top - y0)
}

# Keeps what of the line lies between low and high, if it runs so far along that axis. Returns whether anything does.
function cut(along, low, high,    first, last) {
    if (along == 0)
        return low < 0 && 0 < high
    first = (along > 0 ? low : high) / along
    last = (along > 0 ? high : low) / along
    inside_from = first > inside_from ? first : inside_from
    inside_to = last < inside_to ? last : inside_to
    return inside_from < inside_to
}

# How far point i is from the line that leads from point p to the place.
function distance_from_line(i, p,    across, up, x, y, share) {
    across = at_end_x - point_x[p]
    up = at_end_y - point_y[p]
    x = point_x[i] - point_x[p]
    y = point_y[i] - point_y[p]
    share = (x * across + y * up) / (across * across + up * up)
    share = share < 0 ? 0 : share > 1 ? 1 : share
    return hypotenuse(x - share * across, y - share * up)
}

function lines_cross(ax, ay, bx, by, cx, cy, dx, dy) {
    return side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0 && side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
}

# On which side of the line from a to b (x, y) lies: above 0, below it or 0.
function side(ax, ay, bx, by, x, y) {
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
}
