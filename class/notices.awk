# The part of class/summary's page that names what a person should look at: submissions that were refused or whose files
# are odd (ENVIRON SUBMISSIONS, a line each), and steps that are right but lack their idea.

function refused(    i, s, n, list) {
    for (s = 1; s <= step_count; s++)
        n += without_idea(steps[s], list)
    if (noticed == 0 && n == 0)
        return
    section(2, "Refused, or worth a look")
    for (i = 1; i <= noticed; i++)
        text_item(printable(noticed_who[i]) ": " printable(noticed_what[i]))
    for (s = 1; s <= step_count; s++)
        if ((steps[s], 1) in list)
            list_item(printable(steps[s]) " passes without its idea, as far as counters tell (it costs no points): ", \
                      list, steps[s], without_idea(steps[s], list))
}

# list[step, 1..n]: the submissions whose step is right but lacks its idea, with what is missing. Returns n.
function without_idea(step, list,    w, r, n) {
    n = 0
    for (w = 1; w <= student_count; w++) {
        r = at[students[w], step]
        if (cell(r, "verdict") == "pass" && cell(r, "idea") !~ /^(|there)$/)
            list[step, ++n] = printable(students[w]) " (" short_name(step) " " shown(r, "idea") ")"
    }
    return n
}

function read_submissions(    path, line, cells) {
    path = ENVIRON["SUBMISSIONS"]
    while ((getline line < path) > 0)
        if (split(line, cells, "\t") >= 3 && cells[3] != "") {
            noticed_who[++noticed] = cells[1]
            noticed_what[noticed] = cells[3]
        }
    close(path)
}
