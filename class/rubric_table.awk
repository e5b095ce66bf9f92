# What class/points --rubric prints: reads the names of steps, one a line.

{
    step[NR] = $1
}

END {
    read_rubric()
    printf "%-28s %8s %8s %8s %8s %8s %9s\n", "step", "correct", "speed", "full at", "none at", "hazard", "predicted"
    for (i = 1; i <= NR; i++) {
        fast = rubric(step[i], "speed") > 0
        printf "%-28s %8s %8s %8s %8s %8s %9s\n", step[i], rubric(step[i], "correct"), rubric(step[i], "speed"), \
               fast ? rubric(step[i], "full") "x" : "-", fast ? rubric(step[i], "none") "x" : "-", \
               rubric(step[i], "hazard"), rubric(step[i], "predicted") ? "counts" : "-"
    }
    unused = 0
    for (i = 1; i <= rules; i++)
        if (!(i in rule_used)) {
            printf "%s: '%s' fits no step\n", rule_where[i], rule_text[i] > "/dev/stderr"
            unused = 1
        }
    exit unused ? 2 : 0
}
