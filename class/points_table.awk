# What class/points prints: a table of points (default), or with -v json=1 the grade book for export.

END {
    if (bad_input)
        exit 2
    grade_all()
    if (bad_input)
        exit 2
    unused_flags()
    for (w = 1; w <= student_count; w++)
        if (json)
            print_json(students[w])
        else
            print_points(students[w])
    if (!json)
        print "#N: line N of " source ". Maximum: what the rubric gives for the steps that count."
}

function print_points(who,    s, step, line) {
    print pad(printable(who), 24) lpad(points(total[who]), 8) " of " points(total_max[who])
    for (s = 1; s <= step_count; s++) {
        step = graded_steps[s]
        line = counts[who, step]
        print "  " pad(step, 26) lpad(points(correct[who, step] + speed[who, step]), 5) " of " \
              pad(points(correct_max[who, step] + speed_max[who, step]), 4) \
              (line ? "  #" line : "") (ours[who, step] ? ", ours #" ours[who, step] : "")
        print "      " printable(how[who, step])
    }
    print ""
}

function print_json(who,    s) {
    printf "{\"submission\":%s,\"points\":%s,\"max\":%s,\"full\":%s,\"steps\":[", json_text(who), total[who], \
           total_max[who], full_marks
    for (s = 1; s <= step_count; s++)
        printf "%s", (s > 1 ? "," : "") step_json(who, graded_steps[s])
    print "]}"
}

function step_json(who, step,    line) {
    line = counts[who, step]
    return "{\"step\":" json_text(step) ",\"verdict\":" json_text(kept[line, "verdict"]) \
           ",\"detail\":" json_text(of_student(kept[line, "detail"], line)) ",\"when\":" json_text(kept[line, "when"]) \
           ",\"correct\":" correct[who, step] ",\"correct_max\":" correct_max[who, step] \
           ",\"speed\":" speed[who, step] ",\"speed_max\":" speed_max[who, step] \
           ",\"seconds_a_call\":" number_or_null(kept[line, "s"]) ",\"ratio\":" number_or_null(ratio[who, step]) \
           ",\"line\":" (line ? line : "null") ",\"ours_line\":" (ours[who, step] ? ours[who, step] : "null") \
           ",\"how\":" json_text(of_student(how[who, step], line)) ",\"left_out\":" json_text(left_out[who, step]) "}"
}

function number_or_null(x) {
    return x == "" ? "null" : sprintf("%.9g", x)
}
