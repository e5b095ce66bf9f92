# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What class/assignment prints: the values of ENVIRON KEY, one a line, or all that the assignment says. Reads the names of
# the steps under labs/, one a line: each pattern has to fit one, and the rubric has to make sense for each that counts.

{
    step_name[NR] = $1
}

END {
    read_assignment()
    check_patterns()
    if (rubric_lines) {
        read_rubric()
        for (i = 1; i <= NR; i++)
            if (is_assigned(step_name[i]))
                rubric(step_name[i], "correct")
    }
    count = split(ASSIGNMENT_KEYS, keys, " ")
    if (ENVIRON["KEY"] != "" && !index(" " ASSIGNMENT_KEYS " ", " " ENVIRON["KEY"] " "))
        bad_line("assignment", "there is no key '" ENVIRON["KEY"] "': the keys are " ASSIGNMENT_KEYS)
    for (k = 1; k <= count; k++)
        if (ENVIRON["KEY"] == "" || ENVIRON["KEY"] == keys[k])
            print_fact(keys[k], ENVIRON["KEY"] == "" ? sprintf("%-10s ", keys[k]) : "")
}

function check_patterns(    p, i, found, names, n, near) {
    for (p = 1; p <= step_patterns; p++) {
        found = 0
        for (i = 1; i <= NR; i++)
            found += step_name[i] ~ step_regex[p]
        if (found)
            continue
        n = 0
        for (i = 1; i <= NR; i++) {
            names[++n] = step_name[i]
            names[++n] = step_name[i]
            sub(/_.*/, "", names[n])
        }
        near = nearest(step_text[p], names, n)
        gsub(/ /, " or ", near)
        bad_line(step_where[p], "no step under labs/ fits '" step_text[p] "'" (near == "" ? "" : "; did you mean " near "?") " (ls labs/ lists them)")
    }
}

function print_fact(key, before,    i) {
    if (key == "steps")
        for (i = 1; i <= step_patterns; i++)
            print before step_pattern[i]
    else if (key == "extension")
        for (i = 1; i <= extensions; i++)
            print before printable(extension_who[i] " " extension_days[i] (extension_reason[i] == "" ? "" : " " extension_reason[i]))
    else if (key == "handed-in")
        for (i = 1; i <= told_times; i++)
            print before printable(told_who[i] " " told_time[i])
    else if (key == "rubric")
        for (i = 1; i <= rules; i++)
            print before rule_line[i]
    else if (key in assignment)
        print before printable(assignment[key])
}
