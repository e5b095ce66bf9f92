# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of report/one-step's page that is about counters: what the emulator counted of the record `now`, what it
# predicts, and whether the step's idea is in it. What costs most is shown, in at most COUNTER_LINES entries.

BEGIN {
    COUNTER_LINES = 4
    LEAST_SHARE = 0.02 # of all costs: what costs less is not worth a line
}

function print_idea(    idea) {
    idea = cell(now, "idea")
    if (idea == "" || idea == "there")
        return
    paragraph(coloured("The step's idea is missing: ", "yellow") short_name(step) " " idea ".")
}

function print_counters(    order, n, i, left) {
    take_counters(cell(now, "launches"), cell(now, "accesses"))
    sum_up(cell(now, "counted_gpu"))
    if (per_kernels) {
        print ""
        total_cost = 0
        for (i = 1; i <= per_kernels; i++)
            total_cost += per_kernel[i, "cost"]
        n = costliest(per_kernel, per_kernels, 0, order)
        left = COUNTER_LINES
        for (i = 1; i <= n && left > 0; i++)
            if (i == 1 || above(per_kernel[order[i], "cost"], LEAST_SHARE * total_cost))
                left -= print_group(order[i], left)
    }
}

# A kernel, and below it what its lines do. Returns how many lines it took.
function print_group(g, most,    order, n, i, printed) {
    paragraph(strong(per_kernel[g, "kernel"]) (per_kernel[g, "launches"] > 1 ? ", " per_kernel[g, "launches"] " launches, the largest" : "") \
                 ": " launch_in_words(per_kernel[g, "largest"], cell(now, "counted_gpu")) moved_in_words(g))
    printed = 1
    page_margin = page_margin "  "
    n = costliest(per_line, per_lines, g, order)
    n = join_alike(order, n)
    for (i = 1; i <= n && printed < most && printed < 5; i++) {
        paragraph(where_of(order[i]) ": " line_in_words(order[i]))
        printed++
    }
    page_margin = "    "
    return printed
}

# Lines that do the same, such as those of an unrolled loop, are shown as one: the costliest of them stays in
# order[1..n], and lines_of[it] names all. What costs too little for a line is left out. Returns how many are left.
function join_alike(order, n,    i, key, first, left) {
    for (i = 1; i <= n; i++) {
        if (i > 1 && !above(per_line[order[i], "cost"], LEAST_SHARE * total_cost))
            break
        key = per_line[order[i], "kind"] SUBSEP per_line[order[i], "space"] SUBSEP per_line[order[i], "bytes"] SUBSEP \
              each_of(order[i], "sectors") SUBSEP each_of(order[i], "wavefronts")
        if (!(key in first)) {
            first[key] = order[i]
            lines_of[order[i]] = per_line[order[i], "line"] + 0
            order[++left] = order[i]
        } else if (per_line[order[i], "line"] + 0)
            lines_of[first[key]] = lines_of[first[key]] " " per_line[order[i], "line"]
    }
    return left + 0
}

# "line 18", "lines 17-20", "lines 12 and 30"
function where_of(i,    number, n, low, high, j) {
    n = split(lines_of[i], number, " ")
    for (j = 1; j <= n; j++) {
        low = smaller(low, number[j])
        high = larger(high, number[j])
    }
    return !above(high, 0) ? "an unknown line" : n == 1 ? "line " high : "lines " low (n == 2 ? " and " : "-") high
}

function moved_in_words(g) {
    return "; reads " bytes_in_words(per_kernel[g, "read_bytes"]) \
           (above(per_kernel[g, "written_bytes"], 0.1 * per_kernel[g, "read_bytes"]) ? ", writes " bytes_in_words(per_kernel[g, "written_bytes"]) : "")
}

function print_prediction(    text, size) {
    if (num(now, "predicted_us") == "")
        return
    size = counted_size()
    text = "predicted for " a_gpu(cell(now, "predicted_gpu")) (size == "" ? "" : ", " size) ": " \
           predicted_in_words(num(now, "predicted_us"), num(now, "predicted_low_us"), num(now, "predicted_high_us"))
    if (cell(now, "predicted_limit") != "")
        text = text ", limited by " limit_in_words(printable(cell(now, "predicted_limit")))
    paragraph(text "; not measured")
}

# Where it is not that of the record, or what a GPU recorded of the step is of another one.
function counted_size(    key, usual) {
    key = key_of(now, "problem input step")
    usual = (key in recorded_pass) ? recorded_pass[key] : now
    if (num(now, "counted_rows") == "" || key_of(now, "counted_rows counted_columns") == key_of(usual, "rows columns"))
        return ""
    return num(now, "counted_columns") == 1 ? many(num(now, "counted_rows")) " elements" : \
           num(now, "counted_rows") " x " num(now, "counted_columns")
}
