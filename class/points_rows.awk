# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The rows of points, one for each submission and step: class/grades/rows.c prints them, and the class's views read
# them with report/lib/read.awk. Rows without a submission are of this project's own versions.
#
# From the record that counts (report/README.md says what they mean): line (empty: no record yet), submission,
# step, verdict, intended, outcome, detail, diagnosis, faults, remarks, hazards, idea, device, when, us, us_low, us_high,
# scaled, roof_fraction, reference, seed, notes. A flagged record has a speed, too. Of the points:
#
#   ours_line, ours_us, ours_roof_fraction     the record of this project's own version that it is compared with
#   ratio                                      its time over ours; empty where there are not two times
#   basis                                      "predicted" where the points for speed come of predicted times: then
#   predicted_us, predicted_low_us, predicted_high_us, predicted_gpu, predicted_ratio (over ours)   are there, too
#   correct, correct_max, speed, speed_max, idea_points, idea_max     points, and out of how many
#   full, none                                 the rubric's: up to which ratio all points, from which on none
#   passes                                     how often this source passed on this GPU and input
#   decision, reason                           what a person decided on the flag: clear, confirm or nothing
#   how                                        how the points came about, in words
#   left_out                                   why the step counts for nothing; then its maximum is 0
#   pending                                    why nobody knows yet what it is worth; its maximum counts all the same
#
# Of the submission, the same in each of its rows (grades/late.h):
#
#   late_days, late_free                       days late after extensions, and how many of them are free
#   late_percent                               what the others take off the submission's points
#   late_how                                   the same in words; empty without a due date
#   extension                                  days that it was due later
#   handed_in                                  when, in UTC; empty where nobody knows
#   assignment_title                           what the assignment is called; empty without one
#   assignment_total                           what the assignment is worth; empty where it does not say

BEGIN {
    POINTS_COLUMNS = "line# submission step verdict intended outcome detail diagnosis faults# remarks# hazards idea device when us# us_low# us_high# scaled# " \
                     "roof_fraction# reference# seed notes ours_line# ours_us# ours_roof_fraction# ratio# basis predicted_us# predicted_low_us# " \
                     "predicted_high_us# predicted_gpu predicted_ratio# correct# correct_max# " \
                     "speed# speed_max# idea_points# idea_max# full# none# passes# decision reason how left_out pending " \
                     "late_days# late_free# late_percent# late_how extension# handed_in assignment_title assignment_total#"
    add_columns(POINTS_COLUMNS)
}

# Call this first in END. Afterwards, both in the order of the students' rows, which are sorted:
#
#     students[1..student_count], steps[1..step_count]
#     at[who, step]             the row
#     own[1..own_count]         rows of this project's own versions
#     total[who], total_max[who], full_marks (the largest total_max): before lateness, in the rubric's points
#     grade_of(who), grade_total()    the grade, after lateness, and out of what
#     pending[who]              how many steps are; if any, the total is not final
#     predicted_steps[who]      how many have points for speed by predicted times, predicted_total[who] those points
function read_points(    r, who, step, w) {
    student_count = step_count = own_count = full_marks = 0
    for (r = 1; r <= rows; r++) {
        who = cell(r, "submission")
        step = cell(r, "step")
        at[who, step] = r
        if (who == "")
            own[++own_count] = r
        else if (!(who in total))
            students[++student_count] = who
        if (who != "" && !(step in step_known)) { # each student has a row of each step
            steps[++step_count] = step
            step_known[step] = 1
        }
        total[who] += points_of(r)
        total_max[who] += maximum_of(r)
        pending[who] += cell(r, "pending") != ""
        counting[who] += cell(r, "left_out") == "" && (cell(r, "pending") == "" || cell(r, "verdict") == "flagged")
        if (is_predicted(r)) {
            predicted_steps[who]++
            predicted_total[who] += num(r, "speed")
        }
    }
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        total[who] = hundredths(total[who])
        total_max[who] = hundredths(total_max[who])
        full_marks = larger(full_marks, total_max[who])
    }
}

# Whether its points for speed come of predicted times, as the rubric says.
function is_predicted(r) {
    return cell(r, "basis") == "predicted"
}

# Text of a record, for a page.
function shown(r, column) {
    return printable(cell(r, column))
}

# Right, as far as anybody knows: a flag counts against it until a person has cleared it.
function is_right(r) {
    return cell(r, "verdict") == "pass" || (cell(r, "verdict") == "flagged" && cell(r, "decision") == "clear")
}

function decided_verdict(r) {
    if (num(r, "line") == "")
        return "not graded yet"
    return shown(r, "verdict") (cell(r, "decision") == "clear" ? ", cleared" : "")
}

function points_of(r) {
    return num(r, "correct") + num(r, "speed") + num(r, "idea_points")
}

function maximum_of(r) {
    return num(r, "correct_max") + num(r, "speed_max") + num(r, "idea_max")
}

# What it costs a step to lack its idea.
function idea_cost(r) {
    return above(num(r, "idea_max"), 0) ? "it costs " points(num(r, "idea_max") - num(r, "idea_points")) " points" : "it costs no points"
}

# Out of how many points grades are: the assignment's total, or the largest maximum of the class.
function grade_total(    own_total) {
    own_total = num(at[students[1], steps[1]], "assignment_total")
    return own_total == "" ? full_marks : own_total
}

# The share of its maximum that a submission has, of that total, less what lateness takes off. "" where nothing counts,
# or nothing has been graded.
function grade_of(who) {
    return has_grade(who) ? hundredths(share_of_total(who) * (100 - late_of(who, "late_percent")) / 100) : ""
}

# How many points lateness takes off.
function late_points(who) {
    return has_grade(who) ? hundredths(hundredths(share_of_total(who)) - grade_of(who)) : 0
}

function has_grade(who) {
    return above(total_max[who], 0) && counting[who] > 0
}

function share_of_total(who) {
    return total[who] / total_max[who] * grade_total()
}

# "Lab 3: ", or nothing: what a page's title begins with.
function title_before(    name) {
    name = shown(at[students[1], steps[1]], "assignment_title")
    return name == "" ? "" : name ": "
}

# late_days, late_free, late_percent or extension of a submission.
function late_of(who, column) {
    return num(at[who, steps[1]], column) + 0
}

# 86.4 of 100 points, 9.6 taken off: handed in 1 day late: 10 % taken off.
function grade_in_words(who,    r) {
    r = at[who, steps[1]]
    return (has_grade(who) ? points(grade_of(who)) " of " points(grade_total()) " points" : "no grade yet") \
           (above(late_points(who), 0) ? " (" points(late_points(who)) " taken off)" : "") \
           (cell(r, "late_how") == "" ? "" : "; " cell(r, "late_how")) \
           (pending[who] ? "; not final" : "")
}

# The points of a submission: 6 of 20 points, or what is missing to that.
function total_in_words(who) {
    return points(total[who]) " of " points(total_max[who]) " points" (pending[who] == 0 ? "" : \
           ", not final: " (pending[who] == 1 ? "one step is" : pending[who] " steps are") " still to be graded") \
           (predicted_steps[who] ? ", " points(predicted_total[who]) " of them for speed that is predicted, not measured" : "")
}

function times(ratio) {
    return ratio == "" ? "-" : significant(ratio, below(ratio, 0.1) ? 2 : 3)
}

# Whether its grade is not simply its points: an assignment scales it, or speaks of lateness.
function is_graded_apart(who,    r) {
    r = at[who, steps[1]]
    return num(r, "assignment_total") != "" || cell(r, "late_how") != ""
}

# What a submission's files are called.
function file_name(who) {
    gsub(/[^A-Za-z0-9._@+-]/, "_", who)
    sub(/^[.-]/, "_", who)
    return who
}
