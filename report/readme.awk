# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The results of README.md: a table for each problem of a recorded file, on its first input, folded, so that the
# README stays one screen.

END {
    open_page("markdown", "")
    for (r = 1; r <= rows; r++) {
        list[r] = r
        if (!(cell(r, "problem") in input_of))
            input_of[cell(r, "problem")] = cell(r, "input")
    }
    sort_rows(list, rows, "problem")
    for (i = 1; i <= rows; i++)
        if (i == 1 || cell(list[i], "problem") != cell(list[i - 1], "problem"))
            write_table(cell(list[i], "problem"))
}

function write_table(problem,    i, r, first) {
    for (i = 1; i <= rows; i++) {
        r = list[i]
        if (cell(r, "problem") != problem || cell(r, "input") != input_of[problem])
            continue
        if (!first) {
            first = r
            begin_results()
        }
        put_result(r)
    }
    as_it_is("<details><summary>" html_escaped(problem " on one " cell(first, "device") ", input " cell(first, "input") \
             ", " whole_number(num(first, "rows")) " x " whole_number(num(first, "columns")) ", recorded on " \
             substr(cell(first, "when"), 1, 10)) "</summary>\n")
    end_table()
    as_it_is("</details>\n")
}

function begin_results() {
    begin_table()
    table_column("step", "left")
    table_column("", "left")
    table_column("us a call", "right")
    table_column("speedup over one CPU thread", "right")
    table_column("% of the roof (a plain read)", "right")
    table_column("the journal's GTX 680", "right")
}

function put_result(r,    measured) {
    measured = num(r, "us") != ""
    row()
    put(is_step(r) ? code(cell(r, "step")) : cell(r, "kind") ": " step_shown(r))
    put(is_step(r) ? with_marks(cell(r, "title")) : "")
    put(measured ? significant(num(r, "us"), 4) : cell(r, "verdict") == "pass" ? "not measured" : cell(r, "verdict"))
    put(num(r, "speedup") == "" ? "" : with_unit(num(r, "speedup"), 4, "x"))
    put(num(r, "roof_fraction") == "" ? "" : significant(100 * num(r, "roof_fraction"), 3))
    put(num(r, "gtx680_speedup") == "" ? "" : with_unit(num(r, "gtx680_speedup"), 3, "x"))
}
