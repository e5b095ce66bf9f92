# What class/near-boundary lists.

BEGIN {
    NEAR = 1.05 # what two measurements of a step may differ by
}

END {
    if (bad_input)
        exit 2
    grade_all()
    if (bad_input)
        exit 2
    for (w = 1; w <= student_count; w++)
        for (s = 1; s <= step_count; s++)
            if (decides_by_little(students[w], graded_steps[s]))
                print students[w] "\t" graded_steps[s]
}

function decides_by_little(who, step) {
    return kept[counts[who, step], "verdict"] == "pass" && speed_max[who, step] > 0 && ratio[who, step] != "" && \
           measured_once(who, step) && \
           (near(ratio[who, step], rubric(step, "full")) || near(ratio[who, step], rubric(step, "none")))
}

function measured_once(who, step,    n, list, i, passes) {
    n = split(records_of[who, step], list, " ")
    for (i = 1; i <= n; i++)
        passes += kept[list[i], "verdict"] == "pass" && same_source(list[i], counts[who, step]) && \
                  same_measurement(list[i], counts[who, step])
    return passes < 2
}

function near(r, boundary) {
    return r <= boundary * NEAR && r >= boundary / NEAR
}
