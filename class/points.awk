# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Points, from the rows of `report/rows --all --flagged`, the assignment (assignment.awk, late.awk), the rubric (rubric.awk)
# and a person's decisions on flags (flags.awk). Prints the rows that points_rows.awk describes. `class/points --help` has the rules.
#
# points_parts.awk grades the parts of a step. The functions below take a record as the number of its row, r. Row 0 stands
# for no record: its cells are empty.

END {
    read_assignment()
    read_rubric()
    read_flags()
    read_lateness()
    index_records()
    for (s = 1; s <= step_count; s++)
        rubric(steps[s], "correct") # a bad rule ends the program before anything is printed
    print_header()
    for (i = 1; i <= own_key_count; i++)
        print_row(row_that_counts(own_keys[i]), nothing)
    for (w = 1; w <= student_count; w++) {
        late_rule(students[w], late)
        for (s = 1; s <= step_count; s++) {
            r = row_that_counts(students[w] SUBSEP steps[s])
            verdict_of[students[w], steps[s]] = cell(r, "verdict")
            grade_step(students[w], steps[s], r, grade)
            for (name in late)
                grade[name] = late[name]
            grade["assignment_title"] = assignment["title"]
            grade["assignment_total"] = assignment["total"]
            print_row(r, grade)
        }
    }
    report_unused_flags(verdict_of)
    report_extensions()
}

# ---- which records ---------------------------------------------------------------------------

# Records of one submission and step; of this project's own versions, for each device and input.
function index_records(    r, who, step, key) {
    student_count = step_count = own_key_count = 0
    for (r = 1; r <= rows; r++) {
        if (!is_step(r))
            continue
        who = cell(r, "submission")
        step = cell(r, "step")
        if (!is_assigned(step))
            continue
        if (!(step in step_known))
            steps[++step_count] = step
        step_known[step] = 1
        if (cell(r, "problem") != "")
            problem_of[step] = cell(r, "problem")
        key = who SUBSEP step
        if (who == "")
            key = own_version(step, r)
        else if (!(who in student_known)) {
            student_known[who] = 1
            students[++student_count] = who
        }
        rows_of[key] = rows_of[key] " " r
    }
    sort_list(students, student_count)
    sort_steps(steps, step_count, problem_of)
}

# What our own version showed on a device: later records replace earlier ones. Returns its key.
function own_version(step, r,    key) {
    own_verdict[step, gpu_of(r)] = num(r, "success") ? "" : cell(r, "verdict")
    if (num(r, "success"))
        own_passed[step] = 1
    own_intended[step] = cell(r, "intended")
    if (num(r, "us") != "")
        own_timed[step] = 1
    if (num(r, "predicted_us") != "")
        own_predicted[step] = 1
    if (cell(r, "idea") == "there")
        own_has_idea[step] = 1
    key = own_key(step, r)
    if (!(key in rows_of))
        own_keys[++own_key_count] = key
    return key
}

# What a record of that step is compared with.
function own_key(step, r) {
    return "" SUBSEP step SUBSEP gpu_of(r) SUBSEP key_of(r, "input rows columns")
}

# Of the rows with a key the one that counts: the latest; a harness error only if nothing else came of
# the same source; of several passes of the same source (it was measured again) the fastest.
function row_that_counts(key,    n, list, i, best) {
    n = (key in rows_of) ? split(rows_of[key], list, " ") : 0
    best = n == 0 ? 0 : list[n]
    for (i = n - 1; i >= 1 && cell(best, "verdict") == "harness-error"; i--)
        if (same_source(list[i], list[n]))
            best = list[i]
    if (cell(best, "verdict") != "pass")
        return best
    for (i = 1; i <= n; i++)
        if (is_repeat(list[i], best) && below(num(list[i], "us"), num(best, "us")))
            best = list[i]
    return best
}

# Whether both are passes of one source on one GPU and input.
function is_repeat(a, b) {
    return cell(a, "verdict") == "pass" && cell(b, "verdict") == "pass" && same_source(a, b) && \
           gpu_of(a) == gpu_of(b) && key_of(a, "input rows columns") == key_of(b, "input rows columns")
}

function same_source(a, b) {
    return cell(a, "source_sha256") != "" && key_of(a, "source_sha256 harness") == key_of(b, "source_sha256 harness")
}

function count_passes(key, r,    n, list, i, passes) {
    n = (key in rows_of) ? split(rows_of[key], list, " ") : 0
    passes = 0
    for (i = 1; i <= n; i++)
        passes += is_repeat(list[i], r)
    return passes
}

# ---- points ----------------------------------------------------------------------------------

# Fills grade[column]: what is not in the record.
function grade_step(who, step, r, grade,    name, ours) {
    for (name in grade)
        delete grade[name]
    # Of what was predicted a page has only what counts.
    grade["predicted_us"] = grade["predicted_low_us"] = grade["predicted_high_us"] = grade["predicted_gpu"] = ""
    grade["submission"] = who
    grade["step"] = step
    grade["intended"] = intended_of(r, step)
    grade["full"] = rubric(step, "full")
    grade["none"] = rubric(step, "none")
    grade["correct"] = grade["correct_max"] = grade["speed"] = grade["speed_max"] = grade["idea_points"] = grade["idea_max"] = 0
    if (cell(r, "verdict") == "flagged" && ((who, step) in flag_decision)) {
        grade["decision"] = flag_decision[who, step]
        grade["reason"] = flag_reason[who, step]
    }
    grade["left_out"] = why_left_out(r, step, grade["intended"])
    if (grade["left_out"] != "") {
        grade["how"] = "left out of the maximum: " grade["left_out"]
        return
    }
    grade["pending"] = why_pending(r, step, grade["decision"])
    if (grade["pending"] != "") {
        grade["correct_max"] = rubric(step, "correct")
        grade["speed_max"] = has_time(r, step) ? rubric(step, "speed") : 0
        grade["idea_max"] = has_idea(r, step) ? rubric(step, "idea") : 0
        grade["how"] = "nothing yet: " grade["pending"] "; the total is not final until it is graded"
        return
    }
    ours = row_that_counts(own_key(step, r))
    grade["ours_line"] = num(ours, "line")
    grade["ours_us"] = num(ours, "us")
    grade["ours_roof_fraction"] = num(ours, "roof_fraction")
    grade["ratio"] = ratio_of(num(r, "us"), num(ours, "us"))
    grade["passes"] = count_passes(who SUBSEP step, r)
    grade["how"] = grade_answer(step, r, grade) "; " grade_idea(step, r, grade) grade_speed(step, r, grade)
}

# A step that is there to show a mistake: its own record says so, or that of our own version.
function intended_of(r, step) {
    if (cell(r, "intended") !~ /^(pass)?$/ || !(step in own_intended))
        return cell(r, "intended")
    return own_intended[step]
}

# Nobody can have points for it.
function why_left_out(r, step, intended) {
    if (intended !~ /^(pass)?$/)
        return "it is there to show a wrong answer, so it is worth no points"
    # What never ran has the name of some GPU in its record: that GPU is no excuse.
    if (own_verdict[step, gpu_of(r)] !~ /^(harness-error)?$/ && \
        !(cell(r, "verdict") ~ /^(missing|not-started|build-failed)$/ && (step in own_passed)))
        return "this project's own version did not pass on this device either"
    return ""
}

# Nobody knows yet what it is worth. If it left the maximum, not to be graded would be worth more than to be wrong.
function why_pending(r, step, decision) {
    if (r == 0)
        return "it has no record yet, because the grading is not finished"
    if (cell(r, "verdict") == "harness-error")
        return "the harness failed here, which is not the submission's fault"
    if (cell(r, "verdict") == "flagged" && decision == "")
        return "it is flagged, and a person has to decide"
    if (own_verdict[step, gpu_of(r)] == "harness-error")
        return "the harness failed with this project's own version, so there is nothing to compare it with"
    return ""
}

function has_time(r, step) {
    return (cell(r, "device_kind") != "cpu" && (step in own_timed)) || \
           (cell(r, "device_kind") != "gpu" && (step in own_predicted) && rubric(step, "predicted"))
}

# ---- printing --------------------------------------------------------------------------------

function print_header(    i, line) {
    printed_count = split(POINTS_COLUMNS, printed, " ")
    line = ""
    for (i = 1; i <= printed_count; i++) {
        sub(/#$/, "", printed[i])
        line = line (i > 1 ? "\t" : "") printed[i]
    }
    print line
}

# The record's cells, and over them those of grade[].
function print_row(r, grade,    i, name, line) {
    line = ""
    for (i = 1; i <= printed_count; i++) {
        name = printed[i]
        line = line (i > 1 ? "\t" : "") ((name in grade) ? escaped(grade[name]) : raw_cell(r, name, type_of[name]))
    }
    print line
}
