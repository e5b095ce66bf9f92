# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What experiments/table prints. An experiment's record has the name "BASE, NAME", and that of a base which was
# measured once more "BASE, again".

END {
    open_page("markdown", "")
    collect()
    if (rows)
        paragraph(cell(1, "device") ", " substr(cell(1, "when"), 1, 10) ". " \
                  (timed ? "Microseconds for a call, back to back and with a synchronization after each." : "Times are not measured there."))
    for (b = 1; b <= bases; b++)
        write_base(base_at[b])
    close_pages()
}

# Bases, and what belongs to them, in the order in which they come.
function collect(    r, name, base) {
    for (r = 1; r <= rows; r++) {
        name = cell(r, "step")
        row_of[cell(r, "problem"), name, cell(r, "input")] = r
        timed = timed || num(r, "us") != ""
        if (name ~ /, again$/)
            continue
        if (!index(name, ", ")) {
            if (cell(r, "kind") == "read" && !seen["read", cell(r, "problem"), name]++)
                read_name[cell(r, "problem"), ++reads[cell(r, "problem")]] = name
            continue
        }
        base = substr(name, 1, index(name, ", ") - 1)
        if (!seen["base", base]++) {
            base_at[++bases] = base
            problem_of[base] = cell(r, "problem")
        }
        if (!seen["input", base, cell(r, "input")]++)
            input_of[base, ++inputs[base]] = cell(r, "input")
        if (!seen["experiment", name]++)
            experiment_of[base, ++experiments[base]] = name
    }
}

# A base: what it is measured beside, and its experiments, sorted by their time on the first input, those without one last.
function write_base(base,    i, n, list, time) {
    heading(2, base)
    if (timed)
        write_summary(base)
    n = experiments[base]
    for (i = 1; i <= n; i++)
        list[i] = experiment_of[base, i]
    sort_list(list, n)
    for (i = 1; i <= n; i++)
        time[list[i]] = us(base, list[i], 1, "us")
    sort_by(list, n, time, 1)
    write_experiments(base, list, n)
}

function write_summary(base,    i, p) {
    p = problem_of[base]
    begin_table()
    table_column("", "left")
    time_columns(base)
    put_row(base, "base", base)
    if ((p, base ", again", input_of[base, 1]) in row_of)
        put_row(base, "base, measured again at the end", base ", again")
    for (i = 1; i <= reads[p]; i++)
        if (read_name[p, i] != base)
            put_row(base, read_name[p, i], read_name[p, i])
    end_table()
}

function put_row(base, label, name) {
    row()
    put(label)
    put_times(base, name)
}

function write_experiments(base, list, n,    i) {
    begin_table()
    table_column("experiment", "left")
    table_column("idea", "left")
    time_columns(base)
    table_column("why not", "left")
    for (i = 1; i <= n; i++) {
        read_reasons(list[i])
        row()
        put(substr(list[i], length(base) + 3))
        put(idea == "" ? "-" : with_marks(idea))
        put_times(base, list[i])
        put(reason == "" ? "-" : with_marks(reason))
    }
    end_table()
}

# ---- times -------------------------------------------------------------------------------------

function time_columns(base,    i) {
    for (i = 1; i <= inputs[base]; i++) {
        table_column(input_of[base, i], "right")
        if (!timed)
            continue
        table_column("to base", "right")
        table_column("synchronized", "right")
        table_column("to base", "right")
    }
}

function put_times(base, name,    i) {
    for (i = 1; i <= inputs[base]; i++) {
        put(time_or_verdict(base, name, i))
        if (!timed)
            continue
        put(difference(base, name, i, "us"))
        put(us(base, name, i, "synced_us") == "" ? "-" : sprintf("%.2f", us(base, name, i, "synced_us")))
        put(difference(base, name, i, "synced_us"))
    }
}

# Where there is no time, the verdict is what there is to say.
function time_or_verdict(base, name, i,    r) {
    if (us(base, name, i, "us") != "")
        return sprintf("%.2f", us(base, name, i, "us"))
    r = row_for(base, name, i)
    return r ? cell(r, "verdict") : "-"
}

function difference(base, name, i, column,    ratio) {
    ratio = name == base ? "" : ratio_of(us(base, name, i, column), us(base, base, i, column))
    return ratio == "" ? "-" : sprintf("%+.1f %%", 100 * (ratio - 1))
}

function us(base, name, i, column) {
    return num(row_for(base, name, i), column)
}

# The record of that name on input i of the base; 0, which has empty cells, where there is none.
function row_for(base, name, i) {
    return ((problem_of[base], name, input_of[base, i]) in row_of) ? row_of[problem_of[base], name, input_of[base, i]] : 0
}

# ---- texts -------------------------------------------------------------------------------------

# An experiment's text, from its first empty line to its first change: the idea, and from "Why not:" on the reason. Where
# it says "It helps:" instead, these words are a part of what is shown.
function read_reasons(name,    path, line, text, at, told) {
    path = ENVIRON["EXPERIMENTS"] "/" substr(name, 1, index(name, ", ") - 1) ".changes"
    name = "== " substr(name, index(name, ", ") + 2)
    while ((getline line < path) > 0 && !(told && line == "@@")) {
        if (told > 1 && line != "")
            text = text " " line
        told = line == name || told ? told + (line == "" || !told) : 0
    }
    close(path)
    at = match(text, / (Why not|It helps): /)
    idea = at ? substr(text, 2, at - 2) : substr(text, 2)
    reason = at ? substr(text, at + 1) : ""
    sub(/^Why not: /, "", reason)
}
