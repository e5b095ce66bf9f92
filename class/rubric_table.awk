# What class/points --rubric prints: reads the names of steps, one a line.

BEGIN {
    read_rubric()
    printf "%-28s %8s %8s %8s %8s\n", "step", "correct", "speed", "full at", "none at"
}

{
    fast = rubric($1, "speed") > 0
    printf "%-28s %8s %8s %8s %8s\n", $1, rubric($1, "correct"), rubric($1, "speed"), \
           fast ? rubric($1, "full") "x" : "-", fast ? rubric($1, "none") "x" : "-"
}

END {
    if (bad_input)
        exit 2
    for (i = 1; i <= rules; i++)
        if (!(i in rule_used)) {
            printf "%s: '%s' fits no step\n", rule_where[i], rule_text[i] > "/dev/stderr"
            unused = 1
        }
    exit unused ? 2 : 0
}
