# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The lab journal in Markdown, to standard output. Run with journal_rows.awk and journal_words.awk. Variables: wanted (see
# journal_rows.awk), results (the file's name), charts (names of the charts drawn, with a blank around each), drawn (their
# folder), charts_note.

END {
    open_page("markdown", "")
    choose_submission()
    if (problem_count == 0) {
        print results ": no " (other_problems == "" ? "records" : "such steps") " of " \
              (submission == "" ? "this tree's own" : "submission '" submission "'") > "/dev/stderr"
        exit 2
    }
    heading(1, "Lab journal" (submission == "" ? "" : ": " submission))
    print_purpose()
    for (p = 1; p <= problem_count; p++)
        print_problem(problems[p])
    print_wordless(told, told_count)
    close_pages()
}

function print_purpose() {
    heading(2, "Purpose")
    paragraph("One kernel is made faster step by step. For each step this journal holds its goal, the difficulties, " \
              "the time spent, what was seen, and what it measured. It begins with the shortest time that the memory " \
              "allows, so that every step can be held against it.")
    paragraph("For each step, the results and charts come from its newest grading; the words come from " \
              "each step's " code("step.md") ". All times are for 1000 iterations unless said otherwise.")
}

function print_problem(problem,    i) {
    choose_members(problem)
    look_at_times()
    if (problem_count > 1)
        heading(1, problem)
    print_machine()
    if (any_roof)
        print_roof()
    if (first_num(members, n, "reference") != "" && any_time)
        print_reference()
    print_overview(problem)
    for (i = 1; i <= step_count; i++)
        if (cell(steps[i], "verdict") != "not-started") {
            print_step(steps[i], problem)
            told[++told_count] = cell(steps[i], "step")
        }
}

# What there is to say about the problem: empty columns and sections are left out.
function look_at_times(    i, r) {
    any_time = any_elsewhere = any_predicted = any_gtx680 = 0
    for (i = 1; i <= step_count; i++) {
        r = steps[i]
        any_time += is_here(r) && num(r, "seconds") != ""
        any_elsewhere += !is_here(r)
        any_predicted += predicted_row[cell(r, "step")] > 0
        any_gtx680 += gtx680_seconds(cell(r, "step")) != ""
    }
    any_roof = first_num(members, n, "roof_gbps") != "" || first_num(members, n, "spec_gbps") != ""
}

# ---- what stands once for a problem --------------------------------------------------------------------

function print_machine(    is_gpu, sms, driver) {
    is_gpu = first_cell(members, n, "device_kind") != "cpu"
    driver = is_gpu ? first_cell(members, n, "driver") : ""
    sms = is_gpu ? first_num(members, n, "sms") : ""
    heading(2, "Machine and input")
    item("Device: " (device == "" ? "unknown" : device) (driver == "" ? "" : ", driver " driver) \
         (above(sms, 0) ? ", " sms " multiprocessors" : ""))
    item("Input: " code(input) ", " shape() ", seed " first_cell(members, n, "seed"))
    item("Graded: " graded_on())
    if (!is_gpu)
        item("The cpu device is an emulation: it checks correctness and not speed. No times are measured." \
             (any_predicted ? " A time predicted for a GPU has a tilde." : ""))
    if (any_elsewhere)
        item("A step whose last grading was elsewhere, or on another input or size, says where. Its time there is not " \
             "compared with the other times.")
}

function graded_on(    i, first, last, date) {
    for (i = 1; i <= n; i++)
        if (is_step(members[i])) {
            date = substr(cell(members[i], "when"), 1, 10)
            if (first == "" || date < first)
                first = date
            if (date > last)
                last = date
        }
    return first == last ? last : first " to " last
}

function shape() {
    return whole_number(first_num(members, n, "rows")) " x " whole_number(first_num(members, n, "columns"))
}

function print_roof(    bytes, elements) {
    bytes = first_num(members, n, "bytes")
    elements = first_num(members, n, "elements")
    heading(2, "Maximum possible speed")
    paragraph("Assume that memory is the limit, not arithmetic: every element has to be read once, so no step can be " \
              "faster than the time in which the memory delivers the input. Launches and outputs are neglected.")
    if (bytes == "" || !above(elements, 0)) {
        paragraph("Not measured: the records do not say how many bytes a call has to move.")
        return
    }
    as_it_is("    bytes = " shape() " x " bytes / elements " B = " whole_number(bytes) " B\n\n" \
             "    time of one iteration = bytes / bandwidth\n")
    begin_table()
    table_column("bandwidth", "left")
    table_column("GB/s", "right")
    table_column("1 iteration", "right")
    table_column("1000 iterations", "right")
    if (first_num(members, n, "spec_gbps") != "")
        put_roof("specified, " device, first_num(members, n, "spec_gbps"), bytes)
    if (first_num(members, n, "roof_gbps") != "")
        put_roof("measured by a streaming read, " device, first_num(members, n, "roof_gbps"), bytes)
    if (first_cell(members, n, "problem") == "opt_2dhisto")
        put_roof("specified, " gtx680("name") " (the original journal)", gtx680("gbps"), bytes)
    end_table()
}

function put_roof(what, gbps, bytes) {
    row()
    put(what)
    put(significant(gbps, 4))
    put(significant(bytes / gbps / 1e3, 4) " us")
    put(significant(bytes / gbps / 1e6, 4) " s")
}

function print_reference(    i, r, reference) {
    reference = first_num(members, n, "reference")
    heading(2, "Reference solution: one CPU thread")
    paragraph(significant(reference, 4) " seconds @ 1000 iterations, measured in the same run" \
              (first_cell(members, n, "problem") == "opt_2dhisto" ? \
               "; the original journal's CPU took " gtx680("reference") " seconds." : "."))
    for (i = 1; i <= n; i++) {
        r = members[i]
        if (!is_step(r) && num(r, "seconds") != "")
            item(cell(r, "kind") " " code(step_shown(r)) ": " significant(num(r, "seconds"), 4) " seconds")
    }
}

function print_overview(problem,    i, not_started, count) {
    heading(2, "All steps")
    print_charts(problem == "opt_2dhisto" ? "" : "-" problem)
    begin_overview()
    for (i = 1; i <= step_count; i++)
        if (cell(steps[i], "verdict") == "not-started")
            not_started[++count] = cell(steps[i], "step")
        else
            put_step(steps[i])
    end_table()
    if (count)
        paragraph("Not started: " steps_in_short(not_started, count) ".")
}

# Where nothing was measured here, only the charts that have something of these steps: what was predicted of them.
function print_charts(suffix,    names, count, i, path) {
    count = split(any_time ? "speedup roof roofline energy inputs machines" : any_predicted ? "speedup roofline" : "", names, " ")
    for (i = 1; i <= count; i++) {
        path = "charts/" names[i] suffix ".svg"
        if (index(charts, " " names[i] suffix " "))
            image(path, svg_description(drawn "/" names[i] suffix ".svg"))
    }
    if (count && charts_note != "")
        paragraph(charts_note)
}

function begin_overview() {
    begin_table()
    table_column("step", "left")
    table_column("verdict", "left")
    if (any_elsewhere)
        table_column("graded elsewhere", "left")
    if (any_time) {
        table_column("seconds", "right")
        table_column("speedup", "right")
        table_column("over the step before", "right")
        table_column("% of the roof", "right")
    }
    if (any_gtx680)
        table_column("GTX 680, seconds", "right")
    if (any_predicted)
        table_column("predicted us a call, not measured", "right")
}

function put_step(r,    predicted) {
    predicted = predicted_row[cell(r, "step")]
    row()
    put(cell(r, "step"))
    put(verdict_shown(r))
    if (any_elsewhere)
        put(is_here(r) ? "" : elsewhere(r))
    if (any_time) {
        put(is_here(r) ? measured(num(r, "seconds"), 4, "") : "")
        put(is_here(r) ? measured(num(r, "speedup"), 4, "x") : "")
        put(is_here(r) ? over_previous(r) : "")
        put(is_here(r) ? measured(share_of(r), 3, "") : "")
    }
    if (any_gtx680)
        put(gtx680_seconds(cell(r, "step")))
    if (any_predicted)
        put(predicted ? "~" significant(num(predicted, "predicted_us"), 3) : "")
}

# Where a row was graded that is not of the journal's machine, input and size, and what it took there.
function elsewhere(r) {
    return (cell(r, "device_kind") == "cpu" ? "the cpu device" : cell(r, "device")) \
           (cell(r, "input") == input ? "" : ", input " cell(r, "input")) \
           (num(r, "us") == "" ? "" : ", " num(r, "rows") " x " num(r, "columns") ": " significant(num(r, "us"), 4) " us a call")
}

function share_of(r) {
    return num(r, "roof_fraction") == "" ? "" : 100 * num(r, "roof_fraction")
}

# Over the step that this one builds on.
function over_previous(r,    before) {
    before = step_header(cell(r, "step"), "builds-on")
    if (before == "none")
        return "it is the first"
    return measured((before in row_of_step) && is_here(row_of_step[before]) ? \
                    ratio_of(num(row_of_step[before], "us"), num(r, "us")) : "", 3, "x")
}

function measured(value, digits, unit) {
    return value == "" ? "not measured" : significant(value, digits) unit
}

# ---- a step --------------------------------------------------------------------------------------------

function print_step(r, problem,    step, number, title, idea) {
    step = number = cell(r, "step")
    gsub(/^[^0-9]*|_.*/, "", number)
    title = step_header(step, "title")
    idea = step_header(step, "idea")
    heading(2, "Optimization " (number + 0) ": " (title == "" ? step : with_marks(title)))
    as_it_is("*" printable(step) "*" (is_written(idea) ? ": " idea : "") "\n")
    print_words(step)
    print_results(r)
    print_source(r, ENVIRON["LABS"] "/" step "/" problem ".cu", step "/" problem ".cu")
}

function print_results(r,    predicted) {
    predicted = predicted_row[cell(r, "step")]
    heading(3, "Results")
    item("Verdict: " verdict_shown(r) (is_here(r) ? "" : ", graded elsewhere: " elsewhere(r)))
    if (cell(r, "verdict") != "pass" && cell(r, "detail") != "")
        as_it_is(indented(cell(r, "detail")))
    if (is_here(r) && num(r, "seconds") != "")
        print_times(r)
    else if (any_time)
        item("Time: not measured" (is_here(r) ? "" : " on " device " with this source"))
    if (predicted)
        item("Predicted for " cell(predicted, "predicted_gpu") ", " predicted_size(predicted) ", not measured: " \
             predicted_of_row(predicted) "; from " cell(predicted, "predicted_with"))
    if (num(r, "gtx680_seconds") != "")
        item("The original journal, on its " gtx680("name") ": " gtx680_seconds(cell(r, "step")) " seconds, " \
             significant(num(r, "gtx680_speedup"), 3) "x over its CPU")
}

function print_times(r,    samples, count, i, list) {
    count = split(cell(r, "samples"), samples, " ")
    for (i = 1; i <= count; i++)
        list = list (i > 1 ? ", " : "") significant(samples[i], 4)
    item(significant(num(r, "seconds"), 4) " seconds @ 1000 iterations, median of " count " samples" \
         (num(r, "us_low") == "" ? "" : "; 95 % interval of the median " significant(num(r, "us_low") / 1000, 4) \
          " to " significant(num(r, "us_high") / 1000, 4)) \
         (num(r, "scaled") ? "; scaled up from " num(r, "calls") " calls" : ""))
    item("Samples for " num(r, "iterations") " iterations, in seconds: [" list "]")
    if (num(r, "whole_us") != "")
        item("With allocation and both copies, as some time it: " significant(num(r, "whole_us") / 1000, 4) " seconds")
    if (num(r, "synced_us") != "")
        item("With a synchronize after every call, as the original journal timed: " \
             significant(num(r, "synced_us") / 1000, 4) " seconds")
    item("Speedup over the reference: " measured(num(r, "speedup"), 4, "x") "; over the step before: " over_previous(r))
    item(measured(num(r, "gbps"), 4, " GB/s") ": " measured(share_of(r), 3, " %") " of the roof (a plain read)")
}

# A block of code within a list.
function indented(text) {
    gsub(/\n/, "\n      ", text)
    return "      " text "\n"
}
