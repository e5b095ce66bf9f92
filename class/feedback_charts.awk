# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The charts of a page of feedback, for feedback.awk: the share of the roof by step, on a log scale, as bars of text, and
# with ENVIRON CHARTS, where feedback.gp has drawn them, as SVG with a table beside each.

BEGIN {
    BAR_COLUMNS = 40
}

function chart(who, name) {
    if (!is_timed(who)) {
        paragraph("Speed was not measured" (is_foretold(who) ? ". Times with a tilde are predicted." : ": no chart."))
        if (charts != "" && is_foretold(who))
            predictions_drawn(who, charts "/time/" name ".svg")
        return
    }
    page_only = charts == "" ? "" : "text markdown"
    if (charts != "")
        image(name ".svg", "Share of the roof (one read of the input), yours and this project's own")
    share_in_text(who)
    if (charts != "") {
        page_only = "html"
        share_drawn(who, charts "/share/" name ".svg")
        times_drawn(who, charts "/time/" name ".svg")
    }
    page_only = ""
}

# Whether it has a share of the roof in any step.
function is_timed(who,    s) {
    for (s = 1; s <= step_count; s++)
        if (share_of(at[who, steps[s]], "roof_fraction") != "")
            return 1
    return 0
}

function verdict_with_colour(r,    group) {
    group = num(r, "line") == "" ? "open" : verdict_group(cell(r, "verdict"))
    return coloured(decided_verdict(r), group == "right" ? "green" : group == "wrong" ? "red" : "yellow")
}

function roof_percent(fraction) {
    return fraction == "" ? "-" : significant(100 * fraction, below(fraction, 0.01) ? 2 : 3)
}

# Whether a time is predicted for any step, and counts.
function is_foretold(who,    s) {
    for (s = 1; s <= step_count; s++)
        if (above(num(at[who, steps[s]], "predicted_us"), 0))
            return 1
    return 0
}

function own_prediction(r) {
    return ratio_of(num(r, "predicted_us"), num(r, "predicted_ratio"))
}

function predicted_cell(value) {
    return value == "" ? "-" : "~" significant(value, 3)
}

# ---- as text -------------------------------------------------------------------------------------------------------

function share_in_text(who,    s, r, share, decades, lines) {
    decades = decades_below(lowest_share(who))
    lines = "Share of the roof, log scale: = yours, | this project's own version\n" spaces(26) axis(decades)
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        share = share_of(r, "roof_fraction")
        lines = lines "\n" pad(printable(steps[s]), 26) share_bar(share, share_of(r, "ours_roof_fraction"), decades) " " \
                (share == "" ? decided_verdict(r) : significant(100 * share, 3) "%")
    }
    preformatted(lines)
}

function lowest_share(who,    s, r, lowest) {
    lowest = ""
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        lowest = smaller(smaller(lowest, share_of(r, "roof_fraction")), share_of(r, "ours_roof_fraction"))
    }
    return lowest
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

# ---- as SVG, with a table --------------------------------------------------------------------------------------------

function share_drawn(who, path,    s, r) {
    heading(2, "Share of the roof")
    markup("<section class=\"beside\">")
    drawing(path, "share", "Share of the roof by step, yours and this project's own", best_in_words(who) \
            "The roof is one streaming read of the input. The scale is logarithmic; the table has the same numbers.")
    begin_table()
    table_column("step", "left")
    table_column("yours, %", "right")
    table_column("project's own, %", "right")
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        row()
        put_heading(code(short_name(steps[s])))
        put(share_of(r, "roof_fraction") == "" ? verdict_with_colour(r) : roof_percent(num(r, "roof_fraction")))
        put(roof_percent(num(r, "ours_roof_fraction")))
    }
    end_table()
    markup("</section>")
}

# The step that is nearest to the roof.
function best_in_words(who,    s, r, best) {
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        if (num(r, "roof_fraction") != "" && (!best || above(num(r, "roof_fraction"), num(best, "roof_fraction"))))
            best = r
    }
    return short_name(shown(best, "step")) " comes nearest to the roof, with " roof_percent(num(best, "roof_fraction")) " %. "
}

function times_drawn(who, path,    s, r) {
    heading(2, "Time of one call")
    markup("<section class=\"beside\">")
    drawing(path, "time", "Time of one call by step, against the roof, this project's own version and the CPU reference", \
            "The grey line leads from the roof, which is the least that reading the input takes, to your time: the longer it is, " \
            "the more there is to gain. The scale is logarithmic; the table has the same numbers.")
    begin_table()
    table_column("step", "left")
    table_column("yours, us", "right")
    table_column("project's own", "right")
    table_column("roof", "right")
    table_column("CPU", "right")
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        row()
        put_heading(code(short_name(steps[s])))
        put(num(r, "us") == "" ? verdict_with_colour(r) : significant(num(r, "us"), 4))
        put(significant(num(r, "ours_us"), 4))
        put(significant(roof_us(r), 4))
        put(significant(reference_us(r), 4))
    }
    end_table()
    markup("</section>")
}

# What a streaming read of the input takes, and what one thread of the CPU takes for a call.
function roof_us(r) {
    return share_of(r, "roof_fraction") == "" || num(r, "us") == "" ? "" : num(r, "us") * num(r, "roof_fraction")
}

function reference_us(r) {
    return num(r, "reference") == "" ? "" : num(r, "reference") * 1000
}

function predictions_drawn(who, path,    s, r) {
    page_only = "html"
    heading(2, "Time of one call, predicted, not measured")
    markup("<section class=\"beside\">")
    drawing(path, "time", "Predicted time of one call by step, and that of this project's own version. Not measured", \
            "Hollow, because nothing here is measured: times that are predicted for a GPU, with the interval in which nine of ten " \
            "times should be. The scale is logarithmic; the table has the same numbers.")
    begin_table()
    table_column("step", "left")
    table_column("yours, us, predicted", "right")
    table_column("project's own, predicted", "right")
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        row()
        put_heading(code(short_name(steps[s])))
        put(num(r, "predicted_us") == "" ? verdict_with_colour(r) : predicted_cell(num(r, "predicted_us")))
        put(predicted_cell(own_prediction(r)))
    }
    end_table()
    markup("</section>")
    page_only = ""
}
