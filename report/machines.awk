# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What each step is worth on each GPU. Each block of rows is one GPU; a problem's steps are those of the first block that has it, on
# the input that comes first there.

END {
    open_page("markdown", "")
    heading(1, "Which step matters where")
    paragraph("Of each GPU that results are recorded of: the time of one call, how often it fits into that of the step before (below 1 it takes " \
              "longer), and what share of the GPU's own roof it reaches, a streaming read of the same run. Written by report/machines; do not edit.")
    for (r = 1; r <= rows; r++) {
        problem = cell(r, "problem")
        if (!(problem in input_of))
            begin_problem(problem, r)
        if (is_shown(r))
            take(r)
    }
    for (p = 1; p <= problems; p++)
        write_problem(problem_at[p])
    close_pages()
}

function begin_problem(problem, r) {
    problem_at[++problems] = problem
    input_of[problem] = cell(r, "input")
    block_of[problem] = block[r]
}

function is_shown(r) {
    return is_step(r) && cell(r, "device_kind") == "gpu" && cell(r, "input") == input_of[cell(r, "problem")]
}

function take(r,    problem, step) {
    problem = cell(r, "problem")
    step = cell(r, "step")
    if (!((problem, block[r]) in machine)) {
        machine[problem, block[r]] = cell(r, "device")
        when[problem, block[r]] = substr(cell(r, "when"), 1, 10)
    }
    if (!((problem, step) in titled)) {
        titled[problem, step] = r
        step_at[problem, ++steps[problem]] = step
    }
    row_at[problem, block[r], step] = r
}

function write_problem(problem,    b, s, i, list) {
    heading(2, problem ", input " input_of[problem])
    begin_table()
    table_column("step", "left")
    table_column("", "left")
    for (b = 1; b <= blocks; b++)
        if ((problem, b) in machine) {
            table_column(machine[problem, b] ", " when[problem, b] ": us", "right")
            table_column("step before", "right")
            table_column("% of the roof", "right")
        }
    if (has_journal(problem)) {
        table_column(gtx680("name") " (the journal): us", "right")
        table_column("step before", "right")
    }
    for (s = 1; s <= steps[problem]; s++)
        list[s] = step_at[problem, s]
    sort_list(list, steps[problem])
    for (s = 1; s <= steps[problem]; s++)
        put_step(problem, list[s], s > 1 ? list[s - 1] : "")
    end_table()
}

function put_step(problem, step, before,    b, r, last) {
    row()
    put(code(step))
    put(with_marks(cell(titled[problem, step], "title")))
    for (b = 1; b <= blocks; b++)
        if ((problem, b) in machine) {
            r = row_at[problem, b, step] + 0
            last = row_at[problem, b, before] + 0
            put(significant(num(r, "us"), 4))
            put(with_unit(ratio_of(num(last, "us"), num(r, "us")), 3, "x"))
            put(num(r, "roof_fraction") == "" ? "-" : significant(100 * num(r, "roof_fraction"), 3))
        }
    if (has_journal(problem)) {
        put(significant(journal_us(problem, step), 4))
        put(with_unit(ratio_of(journal_us(problem, before), journal_us(problem, step)), 3, "x"))
    }
}

function journal_us(problem, step,    seconds) {
    seconds = (problem, step) in titled ? num(titled[problem, step], "gtx680_seconds") : ""
    return seconds == "" ? "" : 1000 * seconds
}

function has_journal(problem,    s) {
    for (s = 1; s <= steps[problem]; s++)
        if (journal_us(problem, step_at[problem, s]) != "")
            return 1
    return 0
}
