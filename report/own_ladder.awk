# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What desk/ladder prints: of each ladder the student's own steps, measured or predicted, and below them, as a block of
# its own, what a GPU recorded. The first block of rows is recorded, the second the student's own.

END {
    read_progress()
    for (p = 1; p <= progress_ladders; p++)
        if (wanted == "" ? count_begun(progress_ladder[p]) : progress_ladder[p] == wanted)
            print_own(progress_ladder[p])
    if (!printed)
        print "No step has been graded yet. Begin with: make " short_name(ladder_step[progress_ladder[1], 1])
}

function print_own(ladder,    i, measured, predicted) {
    if (printed++)
        print ""
    print progress_of(ladder)
    find_newest(ladder)
    measured = newest_of("measured", ladder)
    predicted = newest_of("predicted", ladder)
    if (measured)
        draw_measured(ladder, measured)
    else if (predicted)
        draw_predicted(ladder, predicted)
    draw_recorded(ladder, measured ? measured : predicted)
}

# newest["measured", step], newest["predicted", step]: the newest row that passed and has such a time.
function find_newest(ladder,    r, name, kind) {
    split("", newest)
    for (r = 1; r <= rows; r++) {
        if (block[r] != blocks || !is_step(r) || cell(r, "submission") != "" || cell(r, "verdict") != "pass")
            continue
        name = cell(r, "step")
        kind = num(r, "us") != "" ? "measured" : num(r, "predicted_us") != "" ? "predicted" : ""
        if (kind != "" && !is_older(r, newest[kind, name]))
            newest[kind, name] = r
    }
}

function newest_of(kind, ladder,    i, r, last) {
    for (i = 1; i <= ladder_steps[ladder]; i++) {
        r = newest[kind, ladder_step[ladder, i]]
        if (r && (!last || is_older(last, r)))
            last = r
    }
    return last
}

# list[1..n]: the rows of the ladder that may stand together: of one GPU, of one input.
function alike(kind, ladder, one, list,    i, r, n, columns) {
    columns = "problem input " (kind == "measured" ? "device rows columns" : "predicted_gpu counted_rows counted_columns")
    for (i = 1; i <= ladder_steps[ladder]; i++) {
        r = newest[kind, ladder_step[ladder, i]]
        if (r && key_of(r, columns) == key_of(one, columns))
            list[++n] = r
    }
    return n + 0
}

function draw_measured(ladder, one,    n, list) {
    n = alike("measured", ladder, one, list)
    print "Your steps, measured:"
    draw_ladders(list, n, "", 1)
}

# Predicted times have no reference: how many times as fast as the slowest of them, on a logarithmic scale.
function draw_predicted(ladder, one,    i, n, list, slowest, fastest) {
    n = alike("predicted", ladder, one, list)
    for (i = 1; i <= n; i++) {
        slowest = larger(slowest, num(list[i], "predicted_us"))
        fastest = smaller(fastest, num(list[i], "predicted_us"))
    }
    print "Your steps, predicted for " a_gpu(cell(one, "predicted_gpu")) ", " predicted_size(one) ", not measured:"
    for (i = 1; i <= n; i++)
        print predicted_bar(cell(list[i], "step"), num(list[i], "predicted_us"), slowest, fastest)
}

function predicted_bar(name, us, slowest, fastest,    room, reach, marks) {
    room = 36
    reach = above(slowest, fastest) ? 1 + int((room - 1) * log(slowest / us) / log(slowest / fastest) + 0.5) : 1
    split("", marks)
    return pad(clip(name, 24), 24) " " bar(reach, room, "-", marks) lpad("~" in_units(us), 10) \
           (below(us, slowest) ? " " lpad(three_digits(slowest / us), 5) "x" : "")
}

function in_units(us) {
    return significant(us < 1e3 ? us : us < 1e6 ? us / 1e3 : us / 1e6, 3) (us < 1e3 ? " us" : us < 1e6 ? " ms" : " s ")
}

# The newest recorded row of each step, of one GPU, on the input of the student's own row, or on the first that there is.
function draw_recorded(ladder, own,    r, n, list, last, input, device) {
    device = device_to_show(ladder, own)
    for (r = 1; r <= rows; r++)
        if (is_recorded(r, ladder) && cell(r, "device") == device) {
            last[key_of(r, "problem input step")] = r
            input = own ? cell(own, "input") : input == "" ? cell(r, "input") : input
        }
    for (r = 1; r <= rows; r++)
        if (block[r] < blocks && cell(r, "device") == device && cell(r, "input") == input && \
            (!is_step(r) || last[key_of(r, "problem input step")] == r) && is_of_ladder(r, ladder))
            list[++n] = r
    if (!n)
        return
    print ""
    print "Not yours: what a GPU recorded for steps that work"
    draw_ladders(list, n, "", 1)
}

function is_recorded(r, ladder) {
    return block[r] < blocks && is_step(r) && ladder_prefix(cell(r, "step")) == ladder && num(r, "us") != ""
}

function device_to_show(ladder, own,    r, best) {
    for (r = 1; r <= rows; r++)
        if (is_recorded(r, ladder) && is_shown_rather(r, best, own))
            best = r
    return best ? cell(best, "device") : ""
}

# A baseline belongs to the problem that the ladder's steps solve.
function is_of_ladder(r, ladder,    i) {
    if (is_step(r))
        return ladder_prefix(cell(r, "step")) == ladder
    if (!(ladder in problem_of_ladder))
        for (i = 1; i <= rows; i++)
            if (is_step(i) && ladder_prefix(cell(i, "step")) == ladder)
                problem_of_ladder[ladder] = cell(i, "problem")
    return cell(r, "problem") == problem_of_ladder[ladder]
}
