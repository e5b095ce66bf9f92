# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Which results the journal holds: for journal.awk, and for journal_charts.awk, which has them drawn. The rows are those of
# report/rows --newest. -v wanted (a submission; - is this tree's own, "" the first one); in the environment STEPS has
# the names of the steps that were asked for, one a line, * for all; "" asks for the main ladder.

# Sets submission, and problems[1..problem_count] in the order of their ladders; other_problems, a text, names those
# that have results and were not asked for.
function choose_submission(    r, i, problem, list, count, key, known, started) {
    submission = wanted == "-" ? "" : wanted
    for (r = rows; r >= 1 && wanted == ""; r--) # the first that has a step: baselines belong to nobody
        if (is_step(r))
            submission = cell(r, "submission")
    for (r = 1; r <= rows; r++) {
        problem = cell(r, "problem")
        if (cell(r, "submission") != submission || !is_step(r))
            continue
        if (!known[problem]++)
            list[++count] = problem
        if (cell(r, "verdict") != "not-started")
            started[problem] = 1
        if (is_asked_for(cell(r, "step")))
            is_wanted[problem] = 1
    }
    for (i = 1; i <= count; i++)
        key[list[i]] = (ENVIRON["STEPS"] == "" ? !(list[i] in started) : "") ladder_place(list[i]) list[i]
    sort_by(list, count, key)
    for (i = 1; i <= count; i++)
        if (ENVIRON["STEPS"] == "" ? i == 1 : (list[i] in is_wanted))
            problems[++problem_count] = list[i]
        else if (list[i] in started)
            other_problems = other_problems (other_problems == "" ? "" : ", ") list[i]
}

function is_asked_for(step) {
    return ENVIRON["STEPS"] ~ /^\*?$/ || index("\n" ENVIRON["STEPS"] "\n", "\n" step "\n")
}

# Sets where the problem's results come from, and what they are:
#
#     setting, device, input   the device, input and size that the journal is about: where most steps have a time (or, where
#                              none has one, a result), and of several such the newest
#     members[1..n]            the rows of steps and baselines there, in the ladder's order; of a step only where it
#                              is of the source that was graded last
#     steps[1..step_count]     the newest row of each step. Where the setting has one of the same source, and the newest
#                              says nothing else, that one. No other device's times stand among the setting's
#     row_of_step[step]        the same by name
#     predicted_row[step]      the newest row with a predicted time of that source, 0 for none
function choose_members(problem,    r) {
    n = step_count = 0
    split("", row_of_step)
    split("", predicted_row)
    for (r = 1; r <= rows; r++)
        if (belongs(r, problem) && is_step(r))
            row_of_step[cell(r, "step")] = newer(r, row_of_step[cell(r, "step")])
    choose_setting(problem)
    for (r = 1; r <= rows; r++)
        if (belongs(r, problem) && setting_of(r) == setting && (!is_step(r) || same_source(r, row_of_step[cell(r, "step")]))) {
            members[++n] = r
            if (is_step(r) && num(row_of_step[cell(r, "step")], "success"))
                row_of_step[cell(r, "step")] = r
        }
    sort_rows(members, n, "problem")
    for (r in row_of_step)
        steps[++step_count] = row_of_step[r]
    sort_rows(steps, step_count, "problem")
    for (r = 1; r <= rows; r++)
        if (belongs(r, problem) && num(r, "predicted_us") != "" && same_source(r, row_of_step[cell(r, "step")]))
            predicted_row[cell(r, "step")] = newer(r, predicted_row[cell(r, "step")])
}

function choose_setting(problem,    r, s, count, newest, best, any_time) {
    for (r = 1; r <= rows && !any_time; r++)
        any_time = belongs(r, problem) && is_step(r) && num(r, "us") != ""
    for (r = 1; r <= rows; r++) {
        if (!belongs(r, problem) || !is_step(r) || (any_time && num(r, "us") == ""))
            continue
        s = setting_of(r)
        newest[s] = newer(r, newest[s])
        if (++count[s] > count[best] || (count[s] == count[best] && newer(newest[s], newest[best]) == newest[s]))
            best = s
    }
    setting = best
    device = cell(newest[best], "device")
    input = cell(newest[best], "input")
}

function setting_of(r) {
    return key_of(r, "device input rows columns")
}

function belongs(r, problem) {
    return cell(r, "submission") == submission && cell(r, "problem") == problem && \
           (!is_step(r) || is_asked_for(cell(r, "step")))
}

# Of two rows the one that was graded later. 0 is none.
function newer(a, b,    when_a, when_b) {
    when_a = cell(a, "when") # texts that sort as the times do
    when_b = cell(b, "when")
    return b && when_b > when_a ? b : a
}

function same_source(a, b) {
    return a == b || (cell(a, "source_sha256") != "" && cell(a, "source_sha256") == cell(b, "source_sha256"))
}

# Whether a row of a step is of the machine and input that the journal's figures are of.
function is_here(r) {
    return setting_of(r) == setting
}
