# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The grid of students by steps: a cell for each, with the verdict's sign and colour, which says the rest in its title and
# links to the student's page. page.js sorts and filters it; without scripts it is a plain table.

function grid(    w, s) {
    section(2, "Students and steps")
    filters()
    markup("<div class=\"grid\">")
    begin_table()
    attribute("id", "grid")
    grid_columns()
    for (w = 1; w <= student_count; w++)
        grid_row(students[w])
    end_table()
    markup("</div>")
    legend()
}

# Shown by the script that they need.
function filters(    s, v) {
    markup("<form id=\"filters\" hidden>\n" \
           "<label>Name <input type=\"search\" id=\"name\" autocomplete=\"off\"></label>\n" \
           "<label>Step <select id=\"step\"><option value=\"\">all</option>")
    for (s = 1; s <= step_count; s++)
        markup("<option value=\"" s "\">" html_escaped(steps[s]) "</option>")
    markup("</select></label>\n<label>Verdict <select id=\"verdict\"><option value=\"\">all</option>")
    for (v = 1; v <= verdict_count; v++)
        markup("<option>" html_escaped(verdict_word[v]) "</option>")
    markup("<option>ungraded</option></select></label>\n<output id=\"shown\"></output>\n</form>\n<p id=\"cell\" aria-hidden=\"true\"></p>")
}

function grid_columns(    s) {
    table_column("name", "left")
    table_column("submission", "left")
    table_column("of " points(grade_total()), "right")
    for (s = 1; s <= step_count; s++) {
        table_column(short_name(printable(steps[s])), "left")
        attribute("class", "step")
        attribute("title", steps[s])
    }
    has_sections = any_person("section")
    if (late_total)
        table_column("days late", "right")
    if (has_sections)
        table_column("section", "left")
}

function any_person(column,    w) {
    for (w = 1; w <= student_count; w++)
        if (person(students[w], column) != "")
            return 1
    return 0
}

function grid_row(who,    s) {
    row()
    put_heading(person_shown(who))
    put(printable(who))
    put((grade_of(who) == "" ? "-" : points(grade_of(who))) (pending[who] ? " *" : ""))
    attribute("data-p", grade_of(who) == "" ? -1 : grade_of(who))
    if (pending[who])
        attribute("title", "not final: " count_of(pending[who], "step") " still to be graded")
    for (s = 1; s <= step_count; s++)
        grid_cell(who, steps[s])
    if (late_total)
        put(late_days_shown(who))
    if (has_sections)
        put(printable(person(who, "section")))
}

function grid_cell(who, step,    r, verdict) {
    r = at[who, step]
    verdict = cell(r, "verdict")
    put(link(verdict_sign(verdict), page_of(who) "#" file_name(step), cell_in_words(r, step)))
    attribute("class", "v-" verdict_group(verdict))
    attribute("data-v", verdict == "" ? "ungraded" : verdict)
    attribute("data-p", points_of(r))
}

# opt05: pass, 9.5 of 10 points, 34.9 us
function cell_in_words(r, step) {
    return short_name(step) ": " verdict_in_words(r) (cell(r, "decision") == "" ? "" : ", " cell(r, "decision") "ed") ", " \
           (cell(r, "left_out") != "" ? "left out" : cell(r, "pending") != "" ? "still to be graded" : \
            points(points_of(r)) " of " points(maximum_of(r)) " points") \
           (num(r, "us") == "" ? "" : ", " significant(num(r, "us"), 4) " us") \
           (num(r, "predicted_us") == "" ? "" : ", ~" significant(num(r, "predicted_us"), 3) " us predicted")
}

# What the signs mean: those that somebody has.
function legend(    r, v, any, open) {
    for (r = 1; r <= rows; r++)
        if (cell(r, "submission") != "")
            any[cell(r, "verdict")]++
    begin_table()
    table_column("sign", "left")
    table_column("verdict", "left")
    table_column("how often", "right")
    table_column("what it means", "left")
    for (v = 1; v <= verdict_count; v++)
        if (verdict_word[v] in any)
            legend_row(verdict_word[v], verdict_word[v], any[verdict_word[v]], verdict_meaning[verdict_word[v]])
    if ("" in any)
        legend_row("", "ungraded", any[""], "it has no record yet")
    end_table()
}

function legend_row(verdict, word, count, meaning) {
    row()
    put(verdict_sign(verdict))
    attribute("class", "v-" verdict_group(verdict))
    put_heading(word)
    put(count)
    put(meaning)
}
