# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What experiments/table prints.

END {
    open_page("markdown", "")
    collect()
    write_summary()
    write_experiments()
    close_pages()
}

# Names and inputs in the order in which they come; the first step is the base. Experiments are then
# sorted by their time on the first input, those without one last.
function collect(    r, i, name, seen, time) {
    for (r = 1; r <= rows; r++) {
        name = cell(r, "step")
        if (!seen["input", cell(r, "input")]++)
            input_name[++inputs] = cell(r, "input")
        row_of[name, cell(r, "input")] = r
        if (seen["step", name]++)
            continue
        if (!is_step(r))
            other[++others] = name
        else if (base == "")
            base = name
        else if (name != base ", again")
            experiment[++experiments] = name
    }
    sort_list(experiment, experiments)
    for (i = 1; i <= experiments; i++)
        time[experiment[i]] = us(experiment[i], input_name[1])
    sort_by(experiment, experiments, time, 1)
}

# Where, when, and what the others are compared with.
function write_summary(    i, r, timed) {
    r = row_of[base, input_name[1]]
    timed = num(r, "us") != ""
    paragraph(cell(r, "device") ", " substr(cell(r, "when"), 1, 10) \
              (timed ? ". Microseconds for an image; base: " code(base) "." : ". Times are not measured there."))
    if (!timed)
        return
    begin_table()
    table_column("", "left")
    for (i = 1; i <= inputs; i++)
        table_column(input_name[i], "right")
    put_times("base", base, 0)
    if ((base ", again", input_name[1]) in row_of)
        put_times("base, measured again at the end", base ", again", 1)
    for (i = 1; i <= others; i++)
        put_times(other[i], other[i], 0)
    end_table()
}

function put_times(label, name, with_difference,    i) {
    row()
    put(label)
    for (i = 1; i <= inputs; i++)
        put(time_or_verdict(name, input_name[i]) (with_difference ? " (" difference(name, input_name[i]) ")" : ""))
}

function write_experiments(    i, n, name) {
    begin_table()
    table_column("experiment", "left")
    table_column("idea", "left")
    for (i = 1; i <= inputs; i++) {
        table_column(input_name[i], "right")
        table_column("to base", "right")
    }
    table_column("why not", "left")
    for (n = 1; n <= experiments; n++) {
        name = experiment[n]
        read_reasons(name)
        row()
        put(name)
        put(idea == "" ? "-" : with_marks(idea))
        for (i = 1; i <= inputs; i++) {
            put(time_or_verdict(name, input_name[i]))
            put(difference(name, input_name[i]))
        }
        put(why_not == "" ? "-" : with_marks(why_not))
    }
    end_table()
}

# Where there is no time, the verdict is what there is to say.
function time_or_verdict(name, input) {
    if (us(name, input) != "")
        return sprintf("%.2f", us(name, input))
    return ((name, input) in row_of) ? cell(row_of[name, input], "verdict") : "-"
}

function difference(name, input,    ratio) {
    ratio = ratio_of(us(name, input), us(base, input))
    return ratio == "" ? "-" : sprintf("%+.1f %%", 100 * (ratio - 1))
}

function us(name, input) {
    return ((name, input) in row_of) ? num(row_of[name, input], "us") : ""
}

# An experiment's text, from its first empty line to its first change: the idea up to "Why not:", the
# reason from there on.
function read_reasons(name,    path, line, text, at, told) {
    path = ENVIRON["EXPERIMENTS"] "/" name
    while ((getline line < path) > 0 && line != "@@") {
        if (told && line != "")
            text = text " " line
        told = told || line == ""
    }
    close(path)
    at = index(text, " Why not: ")
    idea = at ? substr(text, 2, at - 2) : substr(text, 2)
    why_not = at ? substr(text, at + 10) : ""
}
