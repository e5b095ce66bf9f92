# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The pages of class/feedback, from the rows of points: for each submission the same page as text, as Markdown and as HTML.
# ENVIRON OUT is the folder they go to, LOGS and SUBMISSIONS the folders of logs and clean copies, CHARTS that of the
# charts, "" without. ENVIRON ONLY is a submission whose page is printed as text, for class/show, and written nowhere;
# COLOUR is 1 where that is a terminal.

BEGIN {
    SOURCE_COLUMNS = 68 # of a line of a student's source
    page_columns = 78 # a mail's
    page_underline = page_spaced = 1
    page_gap = 1
}

END {
    out = ENVIRON["OUT"]
    charts = ENVIRON["CHARTS"]
    only = ENVIRON["ONLY"]
    read_verdicts(ENVIRON["VERDICTS"])
    read_hazard_kinds("emulator/findings/hazards.def")
    read_points()
    page_sealed = 1
    for (w = 1; w <= student_count; w++)
        if (only == "" || students[w] == only)
            feedback(students[w])
    if (only == "")
        print student_count " pages of feedback in " out
}

function feedback(who,    name, s) {
    name = file_name(who)
    page_title = title_before() "Feedback for " name_of(who)
    if (only != "") {
        page_columns = 80
        page_colour = ENVIRON["COLOUR"]
        open_page("text", "")
    } else {
        open_page("text", out "/" name ".txt")
        open_page("markdown", out "/" name ".md")
        open_page("html", out "/" name ".html")
    }
    page_margin = ""
    heading(1, page_title)
    paragraph(strong(total_in_words(who) "."))
    if (is_graded_apart(who))
        paragraph("Grade: " strong(grade_in_words(who) "."))
    if (name_of(who) != printable(who))
        paragraph("Submission: " printable(who))
    page_only = "text markdown"
    overview(who)
    page_only = "html"
    overview(who)
    page_only = ""
    chart(who, name)
    for (s = 1; s <= step_count; s++) {
        markup("<section class=\"step\">")
        step_feedback(steps[s], at[who, steps[s]])
        show_words(who, steps[s])
        markup("</section>")
    }
    close_pages()
}

# As people write it, where DIR/people.tsv knows it.
function name_of(who,    name) {
    name = printable(person(who, "name"))
    return name == "" ? printable(who) : name
}

# Columns of times only where there are some.
function overview(who,    s, r, any) {
    any = has_times(who)
    begin_table()
    table_column("step", "left", 25, 25)
    table_column("verdict", "left", 16, 16)
    table_column("points", "right", 10, 10)
    if (any) {
        table_column("us/call", "right", 8, 8)
        table_column("% roof", "right", 6, 6)
        table_column("x ours", "right", 6, 6)
    }
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        row()
        put_heading(only_html() ? link(steps[s], "#" file_name(steps[s])) : code(steps[s]))
        put(verdict_with_colour(r))
        put(cell(r, "left_out") != "" ? "left out" : cell(r, "pending") != "" ? "not yet" : points(points_of(r)) " of " points(maximum_of(r)))
        if (any)
            put_times(r)
    }
    end_table()
}

function has_times(who,    s, r) {
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        if (num(r, "us") != "" || num(r, "predicted_us") != "")
            return 1
    }
    return 0
}

function put_times(r) {
    put(is_predicted(r) ? predicted_cell(num(r, "predicted_us")) : significant(num(r, "us"), 4))
    put(roof_percent(num(r, "roof_fraction")))
    put(is_predicted(r) ? predicted_cell(num(r, "predicted_ratio")) : times(num(r, "ratio")))
}

# ---- a step ----------------------------------------------------------------------------------------

function step_feedback(step, r,    title) {
    title = step_header(step, "title")
    page_margin = ""
    heading(2, code(step) (title == "" ? "" : ": " printable(title)), file_name(step))
    page_margin = "  "
    fact("Verdict", verdict_with_colour(r))
    if (cell(r, "verdict") != "pass" && cell(r, "detail") != "")
        fact("Why", of_student(cell(r, "detail"), r))
    if (cell(r, "verdict") == "pass" && cell(r, "idea") !~ /^(there)?$/)
        fact("Idea", "missing, as far as counters tell (" idea_cost(r) "): " short_name(step) " " shown(r, "idea") ".")
    read_hazards(r)
    if (cell(r, "verdict") == "hazard")
        show_places(r)
    if (cell(r, "diagnosis") != "")
        fact("Diagnosis", of_student(cell(r, "diagnosis"), r))
    show_hazards(r, cell(r, "verdict") == "hazard" ? 2 : 1)
    if (num(r, "us") != "")
        fact("Time", time_in_words(r))
    if (num(r, "predicted_us") != "")
        fact("Predicted", "~" predicted_in_words(num(r, "predicted_us"), num(r, "predicted_low_us"), num(r, "predicted_high_us")) \
             " on " shown(r, "predicted_gpu") ", ~" times(num(r, "predicted_ratio")) " times this project's own version, " \
             "predicted too. None of this is measured.")
    if (num(r, "us") != "" && cell(r, "notes") != "")
        fact("Note", of_student(cell(r, "notes"), r))
    fact("Points", of_student(cell(r, "how"), r))
    fact("Next", with_marks(next_hint(step, r)))
    show_log(r)
    if (num(r, "line") != "")
        fact("Record", "line " num(r, "line") (num(r, "ratio") == "" ? "" : ", ours line " num(r, "ours_line")) \
             " of results.jsonl" (cell(r, "when") == "" ? "" : ", " shown(r, "when")))
}

# The lines of the first hazard.
function show_places(r,    p, text, margin) {
    for (p = 1; p <= hazard[1, "places"]; p++)
        text = text (p > 1 ? "\n" : "") of_student(hazard_place(1, p), r) \
               (hazard[1, p, "source"] == "" ? "" : "\n    " clip(of_student(hazard[1, p, "source"], r), SOURCE_COLUMNS))
    margin = page_margin
    page_margin = "    "
    if (text != "")
        preformatted(text)
    page_margin = margin
}

function show_hazards(r, first,    h) {
    for (h = first; h <= hazards; h++)
        fact(hazard[h, "severity"] == "fault" ? "Also" : "Remark", \
             of_student(hazard_in_short(h) ". " hazard_remedy[hazard[h, "kind"]], r))
}

# "34.1 us a call (90 %: 29 to 40)", from microseconds.
function predicted_in_words(us, low, high,    unit, size) {
    unit = us < 1e3 ? "us" : us < 1e6 ? "ms" : "s"
    size = unit == "us" ? 1 : unit == "ms" ? 1e3 : 1e6
    return significant(us / size, 3) " " unit " a call" \
           (low == "" ? "" : " (90 %: " significant(low / size, 2) " to " significant(high / size, 2) ")")
}

function time_in_words(r,    text) {
    text = significant(num(r, "us"), 4) " us a call"
    if (num(r, "us_low") != "")
        text = text " (95 % interval " significant(num(r, "us_low"), 4) " to " significant(num(r, "us_high"), 4) ")"
    if (num(r, "scaled"))
        text = text ", scaled up from fewer calls"
    if (num(r, "roof_fraction") != "")
        text = text ", " roof_percent(num(r, "roof_fraction")) " % of the roof (one read of the input)"
    if (num(r, "ratio") != "")
        text = text ", " times(num(r, "ratio")) " times the time of this project's own version (" \
               significant(num(r, "ours_us"), 4) " us)"
    return text "."
}

function next_hint(step, r,    idea, full) {
    if (num(r, "line") == "")
        return "Nothing for you to do: this step has not been graded yet."
    if (cell(r, "intended") !~ /^(pass)?$/)
        return "This step is there to show a wrong answer. Explain in your journal why it is wrong."
    if (cell(r, "verdict") == "not-started" && cell(r, "detail") ~ /under another name$/)
        return "Begin with this step's own file as it was handed out: its task stands at the top."
    if (cell(r, "verdict") == "missing" && cell(r, "detail") ~ /is refused:/)
        return "Pack your steps with `make submit`, and hand in the archive that it writes."
    if (!is_right(r))
        return verdict_advice_for(cell(r, "verdict"), short_name(step))
    if (num(r, "ratio") == "" && num(r, "predicted_ratio") == "")
        return "Right. Only a GPU can tell how fast it is."
    if (above(num(r, "roof_fraction"), 0.9))
        return "At the roof: reading the input takes nearly all of the time. There is little left to gain."
    full = num(r, "full")
    if (!above(larger(num(r, "ratio"), num(r, "predicted_ratio")), above(full, 0) ? full : 1.2))
        return "As fast as this step asks. What is left up to the roof is the subject of other steps."
    idea = step_header(step, "idea")
    return "Slower than this step's idea allows" (idea == "" ? "." : ": " printable(idea)) \
           " Look for what your kernel does beyond that, for each element and for each call."
}
