# The records that do not speak of a step that is left out, as they stood: those of the steps named in
# ENVIRON["CHOSEN"] and, of their problems, what they are compared with. Run with -f report/records.awk.

/[^ \t\r]/ {
    line_of[id_of[key]] = $0 # records.awk has just read this line
}

END {
    if (bad_input)
        exit 2
    chosen = " " ENVIRON["CHOSEN"] " "
    for (i = 1; i <= count; i++)
        if (is_chosen(i))
            problems[field(i, "problem")] = 1
    for (i = 1; i <= count; i++)
        if (is_step(i) ? is_chosen(i) : field(i, "problem") in problems)
            print line_of[i]
}

function is_chosen(id) {
    return is_step(id) && index(chosen, " " field(id, "step") " ")
}
