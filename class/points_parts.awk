# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What the parts of a step are worth, for points.awk: the answer, the idea, the speed. A record is the number of its row, r.
# Each function fills grade[] with the columns of its part (points_rows.awk), and returns in words how they came about.

# Sets the points for the answer; returns them in words.
function grade_answer(step, r, grade,    verdict) {
    verdict = cell(r, "verdict")
    grade["correct_max"] = rubric(step, "correct")
    if (verdict == "pass" || (verdict == "flagged" && grade["decision"] != "confirm"))
        grade["correct"] = grade["correct_max"]
    if (verdict == "hazard" && cell(r, "outcome") == "pass") {
        grade["correct"] = smaller(rubric(step, "hazard"), grade["correct_max"])
        verdict = "hazard, though the outputs were right"
    }
    if (verdict == "not-started")
        grade["correct"] = smaller(rubric(step, "not-started"), grade["correct_max"])
    if (verdict == "flagged")
        verdict = grade["decision"] == "clear" ? "flagged, and cleared: " grade["reason"] : \
                  "flagged, and confirmed: " grade["reason"]
    return points(grade["correct"]) " of " points(grade["correct_max"]) " for the answer (" verdict ")"
}

# Counters are of the cpu device, and there is nothing to ask for where this project's own version lacks it.
function has_idea(r, step) {
    return cell(r, "device_kind") != "gpu" && (step in own_has_idea)
}

# Sets the points for the step's idea; returns them in words. Who keeps a step from being counted must not gain by it: that
# earns nothing.
function grade_idea(step, r, grade,    most, verdict) {
    most = rubric(step, "idea")
    verdict = cell(r, "verdict")
    if (most == 0 || step_header(step, "counters") == "")
        return "" # no idea that counters could see
    if (!has_idea(r, step))
        return points(most) " for the idea left out of the maximum: it was not counted here; "
    grade["idea_max"] = most
    if (verdict != "pass" && grade["decision"] != "clear")
        return "0 of " points(most) " for the idea: only a right answer has one; "
    if (cell(r, "idea") == "there")
        grade["idea_points"] = most
    return points(grade["idea_points"]) " of " points(most) " for the idea" (grade["idea_points"] ? "" : \
           ": " (cell(r, "idea") == "" ? "its counters could not be taken" : "the step " cell(r, "idea"))) "; "
}

# Sets the points for speed; returns them in words.
function grade_speed(step, r, grade,    most, has_speed) {
    most = rubric(step, "speed")
    has_speed = cell(r, "verdict") == "pass" || grade["decision"] == "clear"
    if (most == 0)
        return "speed is not graded in this step"
    if (cell(r, "device_kind") == "cpu" && rubric(step, "predicted"))
        return grade_prediction(step, r, grade, most, has_speed)
    if (cell(r, "device_kind") == "cpu")
        return "speed is not measured on the cpu device, and left out of the maximum"
    if (!(step in own_timed))
        return "speed is left out of the maximum: this project's own version was not timed"
    if (has_speed && grade["ratio"] == "")
        return "speed is left out of the maximum: there is no time of this project's own version on the same " \
               "GPU and input to compare it with"
    grade["speed_max"] = most
    if (!has_speed)
        return "0 of " points(most) " for speed: only a right answer has one"
    grade["speed"] = hundredths(most * speed_share(grade["ratio"], grade["full"], grade["none"]))
    return points(grade["speed"]) " of " points(most) " for speed: " times(grade["ratio"]) \
           " times our time (full points up to " grade["full"] ", none from " grade["none"] " on)"
}

# The same from predicted times. Who keeps a step from being counted must not gain by it: that earns nothing.
function grade_prediction(step, r, grade, most, has_speed,    ours, names, n, i) {
    if (!(step in own_predicted))
        return "speed is left out of the maximum: no time was predicted for this project's own version"
    grade["basis"] = "predicted"
    grade["speed_max"] = most
    if (!has_speed)
        return "0 of " points(most) " for speed: only a right answer has one"
    ours = row_that_counts(own_key(step, r))
    if (is_predicted_alike(r, ours))
        grade["predicted_ratio"] = ratio_of(num(r, "predicted_us"), num(ours, "predicted_us"))
    if (grade["predicted_ratio"] == "")
        return "0 of " points(most) " for speed: no time could be predicted for it as for this project's own version; " \
               "notes in its record may say why"
    n = split("predicted_us predicted_low_us predicted_high_us predicted_gpu", names, " ")
    for (i = 1; i <= n; i++)
        grade[names[i]] = raw_cell(r, names[i], type_of[names[i]])
    grade["speed"] = hundredths(most * speed_share(grade["predicted_ratio"], grade["full"], grade["none"]))
    return points(grade["speed"]) " of " points(most) " for speed, which is predicted for " cell(r, "predicted_gpu") \
           ", not measured: " times(grade["predicted_ratio"]) " times the time predicted for our version (full points up to " \
           grade["full"] ", none from " grade["none"] " on)"
}

function is_predicted_alike(a, b) {
    return key_of(a, "predicted_gpu predicted_with counted_rows counted_columns") == \
           key_of(b, "predicted_gpu predicted_with counted_rows counted_columns")
}

# 1 at `full` times our time or better, 0 at `none` times, linear on a log scale between.
function speed_share(ratio, full, none) {
    if (!above(ratio, full))
        return 1
    return below(ratio, none) ? log(none / ratio) / log(none / full) : 0
}
