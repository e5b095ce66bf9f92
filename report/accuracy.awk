# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/accuracy prints. The rows are in two blocks: of the predicted records, then of the measured ones.
# -v format (text or markdown), within, hold, pairs: see report/accuracy --help.
#
# joined[1..joins] are the measured rows that have a prediction, in the ladders' order, and twin[r] is its row.
# A row's `factor` is the larger of predicted / measured and its inverse.

BEGIN {
    BELOW_US = 1000 # "below 1 ms"
    DIFFER = 1.10   # a pair of steps that differ by less is no test: 3 % lie between two boards of one GPU
    page_columns = 100
}

END {
    join_rows()
    if (joins == 0) {
        print "accuracy: no step has a predicted time in the first file and a measured one in the second, for the same " \
              "problem, input and size" > "/dev/stderr"
        exit 2
    }
    open_page(format, "")
    say_what()
    print_steps()
    print_figures()
    print_limits()
    print_pairs()
    close_pages()
    exit check_limits()
}

function join_rows(    r, key, predicted) {
    for (r = 1; r <= rows; r++) {
        key = key_of(r, "step problem input rows columns")
        if (block[r] == 1 && num(r, "predicted_us") != "")
            predicted[key_of(r, "step problem input") SUBSEP key_of(r, num(r, "counted_rows") == "" ? "rows columns" : \
                                                                    "counted_rows counted_columns")] = r
        else if (block[r] == 2 && is_step(r) && num(r, "us") != "") {
            if (key in predicted) {
                joined[++joins] = r
                twin[r] = predicted[key]
            }
            row_of[key_of(r, "step problem input")] = r
            timed++
        }
    }
    sort_rows(joined, joins, "problem input")
}

function say_what(    i, used, words, name, list, others) {
    for (i = 1; i <= joins; i++) {
        others += cell(joined[i], "source_sha256") != cell(twin[joined[i]], "source_sha256")
        used[cell(twin[joined[i]], "predicted_gpu") " from " cell(twin[joined[i]], "predicted_with")]++
    }
    for (name in used)
        list[++words] = name
    sort_list(list, words)
    name = ""
    for (i = 1; i <= words; i++)
        name = name (i > 1 ? ", " : "") list[i] " (" used[list[i]] ")"
    heading(1, "Predicted and measured times")
    paragraph("Predicted for " name "; measured on " cell(joined[1], "device") ". " joins " of " timed " measured times have a prediction." \
              (others ? " Of " others " of them the source was another (source_sha256)." : ""))
}

# ---- one step ----------------------------------------------------------------------------------------

function factor_of(r, predicted,    ratio) {
    ratio = ratio_of(predicted, num(r, "us"))
    return below(ratio, 1) ? 1 / ratio : ratio
}

function predicted_of(r) {
    return num(twin[r], "predicted_us")
}

function read_of(r) {
    return ratio_of(num(r, "bytes"), scaled(num(r, "roof_gbps"), 1000))
}

function scaled(value, by) {
    return value == "" ? "" : value * by
}

function before(r) {
    return row_at(step_header(cell(r, "step"), "builds-on"), r)
}

# The measured row of another step on the same problem and input; 0 where there is none.
function row_at(step, r,    key) {
    key = step SUBSEP key_of(r, "problem input")
    return (key in row_of) ? row_of[key] : 0
}

# 1 or 0; "" where there is no interval.
function holds(r,    p) {
    p = twin[r]
    if (num(p, "predicted_low_us") == "")
        return ""
    return !above(num(p, "predicted_low_us"), num(r, "us")) && !above(num(r, "us"), num(p, "predicted_high_us"))
}

function print_steps(    i, r) {
    begin_table()
    table_column("step", "left", 0, 26)
    table_column("input", "left", 0, 10)
    table_column("measured us", "right")
    table_column("predicted us", "right")
    table_column("pred./meas.", "right")
    table_column("90 % interval", "right")
    table_column("holds", "left")
    table_column("limit", "left")
    for (i = 1; i <= joins; i++) {
        r = joined[i]
        row()
        put(cell(r, "step"))
        put(cell(r, "input"))
        put(significant(num(r, "us"), 4))
        put(significant(predicted_of(r), 4))
        put(significant(ratio_of(predicted_of(r), num(r, "us")), 3))
        put(significant(num(twin[r], "predicted_low_us"), 4) " - " significant(num(twin[r], "predicted_high_us"), 4))
        put(holds(r) == "" ? "-" : holds(r) ? "yes" : "NO")
        put(cell(twin[r], "predicted_limit"))
    }
    end_table()
}

# ---- figures -----------------------------------------------------------------------------------------

# Adds the line of a set of steps: of all where `where` is "", below 1 ms, or of one problem and input.
function figures_line(name, predictor, where,    i, r, f, n, list, sum, held, known) {
    n = sum = held = known = 0
    for (i = 1; i <= joins; i++) {
        r = joined[i]
        if (!(where == "" || where == "below" && below(num(r, "us"), BELOW_US) || where == key_of(r, "problem input")))
            continue
        f = factor_of(r, predictor == "model" ? predicted_of(r) : predictor == "read" ? read_of(r) : num(before(r), "us"))
        if (f == "")
            continue
        list[++n] = f
        sum += log(f)
        if (predictor == "model" && holds(r) != "") {
            known++
            held += holds(r)
        }
    }
    if (n == 0)
        return
    sort_list(list, n, 1)
    row()
    put(name)
    put(n)
    put(significant(exp(sum / n), 4))
    put(significant(quantile(list, n, 0.5), 4))
    put(significant(quantile(list, n, 0.9), 4))
    put(significant(list[n], 4))
    put(known ? held " of " known sprintf(" (%.0f %%)", 100 * held / known) : "-")
    if (predictor == "model" && where == "") {
        mean_factor = exp(sum / n)
        share_held = known ? 100 * held / known : ""
    }
}

function print_figures(    i, key, sets) {
    heading(2, "Factor between predicted and measured")
    begin_table()
    table_column("of", "left")
    table_column("steps", "right")
    table_column("factor", "right")
    table_column("median", "right")
    table_column("90 %", "right")
    table_column("worst", "right")
    table_column("intervals that hold", "right")
    figures_line("all", "model", "")
    figures_line("below 1 ms", "model", "below")
    for (i = 1; i <= joins; i++) {
        key = key_of(joined[i], "problem input")
        if (!sets[key]++)
            figures_line(cell(joined[i], "problem") ", " cell(joined[i], "input"), "model", key)
    }
    figures_line("if each took as long as a plain read", "read", "")
    figures_line("the same, below 1 ms", "read", "below")
    figures_line("if each took as long as the step before", "before", "")
    figures_line("the same, below 1 ms", "before", "below")
    end_table()
}

# Which unit the model is wrong about.
function print_limits(    i, r, limit, count, sum, worst, names, n) {
    for (i = 1; i <= joins; i++) {
        r = joined[i]
        limit = cell(twin[r], "predicted_limit")
        if (!count[limit]++)
            names[++n] = limit
        sum[limit] += log(factor_of(r, predicted_of(r)))
        if (!(limit in worst) || above(factor_of(r, predicted_of(r)), factor_of(worst[limit], predicted_of(worst[limit]))))
            worst[limit] = r
    }
    sort_list(names, n)
    heading(2, "By the unit that limits")
    begin_table()
    table_column("limit", "left")
    table_column("steps", "right")
    table_column("factor", "right")
    table_column("worst", "left")
    for (i = 1; i <= n; i++) {
        r = worst[names[i]]
        row()
        put(names[i] == "" ? "-" : names[i])
        put(count[names[i]])
        put(significant(exp(sum[names[i]] / count[names[i]]), 4))
        put(cell(r, "step") ", " cell(r, "input") ": " significant(ratio_of(predicted_of(r), num(r, "us")), 3))
    }
    end_table()
}

# ---- pairs -------------------------------------------------------------------------------------------

# Of steps that build on one another. The step before must have a prediction, too.
function print_pairs(    i, r, b, told, list) {
    pair_count = pairs_right = 0
    for (i = 1; i <= joins; i++) {
        r = joined[i]
        b = before(r)
        if (!(b in twin) || !above(factor_of(r, num(b, "us")), DIFFER))
            continue
        pair_count++
        told = above(predicted_of(r), predicted_of(b)) ? 1 : below(predicted_of(r), predicted_of(b)) ? -1 : 0
        if (told == (above(num(r, "us"), num(b, "us")) ? 1 : -1))
            pairs_right++
        else
            list[pair_count - pairs_right] = r
    }
    heading(2, "Which one is faster")
    paragraph("Pairs of steps that build on one another and differ by more than 10 %: " pair_count ". The faster one is named in " \
              pairs_right ".")
    for (i = 1; i <= pair_count - pairs_right; i++)
        item(cell(list[i], "step") " after " cell(before(list[i]), "step") " on " cell(list[i], "input") ": measured " \
             significant(num(list[i], "us"), 4) " after " significant(num(before(list[i]), "us"), 4) " us, predicted " \
             significant(predicted_of(list[i]), 4) " after " significant(predicted_of(before(list[i])), 4) " us")
}

function check_limits(    failed) {
    failed = 0
    if (within != "" && above(mean_factor, within)) {
        print "accuracy: the factor of all steps is " sprintf("%.3f", mean_factor) ", above " within
        failed = 1
    }
    if (hold != "" && (share_held == "" || below(share_held, hold))) {
        print "accuracy: " (share_held == "" ? "no prediction has an interval" : \
              sprintf("%.1f", share_held) " % of the intervals hold, fewer than " hold " %")
        failed = 1
    }
    if (pairs && pairs_right < pair_count) {
        print "accuracy: the faster one is named wrong in " (pair_count - pairs_right) " of " pair_count " pairs"
        failed = 1
    }
    return failed
}
