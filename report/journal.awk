# The lab journal in Markdown, to standard output. Reads records through records.awk, what a student
# wrote through steps.awk. Variables: wanted (the submission, "" for the first), charts (names of
# the charts drawn, with a blank around each), charts_note.

END {
    if (bad_input)
        exit 2
    fill_gaps()
    submission = wanted == "-" ? "" : wanted
    for (i = count; i >= 1 && wanted == ""; i--) # the first that has a step: baselines belong to nobody
        if (is_step(i))
            submission = field(i, "submission")
    for (i = 1; i <= count; i++)
        if (field(i, "submission") == submission && !(field(i, "problem") in seen)) {
            seen[field(i, "problem")] = 1
            problems[++problem_count] = field(i, "problem")
        }
    if (problem_count == 0) {
        printf "%s: no records of submission '%s'\n", source, submission > "/dev/stderr"
        exit 2
    }
    print "# Lab journal" (submission == "" ? "" : ": " submission) "\n"
    print_purpose()
    for (p = 1; p <= problem_count; p++)
        print_problem(problems[p])
}

function print_purpose() {
    print "## Purpose\n"
    print "One kernel is made faster step by step. For each step this journal holds its goal, the\n" \
          "difficulties, the time spent, what was seen, and what it measured. It begins with the shortest\n" \
          "time that the memory allows, so that every step can be held against it.\n"
    print "The results and charts come from the records of a grading; the words come from each step's\n" \
          "`step.md`. All times are for 1000 iterations unless said otherwise.\n"
}

function print_problem(problem,    i, n, list) {
    choose(problem)
    if (problem_count > 1)
        print "# " problem "\n"
    print_machine()
    print_roof()
    print_reference()
    print_overview(problem)
    n = 0
    for (i = 1; i <= member_count; i++)
        if (is_step(members[i]))
            print_step(members[i], ++n, problem)
}

# members[1..member_count]: this problem's records on its first GPU (or else its device) and input.
function choose(problem,    i, pass) {
    member_count = 0
    device = input = ""
    for (pass = 1; pass <= 2 && device == ""; pass++)
        for (i = 1; i <= count && device == ""; i++)
            if (belongs(i, problem) && (pass == 2 || field(i, "device.kind") == "gpu")) {
                device = field(i, "device.name")
                input = field(i, "input")
            }
    for (i = 1; i <= count; i++) {
        step_name[i] = field(i, "step")
        if (belongs(i, problem) && field(i, "device.name") == device && field(i, "input") == input) {
            members[++member_count] = i
            id_of_step[field(i, "step")] = i
        }
    }
    sort_ids(members, member_count, step_name)
}

function belongs(id, problem) {
    return field(id, "submission") == submission && field(id, "problem") == problem
}

function known_value(name,    i) {
    for (i = 1; i <= member_count; i++)
        if (field(members[i], name) != "")
            return field(members[i], name)
    return ""
}

function emulated() {
    return known_value("device.kind") == "cpu"
}

function print_machine() {
    print "## Machine and input\n"
    print "- Device: " (device == "" ? "unknown" : device) \
          (known_value("device.driver") == "" ? "" : ", driver " known_value("device.driver")) \
          (known_value("device.sms") + 0 == 0 ? "" : ", " known_value("device.sms") " multiprocessors")
    print "- Input: `" input "`, " known_value("rows") " x " known_value("columns") ", seed " known_value("seed")
    print "- Graded: " known_value("when")
    if (emulated())
        print "- The cpu device is an emulation: it checks correctness and not speed. No times are measured."
    print ""
}

function print_roof(    bytes, elements) {
    bytes = known_value("bytes")
    elements = known_value("rows") * known_value("columns")
    print "## Maximum possible speed\n"
    print "Assume that memory is the limit, not arithmetic: every element has to be read once, so no step can\n" \
          "be faster than the time in which the memory delivers the input. Launches and outputs are neglected.\n"
    if (bytes == "" || elements == 0) {
        print "Not measured: the records do not say how many bytes a call reads.\n"
        return
    }
    print "    bytes = " known_value("rows") " x " known_value("columns") " x " bytes / elements " B = " bytes " B\n"
    print "    time of one iteration = bytes / bandwidth\n"
    print "| bandwidth | GB/s | 1 iteration | 1000 iterations |"
    print "|---|--:|--:|--:|"
    print_roof_row("specified, " device, known_value("device.spec_gbps"), bytes)
    print_roof_row("measured by a streaming read, " device, known_value("roof_gbps"), bytes)
    if (known_value("problem") == "opt_2dhisto")
        print_roof_row("specified, " gtx680("name") " (the original journal)", gtx680("gbps"), bytes)
    print ""
}

function print_roof_row(what, gbps, bytes) {
    if (gbps == "")
        print "| " what " | not measured | | |"
    else
        print "| " what " | " significant(gbps, 4) " | " significant(bytes / gbps / 1e3, 4) " us | " \
              significant(bytes / gbps / 1e6, 4) " s |"
}

function print_reference(    i, id, seconds) {
    print "## Reference solution: one CPU thread\n"
    print (known_value("reference_s_1000") == "" ? "Not measured" : \
           significant(known_value("reference_s_1000"), 4) " seconds @ 1000 iterations, measured in the same run") \
          (known_value("problem") == "opt_2dhisto" ? \
           "; the original journal's CPU took " gtx680("reference") " seconds.\n" : ".\n")
    for (i = 1; i <= member_count; i++) {
        id = members[i]
        seconds = seconds_for(id, 1000)
        if (!is_step(id) && seconds != "")
            print "- " field(id, "kind") " `" field(id, "step") "`: " significant(seconds, 4) " seconds"
    }
    print ""
}

function print_overview(problem,    i, id, n) {
    suffix = problem == "opt_2dhisto" ? "" : "-" problem
    print "## All steps\n"
    n = split("speedup roof roofline inputs machines", names, " ")
    for (i = 1; i <= n; i++)
        if (index(charts, " " names[i] suffix " "))
            print "![" names[i] "](charts/" names[i] suffix ".svg)\n"
    if (charts_note != "")
        print charts_note "\n"
    print "| step | verdict | seconds | speedup | over the step before | % of the roof | GTX 680, seconds |"
    print "|---|---|--:|--:|--:|--:|--:|"
    for (i = 1; i <= member_count; i++) {
        id = members[i]
        if (!is_step(id))
            continue
        print "| " field(id, "step") " | " verdict_shown(id) " | " measured(time_of(id), 4, "") " | " \
              measured(speedup_of(id), 4, "x") " | " over_previous_text(id) " | " \
              measured(share_of(id), 3, "") " | " \
              journal_seconds(field(id, "step")) " |"
    }
    print ""
}

# A wrong answer has no speed.
function time_of(id) {
    return field(id, "verdict") == "pass" ? seconds_for(id, 1000) : ""
}

function speedup_of(id) {
    return time_of(id) == "" ? "" : field(id, "speedup")
}

function share_of(id) {
    return time_of(id) == "" || field(id, "roof_fraction") == "" ? "" : 100 * field(id, "roof_fraction")
}

# Over the step that this one builds on.
function over_previous(id,    before) {
    before = step_header(field(id, "step"), "builds-on")
    if (!(before in id_of_step) || time_of(id) == "" || time_of(id_of_step[before]) == "")
        return ""
    return time_of(id_of_step[before]) / time_of(id)
}

function over_previous_text(id) {
    return step_header(field(id, "step"), "builds-on") == "none" ? "it is the first" : \
           measured(over_previous(id), 3, "x")
}

function measured(value, digits, unit) {
    return value == "" ? "not measured" : significant(value, digits) unit
}

function print_step(id, n, problem,    step, title) {
    step = field(id, "step")
    title = step_header(step, "title")
    print "## Optimization " n ": " (title == "" ? step : title) "\n"
    print "*" step "*" (step_header(step, "idea") == "" ? "" : ": " step_header(step, "idea")) "\n"
    print_words(ENVIRON["LABS"] "/" step "/step.md")
    print_results(id, step)
    print_source(id, ENVIRON["LABS"] "/" step "/" problem ".cu", step "/" problem ".cu")
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
            print line
    }
    close(path)
    print ""
}

function print_results(id, step,    per_1000, ci, samples, n, i, list) {
    print "### Results\n"
    print "- Verdict: " verdict_shown(id)
    if (field(id, "verdict") != "pass" && field(id, "detail") != "")
        print "\n" indented(field(id, "detail"))
    if (time_of(id) == "") {
        print "- Time: not measured"
    } else {
        n = split(field(id, "samples_s"), samples, " ")
        per_1000 = 1000 / field(id, "iterations")
        list = ""
        for (i = 1; i <= n; i++)
            list = list (i > 1 ? ", " : "") significant(samples[i], 4)
        print "- " significant(time_of(id), 4) " seconds @ 1000 iterations, median of " n " samples" \
              (split(field(id, "ci95_s"), ci, " ") == 2 ? "; 95 % interval of the median " \
              significant(ci[1] * per_1000, 4) " to " significant(ci[2] * per_1000, 4) : "") \
              (field(id, "scaled") == "true" ? "; scaled up from " field(id, "calls") " calls" : "")
        print "- Samples for " field(id, "iterations") " iterations, in seconds: [" list "]"
        if (field(id, "whole_s") != "")
            print "- With allocation and both copies, as some time it: " \
                  significant(field(id, "whole_s") * per_1000, 4) " seconds"
        if (field(id, "synced_s") != "")
            print "- With a synchronize after every call, as the original journal timed: " \
                  significant(field(id, "synced_s") * per_1000, 4) " seconds"
        print "- Speedup over the reference: " measured(speedup_of(id), 4, "x") \
              "; over the step before: " over_previous_text(id)
        print "- " measured(field(id, "gbps"), 4, " GB/s") ": " measured(share_of(id), 3, " %") \
              " of the measured roof"
    }
    if (journal_seconds(step) != "")
        print "- The original journal, on its " gtx680("name") ": " journal_seconds(step) " seconds, " \
              significant(gtx680("reference") / journal_seconds(step), 3) "x over its CPU"
    print ""
}

function indented(text) {
    gsub(/\n/, "\n      ", text)
    gsub(/[\001-\011\013-\037\177]/, " ", text)
    return "      " text "\n"
}

# Without the marks of solutions, and without the task that a starter begins with.
function print_source(id, path, name,    line, found) {
    found = 0
    while ((getline line < path) > 0) {
        if (!found++)
            print "### Source: `" name "`\n\n~~~~~~~~ {.cpp}"
        if (is_shown(line, found == 1))
            print line
    }
    close(path)
    if (!found)
        return
    print "~~~~~~~~\n"
    if (field(id, "source_sha256") != "" && !is_source(path, field(id, "source_sha256")))
        print "**This source has changed since the results above were measured.** Grade again, then make the journal again.\n"
}
