# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The page that report/index writes: charts and tables of a grading. -v page (the file), folder (where the charts are),
# charts (their names, with blanks between), note (what report/plot said), results (the file of records).

END {
    page_title = "Results"
    open_page("html", page)
    heading(1, "Results")
    collect_groups()
    print_summary()
    for (g = 1; g <= groups; g++)
        print_group(g)
    if (note != "")
        paragraph(note)
    paragraph("All of this is made from the records in " base_name(results) ". The same table as text: report/table " results ".")
    close_pages()
}

# Of one submission, device, problem and input: member[g, 1..members[g]], in the order of the ladders.
function collect_groups(    r, i, list, key, group_of) {
    for (r = 1; r <= rows; r++)
        list[r] = r
    sort_rows(list, rows, "submission problem device")
    for (i = 1; i <= rows; i++) {
        r = list[i]
        key = key_of(r, "submission device problem input")
        if (!(key in group_of))
            group_of[key] = ++groups
        member[group_of[key], ++members[group_of[key]]] = r
    }
}

function print_summary(    r, key, steps, passed, failed, step, intended) {
    for (r = 1; r <= rows; r++) {
        if (!is_step(r) || cell(r, "verdict") == "not-started")
            continue
        key = key_of(r, "submission step")
        failed[key] += !num(r, "success")
        intended += num(r, "success") && cell(r, "verdict") != "pass"
    }
    for (step in failed) {
        steps++
        passed += !failed[step]
    }
    paragraph(passed + 0 " of " steps + 0 " steps passed" (intended ? ", " intended " of them wrong as intended" : "") ". A time is of one call, the median of its samples; only a right answer has one. " \
              "The speedup is over one CPU thread, and the roof is what a streaming read of the same input takes.")
}

function print_group(g,    i, n, list) {
    n = members[g]
    for (i = 1; i <= n; i++)
        list[i] = member[g, i]
    heading(2, group_title(list, n))
    if (!(cell(list[1], "problem") in drawn)) {
        drawn[cell(list[1], "problem")] = 1
        print_charts(cell(list[1], "problem"))
    }
    paragraph(group_in_words(list, n))
    print_table(list, n, 1)
    print_table(list, n, 0)
}

function group_title(list, n,    who) {
    who = cell(list[1], "submission")
    return (who == "" ? "" : who ": ") cell(list[1], "problem") ", input " first_cell(list, n, "input")
}

function print_charts(problem,    names, n, i) {
    n = split(charts, names, " ")
    for (i = 1; i <= n; i++)
        if (problem_of(names[i]) == problem)
            image(names[i] ".svg", svg_description(folder "/" names[i] ".svg"), svg_title(folder "/" names[i] ".svg"))
}

# Of a chart's name: speedup-opt_sum.
function problem_of(chart) {
    return sub(/^[a-z]*-/, "", chart) ? chart : "opt_2dhisto"
}

# What it ran on, and what came out.
function group_in_words(list, n,    i, r, steps, passed, best, text, sms) {
    for (i = 1; i <= n; i++) {
        r = list[i]
        if (!is_step(r) || cell(r, "verdict") == "not-started")
            continue
        steps++
        passed += num(r, "success")
        if (num(r, "us") != "" && (!best || below(num(r, "us"), num(best, "us"))))
            best = r
    }
    sms = first_num(list, n, "sms")
    text = first_cell(list, n, "device") (cell(list[1], "device_kind") == "gpu" && above(sms, 0) ? ", " sms " multiprocessors" : "") ", " \
           whole_number(first_num(list, n, "rows")) " x " whole_number(first_num(list, n, "columns")) " elements, " \
           substr(first_cell(list, n, "when"), 1, 10) ": " passed + 0 " of " steps + 0 " steps passed. "
    if (best)
        return text short_name(cell(best, "step")) " is the fastest, " significant(num(best, "us"), 4) " us a call" \
               (num(best, "roof_fraction") == "" ? "." : ", " percent(num(best, "roof_fraction")) " % of the roof.")
    if (cell(list[1], "device_kind") == "cpu")
        return text "The cpu device is an emulation: it checks correctness and not speed." \
               (first_num(list, n, "predicted_us") == "" ? "" : " Times with a tilde are predicted for " first_cell(list, n, "predicted_gpu") ", not measured.")
    return text
}

# The steps, or the baselines, with a column for what any of them has.
function print_table(list, n, steps,    i, r, count, rest, name, any, names, columns, c) {
    split("", any)
    columns = split("us speedup gbps roof_fraction energy_joules error predicted_us", names, " ")
    for (i = 1; i <= n; i++) {
        r = list[i]
        if (is_step(r) != steps)
            continue
        if (cell(r, "verdict") == "not-started") {
            name[++rest] = cell(r, "step")
            continue
        }
        count++
        for (c = 1; c <= columns; c++)
            any[names[c]] += num(r, names[c]) != ""
    }
    if (count) {
        begin_results(steps, any)
        for (i = 1; i <= n; i++)
            if (is_step(list[i]) == steps && cell(list[i], "verdict") != "not-started")
                put_result(list[i], any)
        end_table()
    }
    if (rest)
        paragraph("Not started: " steps_in_short(name, rest) ".")
}

function begin_results(steps, any) {
    begin_table()
    table_column(steps ? "Step" : "Baseline (not a step)", "left")
    table_column("Verdict", "left")
    if (any["us"]) table_column("us a call", "right")
    if (any["speedup"]) table_column("speedup", "right")
    if (any["gbps"]) table_column("GB/s", "right")
    if (any["roof_fraction"]) table_column("% of the roof", "right")
    if (any["energy_joules"]) {
        table_column("mJ a call", "right")
        table_column("W", "right")
    }
    if (any["error"]) table_column("relative error", "right")
    if (any["predicted_us"]) table_column("us a call, predicted, not measured", "right")
}

function put_result(r, any) {
    row()
    put(step_shown(r))
    put(verdict_shown(r))
    if (any["us"]) put(significant(num(r, "us"), 4))
    if (any["speedup"]) put(with_unit(num(r, "speedup"), 4, "x"))
    if (any["gbps"]) put(significant(num(r, "gbps"), 4))
    if (any["roof_fraction"]) put(percent(num(r, "roof_fraction")))
    if (any["energy_joules"]) {
        put(significant(num(r, "energy_joules") == "" ? "" : 1000 * num(r, "energy_joules"), 4))
        put(significant(num(r, "energy_watts"), 3))
    }
    if (any["error"]) put(num(r, "error") == "" ? "-" : sprintf("%.3g", num(r, "error")))
    if (any["predicted_us"]) put(num(r, "predicted_us") == "" ? "-" : "~" significant(num(r, "predicted_us"), 3))
    if (cell(r, "verdict") == "pass")
        return
    if (cell(r, "detail") != "")
        row_note(cell(r, "detail"))
    if (cell(r, "diagnosis") != "")
        row_note(cell(r, "diagnosis"))
}
