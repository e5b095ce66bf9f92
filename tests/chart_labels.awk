# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Looks at the labels of an energy chart, SVGs as report/plot draws them: each must be clear of other labels and of points, and at a point
# of its colour or at the end of a line from one. Prints what is wrong, and at the end `N labels`. Exit status 1 if anything is wrong.

function numbers_of(line, list) {
    gsub(/[^-0-9.]+/, " ", line)
    return split(line, list, " ")
}

/<g transform="translate/ {
    numbers_of($0, at)
    anchor = /"end"/ ? 1 : /"middle"/ ? 0.5 : 0
    colour = /rgb\(0,114,178\)/ ? "blue" : "black"
    is_title = /font-size="1[1-9]/
}

# gnuplot writes a label on white twice. Steps' labels are numbers, those of baselines are blue.
/^\t\t<text>[^<]/ && !is_title && at[1] " " $0 != before {
    before = at[1] " " $0
    text = $0
    gsub(/<[^>]*>|\t/, "", text)
    if (text ~ /^[-0-9, ]+$/ || colour == "blue") {
        name[++labels] = text
        colour_of[labels] = colour
        left[labels] = at[1] - anchor * 6 * length(text)
        right[labels] = left[labels] + 6 * length(text)
        top[labels] = at[2] - 8
        bottom[labels] = at[2] + 2
    }
}

/<use xlink:href='#gpPt(6|8)' transform/ {
    numbers_of(substr($0, index($0, "translate")), at)
    point_x[++points] = at[1]
    point_y[points] = at[2]
    point_colour[points] = /gpPt6/ ? "black" : "blue"
}

# One path has all lines to labels, on several lines of the file.
/<path stroke='rgb\(119, 119, 119\)' +d=/ { in_lines = 1 }

in_lines {
    count = split($0, parts, "M")
    for (i = 2; i <= count; i++) {
        numbers_of(parts[i], at)
        line_x[++lines] = at[3]
        line_y[lines] = at[4]
    }
}

/\/>/ { in_lines = 0 }

# How far (x, y) is from label i.
function distance(i, x, y,    across, up) {
    across = x < left[i] ? left[i] - x : x > right[i] ? x - right[i] : 0
    up = y < top[i] ? top[i] - y : y > bottom[i] ? y - bottom[i] : 0
    return sqrt(across * across + up * up)
}

function complain(text) {
    print text
    wrong = 1
}

function belongs(i,    j) {
    for (j = 1; j <= points; j++)
        if (point_colour[j] == colour_of[i] && distance(i, point_x[j], point_y[j]) < 13)
            return 1
    for (j = 1; j <= lines; j++)
        if (distance(i, line_x[j], line_y[j]) < 8)
            return 1
    return 0
}

END {
    for (i = 1; i <= labels; i++) {
        for (j = 1; j < i; j++)
            if (left[i] < right[j] && left[j] < right[i] && top[i] < bottom[j] && top[j] < bottom[i])
                complain(name[i] " covers " name[j])
        for (j = 1; j <= points; j++)
            if (distance(i, point_x[j], point_y[j]) < 3)
                complain(name[i] " covers a point at " point_x[j] ", " point_y[j])
        if (!belongs(i))
            complain(name[i] " is at no point")
        if (left[i] < 75 || right[i] > 975)
            complain(name[i] " is cut off")
    }
    print labels + 0 " labels"
    exit wrong + 0
}
