# The rows of points, one for each submission and step: points.awk prints them, and the class's views read
# them with report/lib/read.awk. Rows without a submission are of this project's own versions.
#
# From the record that counts (report/README.md says what they mean): line (empty: no record yet), submission,
# step, verdict, intended, outcome, detail, diagnosis, faults, remarks, hazards, idea, device, when, us, us_low, us_high,
# scaled, roof_fraction, seed, notes. A flagged record has a speed, too. Of the points:
#
#   ours_line, ours_us, ours_roof_fraction     the record of this project's own version that it is compared with
#   ratio                                      its time over ours; empty where there are not two times
#   basis                                      "predicted" where the points for speed come of predicted times: then
#   predicted_us, predicted_low_us, predicted_high_us, predicted_gpu, predicted_ratio (over ours)   are there, too
#   correct, correct_max, speed, speed_max     points, and out of how many
#   full, none                                 the rubric's: up to which ratio all points, from which on none
#   passes                                     how often this source passed on this GPU and input
#   decision, reason                           what a person decided on the flag: clear, confirm or nothing
#   how                                        how the points came about, in words
#   left_out                                   why the step counts for nothing; then its maximum is 0
#   pending                                    why nobody knows yet what it is worth; its maximum counts all the same

BEGIN {
    POINTS_COLUMNS = "line# submission step verdict intended outcome detail diagnosis faults# remarks# hazards idea device when us# us_low# us_high# scaled# " \
                     "roof_fraction# seed notes ours_line# ours_us# ours_roof_fraction# ratio# basis predicted_us# predicted_low_us# " \
                     "predicted_high_us# predicted_gpu predicted_ratio# correct# correct_max# " \
                     "speed# speed_max# full# none# passes# decision reason how left_out pending"
    add_columns(POINTS_COLUMNS)
}

# Call this first in END. Afterwards, both in the order of the students' rows, which are sorted:
#
#     students[1..student_count], steps[1..step_count]
#     at[who, step]             the row
#     own[1..own_count]         rows of this project's own versions
#     total[who], total_max[who], full_marks (the largest total_max)
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
        total[who] += num(r, "correct") + num(r, "speed")
        total_max[who] += num(r, "correct_max") + num(r, "speed_max")
        pending[who] += cell(r, "pending") != ""
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

function points_of(r) {
    return num(r, "correct") + num(r, "speed")
}

function maximum_of(r) {
    return num(r, "correct_max") + num(r, "speed_max")
}

function hundredths(x) {
    return int(x * 100 + 0.5) / 100
}

# The points of a submission: 6 of 20 points, or what is missing to that.
function total_in_words(who) {
    return points(total[who]) " of " points(total_max[who]) " points" (pending[who] == 0 ? "" : \
           ", not final: " (pending[who] == 1 ? "one step is" : pending[who] " steps are") " still to be graded") \
           (predicted_steps[who] ? ", " points(predicted_total[who]) " of them for speed that is predicted, not measured" : "")
}

# A number of points as people write it: 6, 3.5, 2.38.
function points(x) {
    return sprintf("%.6g", hundredths(x))
}

function times(ratio) {
    return ratio == "" ? "-" : significant(ratio, below(ratio, 0.1) ? 2 : 3)
}

# What a submission's files are called.
function file_name(who) {
    gsub(/[^A-Za-z0-9._@+-]/, "_", who)
    sub(/^[.-]/, "_", who)
    return who
}
