# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What class/points prints: a table of points (default), or with -v json=1 the grade book for class/export.

END {
    read_points()
    for (w = 1; w <= student_count; w++)
        if (json)
            print_json(students[w])
        else
            print_points(students[w])
    if (!json)
        print "#N: line N of " ENVIRON["RECORDS"] ". Maximum: what the rubric gives for the steps that count."
}

function print_points(who,    s, r) {
    print pad(printable(who), 24) " " total_in_words(who)
    if (is_graded_apart(who))
        print "  grade: " grade_in_words(who)
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        print "  " pad(shown(r, "step"), 26) lpad(points(points_of(r)), 5) " of " pad(points(maximum_of(r)), 4) \
              (num(r, "line") == "" ? "" : "  #" num(r, "line")) \
              (num(r, "ours_line") == "" ? "" : ", ours #" num(r, "ours_line"))
        print "      " shown(r, "how")
    }
    print ""
}

function print_json(who,    s) {
    printf "{\"submission\":%s,\"name\":%s,\"points\":%s,\"max\":%s,\"full\":%s,\"grade\":%s,\"total\":%s,\"late\":%s,\"steps\":[", \
           json_text(who), json_text(file_name(who)), total[who], total_max[who], full_marks, number_or_null(grade_of(who)), \
           number_or_null(grade_total()), late_json(who)
    for (s = 1; s <= step_count; s++)
        printf "%s", (s > 1 ? "," : "") step_json(at[who, steps[s]])
    print "]}"
}

function late_json(who) {
    return "{\"days\":" late_of(who, "late_days") ",\"free_days\":" late_of(who, "late_free") ",\"percent\":" late_of(who, "late_percent") \
           ",\"taken_off\":" number_or_null(late_points(who)) ",\"extension\":" late_of(who, "extension") \
           ",\"how\":" json_text(cell(at[who, steps[1]], "late_how")) "}"
}

function step_json(r) {
    return "{\"step\":" json_text(cell(r, "step")) ",\"verdict\":" json_text(cell(r, "verdict")) \
           ",\"detail\":" json_text(of_student(cell(r, "detail"), r)) ",\"when\":" json_text(cell(r, "when")) \
           ",\"correct\":" num(r, "correct") ",\"correct_max\":" num(r, "correct_max") \
           ",\"speed\":" num(r, "speed") ",\"speed_max\":" num(r, "speed_max") \
           ",\"idea_points\":" num(r, "idea_points") ",\"idea_max\":" num(r, "idea_max") \
           ",\"points\":" number_or_null(hundredths(points_of(r))) ",\"max\":" number_or_null(hundredths(maximum_of(r))) \
           ",\"seconds_a_call\":" number_or_null(num(r, "us") == "" ? "" : num(r, "us") / 1e6) \
           ",\"ratio\":" number_or_null(num(r, "ratio")) ",\"predicted\":" (is_predicted(r) ? "true" : "false") \
           ",\"line\":" number_or_null(num(r, "line")) ",\"ours_line\":" number_or_null(num(r, "ours_line")) \
           ",\"how\":" json_text(of_student(cell(r, "how"), r)) ",\"left_out\":" json_text(cell(r, "left_out")) \
           ",\"pending\":" json_text(cell(r, "pending")) "}"
}

function number_or_null(x) {
    return x == "" ? "null" : sprintf("%.9g", x)
}
