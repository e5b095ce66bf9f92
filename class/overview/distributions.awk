# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The sections of a class's page with charts, and a table beside each: points, verdicts, speed.

function distributions(    column) {
    section(2, "Points")
    points_beside()
    section(2, "Verdicts")
    draw("verdicts", "What became of each step", "Per cent of the submissions whose step is right, a hazard or flagged, not right, " \
         "missing or not started, and not graded, step by step: " verdict_shares() ".")
    verdicts_by_step()
    section(2, "Speed")
    column = times_column()
    if (column != "") {
        draw("times", (column == "us" ? "Times" : "Predicted times, not measured,") " of right answers, step by step", times_in_words(column))
        times_table(column)
    }
    speed_by_step()
}

# The histogram of points, and beside it its table.
function points_beside(    list, tenth, n, i, text) {
    n = grade_shares(list, tenth)
    points_in_words(list, n)
    if (n == 0)
        return
    for (i = 0; i <= 9; i++)
        text = text (i ? ", " : "") 10 * i " to " 10 * (i + 1) " %: " tenth[i] + 0
    markup("<div class=\"beside\">")
    points_histogram(tenth, !draw("points", "How many submissions have how many points", "Submissions by their share of the points. " text "."))
    markup("</div>")
}

function verdict_shares(    s, counts, text) {
    for (s = 1; s <= step_count; s++) {
        count_groups(steps[s], counts)
        text = text (s > 1 ? "; " : "") short_name(printable(steps[s])) " " whole_percent(100 * counts["right"] / student_count) " right"
    }
    return text
}

function times_in_words(column,    s, facts, text) {
    for (s = 1; s <= step_count; s++) {
        find_times(steps[s], column, facts)
        if (facts["n"] > 0)
            text = text (text == "" ? "" : "; ") short_name(printable(steps[s])) " " significant(facts["median"], 3)
    }
    return "The fastest, the quarters and the slowest time of a call on a log scale, with this project's own version" \
           (column == "us" ? " and the roof, one read of the input" : "; all of it predicted, not measured") ". Medians in us: " text "."
}

function times_table(column,    s, facts, names, titles, n, i) {
    n = split("low q1 median q3 high ours roof", names, " ")
    split("fastest|25%|median|75%|slowest|ours|roof", titles, "|")
    begin_table()
    table_column((column == "us" ? "us" : "us, predicted") " a call", "left")
    table_column("right answers", "right")
    for (i = 1; i <= n; i++)
        table_column(titles[i], "right")
    for (s = 1; s <= step_count; s++) {
        find_times(steps[s], column, facts)
        row()
        put_heading(printable(steps[s]))
        put(facts["n"])
        for (i = 1; i <= n; i++)
            put(significant(facts[names[i]], 4))
    }
    end_table()
}
