# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What class/points --rubric prints: reads the names of steps, one a line. Of an assignment's steps, where it names some.

{
    step[NR] = $1
}

END {
    read_assignment()
    read_rubric()
    format = "%-28s %8s %8s %8s %8s %8s %8s %12s %9s\n"
    printf format, "step", "correct", "speed", "full at", "none at", "hazard", "idea", "not-started", "predicted"
    for (i = 1; i <= NR; i++) {
        fast = rubric(step[i], "speed") > 0 # which also notes whose lines fit
        if (is_assigned(step[i]))
            printf format, step[i], rubric(step[i], "correct"), rubric(step[i], "speed"), \
                   fast ? rubric(step[i], "full") "x" : "-", fast ? rubric(step[i], "none") "x" : "-", rubric(step[i], "hazard"), \
                   rubric(step[i], "idea"), rubric(step[i], "not-started"), rubric(step[i], "predicted") ? "counts" : "-"
    }
    unused = 0
    for (i = 1; i <= rules; i++)
        if (!(i in rule_used)) {
            printf "%s: '%s' fits no step\n", rule_where[i], rule_text[i] > "/dev/stderr"
            unused = 1
        }
    exit unused ? 2 : 0
}
