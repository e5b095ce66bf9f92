# The lab journal in Markdown, to standard output. Variables: wanted (the submission, "" for the first), results
# (the file's name), charts (names of the charts drawn, with a blank around each), charts_note.

END {
    open_page("markdown", "")
    choose_submission()
    if (problem_count == 0) {
        printf "%s: no records of submission '%s'\n", results, submission > "/dev/stderr"
        exit 2
    }
    heading(1, "Lab journal" (submission == "" ? "" : ": " submission))
    print_purpose()
    for (p = 1; p <= problem_count; p++)
        print_problem(problems[p])
    close_pages()
}

function choose_submission(    r, seen) {
    submission = wanted == "-" ? "" : wanted
    for (r = rows; r >= 1 && wanted == ""; r--) # the first that has a step: baselines belong to nobody
        if (is_step(r))
            submission = cell(r, "submission")
    for (r = 1; r <= rows; r++)
        if (cell(r, "submission") == submission && !seen[cell(r, "problem")]++)
            problems[++problem_count] = cell(r, "problem")
}

function print_purpose() {
    heading(2, "Purpose")
    paragraph("One kernel is made faster step by step. For each step this journal holds its goal, the difficulties, " \
              "the time spent, what was seen, and what it measured. It begins with the shortest time that the memory " \
              "allows, so that every step can be held against it.")
    paragraph("The results and charts come from the records of a grading; the words come from each step's " \
              code("step.md") ". All times are for 1000 iterations unless said otherwise.")
}

function print_problem(problem,    i, count) {
    choose_members(problem)
    if (problem_count > 1)
        heading(1, problem)
    print_machine()
    print_roof()
    print_reference()
    print_overview(problem)
    for (i = 1; i <= n; i++)
        if (is_step(members[i]))
            print_step(members[i], ++count, problem)
}

# members[1..n]: this problem's rows on its first GPU (or else its device) and input.
function choose_members(problem,    r, pass) {
    n = 0
    device = input = ""
    split("", row_of_step)
    for (pass = 1; pass <= 2 && device == ""; pass++)
        for (r = 1; r <= rows && device == ""; r++)
            if (belongs(r, problem) && (pass == 2 || cell(r, "device_kind") == "gpu")) {
                device = cell(r, "device")
                input = cell(r, "input")
            }
    for (r = 1; r <= rows; r++)
        if (belongs(r, problem) && cell(r, "device") == device && cell(r, "input") == input) {
            members[++n] = r
            row_of_step[cell(r, "step")] = r
        }
    sort_rows(members, n, "problem")
}

function belongs(r, problem) {
    return cell(r, "submission") == submission && cell(r, "problem") == problem
}

# ---- what stands once for a problem --------------------------------------------------------------------

function print_machine(    sms, driver) {
    driver = first_cell(members, n, "driver")
    sms = first_num(members, n, "sms")
    heading(2, "Machine and input")
    item("Device: " (device == "" ? "unknown" : device) (driver == "" ? "" : ", driver " driver) \
         (above(sms, 0) ? ", " sms " multiprocessors" : ""))
    item("Input: " code(input) ", " shape() ", seed " first_cell(members, n, "seed"))
    item("Graded: " first_cell(members, n, "when"))
    if (first_cell(members, n, "device_kind") == "cpu")
        item("The cpu device is an emulation: it checks correctness and not speed. No times are measured.")
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
        paragraph("Not measured: the records do not say how many bytes a call reads.")
        return
    }
    as_it_is("    bytes = " shape() " x " bytes / elements " B = " whole_number(bytes) " B\n\n" \
             "    time of one iteration = bytes / bandwidth\n")
    begin_table()
    table_column("bandwidth", "left")
    table_column("GB/s", "right")
    table_column("1 iteration", "right")
    table_column("1000 iterations", "right")
    put_roof("specified, " device, first_num(members, n, "spec_gbps"), bytes)
    put_roof("measured by a streaming read, " device, first_num(members, n, "roof_gbps"), bytes)
    if (first_cell(members, n, "problem") == "opt_2dhisto")
        put_roof("specified, " gtx680("name") " (the original journal)", gtx680("gbps"), bytes)
    end_table()
}

function put_roof(what, gbps, bytes) {
    row()
    put(what)
    put(gbps == "" ? "not measured" : significant(gbps, 4))
    put(gbps == "" ? "" : significant(bytes / gbps / 1e3, 4) " us")
    put(gbps == "" ? "" : significant(bytes / gbps / 1e6, 4) " s")
}

function print_reference(    i, r, reference) {
    reference = first_num(members, n, "reference")
    heading(2, "Reference solution: one CPU thread")
    paragraph((reference == "" ? "Not measured" : \
               significant(reference, 4) " seconds @ 1000 iterations, measured in the same run") \
              (first_cell(members, n, "problem") == "opt_2dhisto" ? \
               "; the original journal's CPU took " gtx680("reference") " seconds." : "."))
    for (i = 1; i <= n; i++) {
        r = members[i]
        if (!is_step(r) && num(r, "seconds") != "")
            item(cell(r, "kind") " " code(cell(r, "step")) ": " significant(num(r, "seconds"), 4) " seconds")
    }
}

function print_overview(problem,    i, count, names, suffix) {
    suffix = problem == "opt_2dhisto" ? "" : "-" problem
    heading(2, "All steps")
    count = split("speedup roof roofline inputs machines", names, " ")
    for (i = 1; i <= count; i++)
        if (index(charts, " " names[i] suffix " "))
            as_it_is("![" names[i] "](charts/" names[i] suffix ".svg)\n")
    if (charts_note != "")
        paragraph(charts_note)
    begin_table()
    table_column("step", "left")
    table_column("verdict", "left")
    count = split("seconds|speedup|over the step before|% of the roof|GTX 680, seconds", names, "|")
    for (i = 1; i <= count; i++)
        table_column(names[i], "right")
    any_predicted = first_num(members, n, "predicted_us") != ""
    if (any_predicted)
        table_column("predicted us a call, not measured", "right")
    for (i = 1; i <= n; i++)
        if (is_step(members[i]))
            put_step(members[i])
    end_table()
}

function put_step(r) {
    row()
    put(cell(r, "step"))
    put(verdict_shown(r))
    put(measured(num(r, "seconds"), 4, ""))
    put(measured(num(r, "speedup"), 4, "x"))
    put(over_previous(r))
    put(measured(share_of(r), 3, ""))
    put(gtx680_seconds(cell(r, "step")))
    if (any_predicted)
        put(num(r, "predicted_us") == "" ? "" : "~" significant(num(r, "predicted_us"), 3))
}

function share_of(r) {
    return num(r, "roof_fraction") == "" ? "" : 100 * num(r, "roof_fraction")
}

# Over the step that this one builds on.
function over_previous(r,    before) {
    before = step_header(cell(r, "step"), "builds-on")
    if (before == "none")
        return "it is the first"
    return measured((before in row_of_step) ? ratio_of(num(row_of_step[before], "us"), num(r, "us")) : "", 3, "x")
}

function measured(value, digits, unit) {
    return value == "" ? "not measured" : significant(value, digits) unit
}

# ---- a step --------------------------------------------------------------------------------------------

function print_step(r, number, problem,    step, title, idea) {
    step = cell(r, "step")
    title = step_header(step, "title")
    idea = step_header(step, "idea")
    heading(2, "Optimization " number ": " (title == "" ? step : with_marks(title)))
    as_it_is("*" printable(step) "*" (idea == "" ? "" : ": " idea) "\n")
    print_words(ENVIRON["LABS"] "/" step "/step.md")
    print_results(r)
    print_source(r, ENVIRON["LABS"] "/" step "/" problem ".cu", step "/" problem ".cu")
}

# What was written below the header, as it stands; only headings move below this step's own, and the task
# is left out: a journal tells what was done.
function print_words(path,    line, body, fenced, task) {
    body = fenced = task = 0
    while ((getline line < path) > 0) {
        if (!body) {
            body = line == ""
            continue
        }
        if (line ~ /^(```|~~~)/)
            fenced = !fenced
        if (!fenced && line ~ /^## /)
            task = line == "## Task"
        if (!fenced && line ~ /^#+ /)
            line = "#" line
        if (!task)
            as_it_is(line)
    }
    close(path)
    as_it_is("")
}

function print_results(r) {
    heading(3, "Results")
    item("Verdict: " verdict_shown(r))
    if (cell(r, "verdict") != "pass" && cell(r, "detail") != "")
        as_it_is(indented(cell(r, "detail")))
    if (num(r, "seconds") == "")
        item("Time: not measured")
    else
        print_times(r)
    if (num(r, "predicted_us") != "")
        item("Predicted for " cell(r, "predicted_gpu") ", " predicted_size(r) ", not measured: " predicted_of_row(r) "; from " cell(r, "predicted_with"))
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
    item(measured(num(r, "gbps"), 4, " GB/s") ": " measured(share_of(r), 3, " %") " of the measured roof")
}

# A block of code within a list.
function indented(text) {
    gsub(/\n/, "\n      ", text)
    return "      " text "\n"
}

# Without the marks of solutions, and without the task that a starter begins with.
function print_source(r, path, name,    line, found) {
    found = 0
    while ((getline line < path) > 0) {
        if (!found++)
            as_it_is("### Source: `" name "`\n\n~~~~~~~~ {.cpp}")
        if (is_shown(line, found == 1))
            as_it_is(line)
    }
    close(path)
    if (!found)
        return
    as_it_is("~~~~~~~~\n")
    if (cell(r, "source_sha256") != "" && !is_source(path, cell(r, "source_sha256")))
        as_it_is("**This source has changed since the results above were measured.** " \
                 "Grade again, then make the journal again.\n")
}
