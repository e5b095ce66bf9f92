# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What class/summary prints, from the rows of points: a page of text to standard output and, with ENVIRON PAGE,
# the same page as Markdown to that file.

BEGIN {
    NAMES_SHOWN = 8 # of a list, in the text; Markdown has them all
    page_columns = 98
}

END {
    read_verdicts(ENVIRON["VERDICTS"])
    read_points()
    read_submissions()
    open_page("text", "")
    if (ENVIRON["PAGE"] != "")
        open_page("markdown", ENVIRON["PAGE"])
    section(1, (title_before() == "" ? "Class: " : title_before()) count_of(student_count, "submission") ", " count_of(step_count, "step"))
    paragraph(graded_in_words())
    if (student_count == 0)
        paragraph("There are no records of submissions: ./grade.sh SUBMISSION... grades some.")
    else {
        section(2, "Points")
        points_distribution()
        section(2, "Verdicts")
        verdicts_by_step()
        section(2, "Speed")
        speed_by_step()
        stuck()
        flagged_steps()
        steps_by_reason("Still to be graded", "pending", "Nothing: all points are final.", \
                        "The totals of these submissions are not final: these steps count in the maximum, and for nothing " \
                        "until they have been graded. The same ./grade.sh command tries again; a flagged step waits for a person.")
        steps_by_reason("Left out of the maximum", "left_out", "Nothing: every step of every submission counts.", "")
    }
    people()
    if (count_unmatched() > 0)
        unmatched()
    refused()
    close_pages()
}

# ---- parts ---------------------------------------------------------------------------------------

function stuck(    s, i, n, list) {
    section(2, "Who is stuck where")
    paragraph("From the step named on, no step of the ladder is right. In brackets: the verdict on that step.")
    n = find_stuck()
    for (s = 1; s <= step_count; s++)
        for (i = 1; i <= stuck_count[s]; i++)
            list[s, i] = person_shown(cell(stuck_row[s, i], "submission")) " (" verdict_in_words(stuck_row[s, i]) ")"
    for (s = 1; s <= step_count; s++)
        if (stuck_count[s] > 0)
            list_item(printable(steps[s]) ", " stuck_count[s] ": ", list, s, stuck_count[s])
    if (n == 0)
        paragraph("Nobody: each ladder's last step is right in every submission.")
}

function flagged_steps(    i, n, r, decision) {
    section(2, "Flagged")
    n = find_flagged()
    for (i = 1; i <= n; i++) {
        r = flagged_row[i]
        decision = cell(r, "decision")
        text_item(shown(r, "submission") " " shown(r, "step") " (line " num(r, "line") ")" \
                  (decision == "" ? "" : decision == "clear" ? ", cleared" : ", confirmed") ": " shown(r, "detail") \
                  (decision == "" ? "" : " (" shown(r, "reason") ")"))
    }
    paragraph(n > 0 ? "No points until a person decides, by a line in the file " code("flags") \
                      " beside results.jsonl: " code("SUBMISSION STEP clear|confirm REASON") : "Nothing is flagged.")
}

# Who handed in nothing, and who was late, where people.tsv tells.
function people(    list, line, n, i, w, who, late) {
    n = absent(line)
    for (i = 1; i <= n; i++)
        list["absent", i] = printable(people_cell(line[i], "name"))
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        if (is_late(who))
            list["late", ++late] = person_shown(who) (late_of(who, "late_days") > 0 ? " (" count_of(late_of(who, "late_days"), "day") ", " \
                                         late_of(who, "late_percent") " % taken off)" : "")
    }
    if (n + late == 0)
        return
    section(2, "People")
    if (n > 0)
        list_item("Handed in nothing, " n ": ", list, "absent", n)
    if (late > 0)
        list_item("Late, " late ": ", list, "late", late)
}

# ---- small things ------------------------------------------------------------------------------

# Headings of the text stand at the edge, all else two columns in.
function section(level, text) {
    page_margin = ""
    heading(level, text)
    page_margin = "  "
}

# `what` and list[key, 1..n], of which the text shows the first few.
function list_item(what, list, key, n,    i, all, some) {
    for (i = 1; i <= n; i++) {
        all = all (i > 1 ? ", " : "") list[key, i]
        if (i == NAMES_SHOWN || i == n && n < NAMES_SHOWN)
            some = all
    }
    item(what all, clip(what some (n > NAMES_SHOWN ? " and " n - NAMES_SHOWN " more" : ""), 900))
}

function text_item(text) {
    item(text, clip(text, 900))
}
