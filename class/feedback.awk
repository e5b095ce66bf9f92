# The pages of class/feedback, from the rows of points: for each submission a page of text and the same as
# Markdown. With ENVIRON CHARTS the data of the charts goes to that file, for feedback.gp.

BEGIN {
    BAR_COLUMNS = 40
    SOURCE_COLUMNS = 68 # of a line of a student's source
    page_columns = 78 # a mail's
    page_underline = page_spaced = 1
    page_gap = 1
}

END {
    out = ENVIRON["OUT"]
    charts = ENVIRON["CHARTS"]
    read_verdicts(ENVIRON["VERDICTS"])
    read_hazard_kinds("common/runner/hazards.def")
    read_points()
    for (w = 1; w <= student_count; w++)
        feedback(students[w])
    print student_count " pages of feedback in " out
}

function feedback(who,    name, s) {
    name = file_name(who)
    open_page("text", out "/" name ".txt")
    open_page("markdown", out "/" name ".md")
    page_margin = ""
    heading(1, "Feedback for " printable(who))
    paragraph(strong(total_in_words(who) "."))
    overview(who)
    chart(who, name)
    for (s = 1; s <= step_count; s++)
        step_feedback(steps[s], at[who, steps[s]])
    close_pages()
}

function overview(who,    s, r) {
    begin_table()
    table_column("step", "left", 25, 25)
    table_column("verdict", "left", 16, 16)
    table_column("points", "right", 10, 10)
    table_column("us/call", "right", 8, 8)
    table_column("% roof", "right", 6, 6)
    table_column("x ours", "right", 6, 6)
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        row()
        put(code(steps[s]))
        put(verdict_in_words(r))
        put(cell(r, "left_out") != "" ? "left out" : cell(r, "pending") != "" ? "not yet" : points(points_of(r)) " of " points(maximum_of(r)))
        put(is_predicted(r) ? predicted_cell(num(r, "predicted_us")) : significant(num(r, "us"), 4))
        put(roof_percent(num(r, "roof_fraction")))
        put(is_predicted(r) ? predicted_cell(num(r, "predicted_ratio")) : times(num(r, "ratio")))
    }
    end_table()
}

function predicted_cell(value) {
    return value == "" ? "-" : "~" significant(value, 3)
}

function verdict_in_words(r) {
    if (num(r, "line") == "")
        return "not graded yet"
    return shown(r, "verdict") (cell(r, "decision") == "clear" ? ", cleared" : "")
}

function roof_percent(fraction) {
    return fraction == "" ? "-" : significant(100 * fraction, below(fraction, 0.01) ? 2 : 3)
}

# ---- a step ----------------------------------------------------------------------------------------

function step_feedback(step, r,    title) {
    title = step_header(step, "title")
    page_margin = ""
    heading(2, code(step) (title == "" ? "" : ": " printable(title)))
    page_margin = "  "
    fact("Verdict", verdict_in_words(r))
    if (cell(r, "verdict") != "pass" && cell(r, "detail") != "")
        fact("Why", of_student(cell(r, "detail"), r))
    if (cell(r, "verdict") == "pass" && cell(r, "idea") !~ /^(|there)$/)
        fact("Idea", "missing, as far as counters tell (it costs no points): " short_name(step) " " shown(r, "idea") ".")
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
    fact("Next", next_hint(step, r))
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
    if (cell(r, "intended") !~ /^(|pass)$/)
        return "This step is there to show a wrong answer. Explain in your journal why it is wrong."
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

# ---- chart -------------------------------------------------------------------------------------------

# Share of the roof on a log scale: bars of text, and rows for feedback.gp.
function chart(who, name,    s, r, share, own_share, lowest, timed, decades, lines, words) {
    lowest = ""
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        lowest = smaller(smaller(lowest, share_of(r, "roof_fraction")), share_of(r, "ours_roof_fraction"))
        if (share_of(r, "roof_fraction") != "")
            timed = 1
    }
    if (!timed) {
        paragraph("Speed was not measured: no chart.")
        return
    }
    decades = decades_below(lowest)
    if (charts != "")
        image(name ".svg", "Share of the roof (one read of the input), yours and this project's own")
    lines = "Share of the roof, log scale: = yours, | this project's own version\n" spaces(26) axis(decades)
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        share = share_of(r, "roof_fraction")
        own_share = share_of(r, "ours_roof_fraction")
        lines = lines "\n" pad(printable(steps[s]), 26) share_bar(share, own_share, decades) " " \
                (share == "" ? verdict_in_words(r) : significant(100 * share, 3) "%")
        words = words (s > 1 ? "; " : "") short_name(printable(steps[s])) " " (share == "" ? "no time" : significant(100 * share, 3) " %") \
                (own_share == "" ? "" : " (" significant(100 * own_share, 3) " %)")
        if (charts != "")
            print text_for_gnuplot(steps[s]) "\t" (share == "" ? "NaN" : 100 * share) "\t" \
                  (own_share == "" ? "NaN" : 100 * own_share) "\t" (share == "" ? text_for_gnuplot(verdict_in_words(r)) : "") > charts
    }
    preformatted(lines)
    if (charts != "") {
        print "\n" > charts # gnuplot's next block
        print name, step_count, -decades > (charts ".pages")
        print name "\tShare of the roof, yours and this project's own\tThe share of a streaming read's bandwidth that each step reaches, " \
              "and in brackets that of this project's own version: " words "." > (charts ".words")
    }
}

# On a log scale there is no zero.
function share_of(r, column) {
    return above(num(r, column), 0) ? num(r, column) : ""
}

# How many decades below the roof the axis begins.
function decades_below(share,    decades) {
    decades = int(-log(share) / log(10)) + 1
    return decades < 1 ? 1 : decades > 9 ? 9 : decades
}

function share_bar(share, own_share, decades,    marks) {
    if (own_share != "")
        marks[place(own_share, decades)] = "|"
    return bar(share == "" ? 0 : place(share, decades), BAR_COLUMNS, "=", marks)
}

# The column of a share. The axis ends two columns before the last: a time may beat the roof.
function place(share, decades,    column) {
    column = int((log(share) / log(10) + decades) / decades * (BAR_COLUMNS - 2) + 0.5)
    return column < 1 ? 1 : column > BAR_COLUMNS ? BAR_COLUMNS : column
}

function axis(decades,    d, line) {
    line = ""
    for (d = decades; d >= 0; d--)
        if (decades <= 4 || d % 2 == 0)
            line = pad(line, int((decades - d) / decades * (BAR_COLUMNS - 2) + 0.5)) sprintf("%g%%", 100 / 10 ^ d)
    return line
}
