# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The page of a class for a browser, from the rows of points: ENVIRON PAGE is the file, CHARTS the folder of its charts,
# SUBMISSIONS what was noticed when submissions were taken in, TITLE and DUE what the assignment says of these, NICKNAMES the nicknames and SIMILAR the page of class/similar, if there
# are any, SCRIPT the hash of page.js: no other script runs in the page, whoever wrote it.

END {
    read_verdicts(ENVIRON["VERDICTS"])
    read_points()
    read_submissions()
    stuck_total = find_stuck()
    flagged_total = find_flagged()
    page_title = ENVIRON["TITLE"] == "" ? "Class" : ENVIRON["TITLE"]
    page_styles = "report/lib/page.css class/overview/page.css"
    page_sealed = 1
    page_script = ENVIRON["SCRIPT"]
    open_page("html", ENVIRON["PAGE"])
    heading(1, page_title)
    paragraph(class_in_words())
    if (ENVIRON["NICKNAMES"] != "")
        paragraph("Those who have chosen a nickname are on the " link("leaderboard", "leaderboard.html") ".")
    if (ENVIRON["SIMILAR"] != "")
        paragraph("Submissions that are alike are shown " link("side by side", "similar.html") ".")
    if (student_count == 0)
        paragraph("There are no records of submissions: ./grade.sh SUBMISSION... grades some.")
    else {
        contents()
        waiting()
        grid()
        distributions()
        stuck()
    }
    people_sections()
    refused()
    paragraph("All of this is made from the records in results.jsonl. class/pages makes it anew: after a change of the rubric, " \
              "of decisions on flags, or of the assignment nothing has to be graded again.")
    markup("<script>\n" file_text("class/overview/page.js") "</script>")
    close_pages()
}

# ---- what stands above -----------------------------------------------------------------------------

function class_in_words(    list, n, text) {
    n = absent(list)
    text = count_of(student_count, "submission") ", " count_of(step_count, "step") "."
    if (n > 0)
        text = text " " n " of the roster handed in nothing."
    if (ENVIRON["DUE"] != "")
        text = text " Due " ENVIRON["DUE"] "."
    return text " Graded on " graded_in_words() "."
}

# Where what is on the page; first what waits for a person.
function contents(    list) {
    waiting_steps = count_waiting()
    unmatched_total = count_unmatched()
    late_total = count_late()
    markup("<nav aria-label=\"On this page\">")
    item(link("Flags to decide", "#flags-to-decide") ": " undecided())
    item(link("Still to be graded", "#still-to-be-graded") ": " count_of(waiting_steps, "step"))
    if (people_count > 0) {
        item(link("Handed in nothing", "#handed-in-nothing") ": " absent(list))
        item(link("Not matched with the roster", "#not-matched-with-the-roster") ": " unmatched_total)
        item(link("Late", "#late") ": " late_total)
    }
    if (count_refused() > 0)
        item(link("Refused, or worth a look", "#refused-or-worth-a-look") ": " count_refused())
    item(link("Students and steps", "#students-and-steps"))
    item(link("Points", "#points") ", " link("verdicts", "#verdicts") ", " link("speed", "#speed"))
    item(link("Who is stuck where, and why", "#who-is-stuck-where-and-why") ": " stuck_total)
    markup("</nav>")
}

function undecided(    i, n) {
    n = 0
    for (i = 1; i <= flagged_total; i++)
        n += cell(flagged_row[i], "decision") == ""
    return n
}

function count_waiting(    w, n) {
    n = 0
    for (w = 1; w <= student_count; w++)
        n += pending[students[w]]
    return n
}

# ---- what waits ------------------------------------------------------------------------------------

function waiting() {
    flagged_steps()
    steps_by_reason("Still to be graded", "pending", "Nothing: all points are final.", \
                    "The totals of these submissions are not final: these steps count in the maximum, and for nothing " \
                    "until they have been graded. The same ./grade.sh command tries again; a flagged step waits for a person.")
    if (any_left_out())
        steps_by_reason("Left out of the maximum", "left_out", "", "")
}

function any_left_out(    r) {
    for (r = 1; r <= rows; r++)
        if (cell(r, "left_out") != "")
            return 1
    return 0
}

function flagged_steps(    i, r, who) {
    section(2, "Flags to decide")
    if (flagged_total == 0) {
        paragraph("Nothing is flagged.")
        return
    }
    paragraph("No points until a person decides, by a line in the file " code("flags") " beside results.jsonl: with " \
              code("clear") " for what the answer and the time are worth, with " code("confirm") " for nothing. Then type class/pages again.")
    begin_table()
    table_column("who", "left")
    table_column("step", "left")
    table_column("evidence", "left")
    table_column("decision, or the line to write", "left")
    for (i = 1; i <= flagged_total; i++) {
        r = flagged_row[i]
        who = cell(r, "submission")
        row()
        put_heading(person_shown(who))
        put(shown(r, "step"))
        put(shown(r, "detail"))
        put(cell(r, "decision") == "" ? code(who " " cell(r, "step") " clear REASON") : \
            (cell(r, "decision") == "clear" ? "cleared" : "confirmed") ": " shown(r, "reason"))
    }
    end_table()
}

# ---- who is stuck ----------------------------------------------------------------------------------

function stuck(    s) {
    section(2, "Who is stuck where, and why")
    paragraph(stuck_total == 0 ? "Nobody: each ladder's last step is right in every submission." : \
              "From the step named on, no step of the ladder is right. Open a step to see who, and what was found there.")
    for (s = 1; s <= step_count; s++)
        if (stuck_count[s] > 0)
            stuck_at_step(s)
}

function stuck_at_step(s,    i, r, v, n, text) {
    for (i = 1; i <= stuck_count[s]; i++)
        n[cell(stuck_row[s, i], "verdict")]++
    for (v = 1; v <= verdict_count; v++)
        if (verdict_word[v] in n)
            text = text (text == "" ? "" : ", ") n[verdict_word[v]] " " verdict_word[v]
    if ("" in n)
        text = text (text == "" ? "" : ", ") n[""] " not graded yet"
    markup("<details>\n<summary>" html_escaped(steps[s] ": " stuck_count[s] " (" text ")") "</summary>")
    begin_table()
    table_column("who", "left")
    table_column("verdict", "left")
    table_column("what was found", "left")
    for (i = 1; i <= stuck_count[s]; i++) {
        r = stuck_row[s, i]
        row()
        put_heading(person_shown(cell(r, "submission")))
        put(verdict_sign(cell(r, "verdict")) " " verdict_in_words(r))
        put(leading(shown(r, "diagnosis") == "" ? shown(r, "detail") : shown(r, "diagnosis"), 400))
    }
    end_table()
    markup("</details>")
}

# ---- small things ----------------------------------------------------------------------------------

# Links point at a section by its name: "flags-to-decide".
function section(level, text,    id) {
    id = tolower(text)
    gsub(/[^a-z0-9]+/, "-", id)
    heading(level, text, id)
}

function list_item(what, list, key, n,    i, all) {
    for (i = 1; i <= n; i++)
        all = all (i > 1 ? ", " : "") list[key, i]
    item(what all)
}

function text_item(text) {
    item(text)
}

# The chart, where gnuplot has drawn it: then 1, else 0.
function draw(name, title, text,    path) {
    path = ENVIRON["CHARTS"] "/" name ".svg"
    if (file_text(path) == "")
        return 0
    drawing(path, name, title, text)
    return 1
}
