# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The parts of class/summary and of the class's page that name what a person should look at: submissions that were refused
# or whose files are odd (ENVIRON SUBMISSIONS, a line each), steps that are right but lack their idea, and submissions that
# fit nobody or several in the roster (people_rows.awk).

# How many entries the section below has.
function count_refused(    s, n, list) {
    for (s = 1; s <= step_count; s++)
        n += without_idea(steps[s], list) > 0
    return noticed + n
}

function refused(    i, s, list) {
    if (count_refused() == 0)
        return
    section(2, "Refused, or worth a look")
    for (i = 1; i <= noticed; i++)
        text_item(person_shown(noticed_who[i]) ": " printable(noticed_what[i]))
    for (s = 1; s <= step_count; s++)
        if (without_idea(steps[s], list))
            list_item(printable(steps[s]) " passes without its idea, as far as counters tell (" idea_cost(without_idea_row[steps[s]]) "): ", \
                      list, steps[s], without_idea(steps[s], list))
}

# How many rows of people.tsv have no person of the roster for sure.
function count_unmatched(    i, n) {
    read_people()
    for (i = 1; i <= people_count; i++)
        n += people_cell(i, "why") != ""
    return n + 0
}

function unmatched(    i, likely) {
    section(2, "Not matched with the roster")
    if (count_unmatched() == 0)
        paragraph("Nothing: every submission fits a person.")
    for (i = 1; i <= people_count; i++)
        if (people_cell(i, "why") != "") {
            likely = people_cell(i, "likely")
            text_item(person_shown(people_cell(i, "submission")) ": " printable(people_cell(i, "why") (likely == "" ? "" : "; likely " likely)))
        }
}

# list[step, 1..n]: the submissions whose step is right but lacks its idea, with what is missing. Returns n.
function without_idea(step, list,    w, r, n) {
    n = 0
    for (w = 1; w <= student_count; w++) {
        r = at[students[w], step]
        if (cell(r, "verdict") == "pass" && cell(r, "idea") !~ /^(there)?$/) {
            without_idea_row[step] = r
            list[step, ++n] = person_shown(students[w]) " (" short_name(step) " " shown(r, "idea") ")"
        }
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
