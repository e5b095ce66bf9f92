# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Writes what report/plot draws. The rows come in blocks: of the results, of `others` files to compare machines
# with, then of each recorded file. -v wanted (a submission or ""), results (its name), how, out (a folder),
# others.
#
# Prints a line for each thing to do, with tabs between: `say TEXT`, or `draw CHART PROBLEM HEADING TITLE DESCRIPTION`
# (charts_words.awk). Only times of a GPU are drawn: the results' own, or where they hold none those of a recorded
# GPU (recorded_to_show). The data of a problem's charts goes into files of the folder
# (charts_data.awk; charts_counted.awk for what counters tell, charts_energy.awk, for which charts_labels.awk places labels).

BEGIN {
    OFS = "\t"
}

END {
    for (r = 1; r <= rows; r++)
        order[r] = r
    sort_rows(order, rows, "submission problem device")
    choose_block()
    if (!own)
        print "say", "No charts: " results " holds no times of a GPU, and report/recorded holds none either. " \
                     "Grade on a machine with an NVIDIA GPU, then: report/plot RESULTS.jsonl OUTDIR"
    for (i = 1; i <= problem_count; i++)
        write_problem(problems[i])
    if (uncounted != "")
        print "say", "No roofline of " uncounted ": there are no counters of these sources for this GPU and input, see report/plot --help."
}

# ---- which rows ----------------------------------------------------------------------------------------

# Sets own, the block whose times are drawn (0: none), the submission, and problems[1..problem_count], those of
# the results: recorded charts of others say nothing here.
function choose_block(    i, r, graded, seen) {
    own = find_times(1, wanted == "-" ? "" : wanted, wanted != "")
    if (!own)
        find_predicted()
    if (!own && (r = recorded_to_show()))
        own = find_times(block[r], "", 0)
    if (!own)
        return
    r = first_timed
    submission = cell(r, "submission")
    if (own > 1) {
        how = "recorded"
        print "say", results " holds no times of a GPU: the charts show those recorded in " base_name(cell(r, "file")) "."
    }
    for (i = 1; i <= rows; i++)
        if (block[i] == 1)
            graded[cell(i, "problem")] = 1
    for (i = 1; i <= rows; i++)
        if (block[order[i]] == own && is_timed(order[i]) && !seen[cell(order[i], "problem")]++ && \
            (cell(order[i], "problem") in graded))
            problems[++problem_count] = cell(order[i], "problem")
}

# A row of the recorded GPU, 0 if there is none.
function recorded_to_show(    r, best) {
    for (r = 1; r <= rows; r++)
        if (block[r] > 1 + others && is_timed(r) && is_shown_rather(r, best, predicted_row))
            best = r
    return best + 0
}

# The block if it holds times of the submission (of any, unless it must be that one); sets first_timed.
function find_times(b, name, must_be,    i, r) {
    for (i = 1; i <= rows; i++) {
        r = order[i]
        if (block[r] == b && is_timed(r) && (!must_be || cell(r, "submission") == name)) {
            first_timed = r
            return b
        }
    }
    return 0
}

function is_timed(r) {
    return is_step(r) && cell(r, "device_kind") == "gpu" && num(r, "us") != ""
}

function is_reference_point(r) {
    return cell(r, "kind") ~ /^(read|empty)$/ # the roof has a line of its own; an empty kernel reads nothing
}

# at[1..n]: the problem's rows, of one submission and one GPU (the first) for each block.
# rank, machine_rank: the place of each step that is drawn, in the ladder's order.
function select_rows(problem,    i, r, b, step) {
    n = 0
    main_input = ""
    split("", gpu)
    split("", date)
    split("", rank)
    split("", machine_rank)
    split("", whose)
    for (i = 1; i <= rows; i++) {
        r = order[i]
        b = block[r]
        if (cell(r, "problem") != problem || cell(r, "device_kind") != "gpu" || !(b == own || (b > 1 && b <= 1 + others)))
            continue
        if (!(b in whose))
            whose[b] = b == own ? submission : cell(r, "submission")
        if (cell(r, "submission") != whose[b])
            continue
        if (!(b in gpu))
            gpu[b] = cell(r, "device")
        if (cell(r, "device") != gpu[b])
            continue
        at[++n] = r
    }
    for (i = 1; i <= n; i++)
        if (block[at[i]] == own && main_input == "")
            main_input = cell(at[i], "input")
    find_dates(n)
    select_predicted(problem)
    for (i = 1; i <= predicted_count; i++)
        rank[cell(predicted_rows[i], "step")] = 0
    for (i = 1; i <= n; i++) {
        step = cell(at[i], "step")
        if (is_step(at[i]) && block[at[i]] == own)
            rank[step] = 0
        if (is_step(at[i]) && cell(at[i], "input") == main_input)
            machine_rank[step] = 0
    }
    steps = number_names(rank)
    machine_steps = number_names(machine_rank)
}

# date[b]: the newest of what most charts show of that block, at[1..n]; of a block without that input, any.
function find_dates(n,    i, b, when) {
    for (i = 1; i <= n; i++) {
        b = block[at[i]]
        when = substr(cell(at[i], "when"), 1, 10)
        if (cell(at[i], "input") == main_input && when > date[b])
            date[b] = when
    }
    for (i = 1; i <= n; i++)
        if (date[block[at[i]]] == "")
            date[block[at[i]]] = substr(cell(at[i], "when"), 1, 10)
}

# Give every name its place in alphabetical order. Returns how many there are.
function number_names(names,    name, count, list, i) {
    count = 0
    for (name in names)
        list[++count] = name
    sort_list(list, count)
    for (i = 1; i <= count; i++)
        names[list[i]] = i
    return count
}

function mine(r) {
    return block[r] == own && cell(r, "input") == main_input
}

# ---- one problem ---------------------------------------------------------------------------------------

function write_problem(problem,    prefix, what, where, on_input) {
    select_rows(problem)
    prefix = out "/" problem "-"
    find_numbers()
    write_main(prefix "main.tsv")
    write_numbers(prefix "main.gp")
    write_inputs(prefix)
    write_machines(prefix)
    write_predicted(prefix "predicted.tsv")
    write_roofline(prefix, problem)
    write_energy(prefix)
    what = (submission == "" ? "" : clip(submission, 24) ": ") problem
    where = clip(gpu[own], 40) ", " how " on " date[own]
    on_input = what ", input " main_input
    if (best != "")
        draw("speedup", problem, on_input ", " where)
    if (number["roof_gbps"] != "")
        draw("roof", problem, on_input ", " where)
    if (roof_steps)
        draw("roofline", problem, roof_title != "" ? roof_title : on_input ", " where)
    else if (own == 1)
        uncounted = uncounted (uncounted == "" ? "" : ", ") problem
    if (energy_points > 1)
        draw("energy", problem, on_input ", " where)
    if (input_series > 1)
        draw("inputs", problem, what ", " where)
    if (machine_series > 1)
        draw("machines", problem, on_input)
}

function draw(chart, problem, title) {
    print "draw", chart, problem, for_gnuplot(heading_of(chart)), for_gnuplot(title), printable(description_of(chart))
}

# Within quotes.
function for_gnuplot(text) {
    text = printable(text)
    gsub(/'/, "", text)
    return text
}
