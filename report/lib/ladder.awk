# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Speedups as bars of text on a logarithmic scale. -v bar_letter says what a bar is made of.

BEGIN {
    BAR_COLUMNS = 44 # 80 with what stands beside them
}

# One chart for each submission, device, problem and input of the rows list[1..n]. An arrow marks the step
# `arrow`; with steps_only nothing else is drawn.
function draw_ladders(list, n, arrow, steps_only,    i, key, charts, chart_of, members) {
    sort_rows(list, n, "submission problem device")
    for (i = 1; i <= n; i++) {
        key = key_of(list[i], "submission device problem input")
        if (!(key in chart_of))
            chart_of[key] = ++charts
        members[chart_of[key]] = members[chart_of[key]] " " list[i]
    }
    for (i = 1; i <= charts; i++)
        draw_ladder(members[i], arrow, steps_only)
}

function draw_ladder(numbers, arrow, steps_only,    i, n, list, r) {
    n = split(numbers, list, " ")
    r = list[1]
    print ladder_title(r)
    find_axis(list, n)
    if (axis_low == "") {
        print "Speed was not measured: " \
              (cell(r, "device_kind") == "cpu" ? "the cpu device checks correctness only." : "no step passed.")
        print_predicted(list, n)
        print ""
        return
    }
    printf "%-24s %s\n", "speedup, log scale", axis_line()
    for (i = 1; i <= n; i++)
        if (is_drawn(list[i], steps_only))
            printf "%s %s %s%s\n", pad(leading(printable(step_shown(list[i])), 24), 24), \
                   ladder_bar(num(list[i], "speedup")), ladder_result(list[i]), (arrow != "" && cell(list[i], "step") == arrow ? " <--" : "")
    if (roof != "")
        printf "%-24s | %sx: the roof, a plain read of the input\n", "", three_digits(roof)
    if (specified != "")
        printf "%-24s : %sx: the roof at the specified bandwidth\n", "", three_digits(specified)
    print ""
}

# Times that were predicted: no bars, which are for what was measured.
function print_predicted(list, n,    i, r, gpu) {
    for (i = 1; i <= n; i++) {
        r = list[i]
        if (num(r, "predicted_us") == "")
            continue
        if (cell(r, "predicted_gpu") != gpu) {
            gpu = cell(r, "predicted_gpu")
            print "Predicted for " printable(gpu) ", " predicted_size(r) ", not measured:"
        }
        print pad(leading(printable(cell(r, "step")), 24), 24) " " predicted_of_row(r)
    }
}

# "~34.1 us a call (90 %: 29 to 40), limited by DRAM bandwidth"
function predicted_of_row(r) {
    return "~" predicted_in_words(num(r, "predicted_us"), num(r, "predicted_low_us"), num(r, "predicted_high_us")) \
           (cell(r, "predicted_limit") == "" ? "" : ", limited by " limit_in_words(printable(cell(r, "predicted_limit"))))
}

# The size that a predicted time is of, which may not be the size that was checked.
function predicted_size(r,    counted) {
    counted = num(r, "counted_rows") == "" ? "" : "counted_"
    return num(r, counted "rows") " x " num(r, counted "columns")
}

function ladder_title(r) {
    return printable((cell(r, "submission") == "" ? "" : cell(r, "submission") ": ") cell(r, "problem") ", input " \
                     cell(r, "input") ", " cell(r, "device") ", " substr(cell(r, "when"), 1, 10))
}

# A streaming read is the roof, and an empty kernel reads nothing.
function is_drawn(r, steps_only) {
    return cell(r, "kind") !~ /^(read|empty)$/ && (!steps_only || is_step(r))
}

function ladder_result(r) {
    if (num(r, "speedup") != "")
        return three_digits(num(r, "speedup")) "x"
    return cell(r, "verdict") == "pass" ? "not measured" : printable(cell(r, "verdict"))
}

# The axis is whole decades, from below the slowest bar to above the highest roof.
function find_axis(list, n,    i) {
    axis_low = axis_high = ""
    roof = first_num(list, n, "roof_speedup")
    specified = first_num(list, n, "spec_speedup")
    for (i = 1; i <= n; i++) {
        stretch_axis(over_reference(list[i]))
        stretch_axis(num(list[i], "roof_speedup"))
        stretch_axis(num(list[i], "spec_speedup"))
    }
    if (axis_low != "") {
        axis_low = floor(log10(axis_low) - 0.1)
        axis_high = floor(log10(axis_high)) + 1
    }
}

function stretch_axis(speedup) {
    if (speedup == "")
        return
    axis_low = smaller(axis_low, speedup)
    axis_high = larger(axis_high, speedup)
}

function axis_line(    decade, line) {
    line = ""
    for (decade = axis_low; decade < axis_high; decade++)
        line = pad(line, axis_place(10 ^ decade)) sprintf("%gx", 10 ^ decade)
    return line
}

function ladder_bar(speedup,    marks, at) {
    if (roof != "")
        marks[axis_place(roof) + 1] = "|"
    if (specified != "") {
        at = axis_place(specified) + 1
        marks[at in marks ? at + 1 : at] = ":" # they often fall into one column
    }
    return bar(speedup == "" ? 0 : axis_place(speedup), BAR_COLUMNS + 2, bar_letter, marks)
}

function axis_place(speedup) {
    return int((log10(speedup) - axis_low) / (axis_high - axis_low) * BAR_COLUMNS + 0.5)
}

function log10(x) {
    return log(x) / log(10)
}

function floor(x) {
    return x < int(x) ? int(x) - 1 : int(x)
}

# Three digits, never an exponent above.
function three_digits(value) {
    return sprintf(value >= 1000 ? "%.0f" : "%.3g", value)
}
