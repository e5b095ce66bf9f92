# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Parts of a page on a class that class/summary and the page for browsers (index.awk) both have, written with the one page
# writer. Who uses them defines list_item(what, list, key, n) and text_item(text) for lists, and section(level, text).

function points_distribution(    n, list, tenth) {
    n = grade_shares(list, tenth)
    points_in_words(list, n)
    if (n > 0)
        points_histogram(tenth, 1)
}

# list[1..n]: see grade_shares().
function points_in_words(list, n) {
    if (n == 0) {
        paragraph("No step counts for anybody: see below what was left out.")
        return
    }
    paragraph("Per cent of each submission's maximum (the largest is " points(full_marks) " points): median " \
              whole_percent(quantile(list, n, 0.5)) ", lower quarter " whole_percent(quantile(list, n, 0.25)) \
              ", upper quarter " whole_percent(quantile(list, n, 0.75)) ", lowest " whole_percent(list[1]) \
              ", highest " whole_percent(list[n]) ".")
}

# tenth[i]: see grade_shares(). with_bars: where there is no chart beside it.
function points_histogram(tenth, with_bars,    i, most) {
    most = 0
    for (i = 0; i <= 9; i++)
        most = larger(most, tenth[i] + 0)
    begin_table()
    table_column("per cent", "right")
    if (with_bars)
        table_column("", "left")
    table_column("submissions", "right")
    for (i = 0; i <= 9; i++) {
        row()
        put(i * 10 " - " (i + 1) * 10)
        if (with_bars)
            put(repeated("=", int(40 * tenth[i] / most + 0.5)))
        put(tenth[i] + 0)
    }
    end_table()
}

# A column for each verdict that somebody has, in the order of the table of verdicts.
function verdicts_by_step(    r, s, v, verdict, number, any) {
    verdict_word[verdict_count + 1] = verdict_heading["ungraded"] = "ungraded"
    for (r = 1; r <= rows; r++)
        if (cell(r, "submission") != "") {
            verdict = cell(r, "verdict") == "" ? "ungraded" : cell(r, "verdict")
            number[cell(r, "step"), verdict]++
            any[verdict]++
        }
    begin_table()
    table_column("step", "left", 0, 40)
    for (v = 1; v <= verdict_count + 1; v++)
        if (verdict_word[v] in any)
            table_column(verdict_heading[verdict_word[v]], "right")
    for (s = 1; s <= step_count; s++) {
        row()
        put(printable(steps[s]))
        for (v = 1; v <= verdict_count + 1; v++)
            if (verdict_word[v] in any)
                put(((steps[s], verdict_word[v]) in number) ? number[steps[s], verdict_word[v]] : ".")
    }
    end_table()
}

function speed_by_step(    r, timed, predicted) {
    for (r = 1; r <= own_count; r++)
        if (num(own[r], "us") != "")
            timed = 1
    for (r = 1; r <= rows; r++)
        if (is_predicted(r))
            predicted = 1
    if (timed || !predicted) {
        paragraph(timed ? "Times of right answers over that of our own version (25%: a quarter of them are below), mean points, and " \
                  "the fastest time with whose it is. A flagged time counts once a person has cleared it." : \
                  "Not measured: there are no times of a GPU.")
        if (timed)
            speed_table("ratio", "us")
    }
    if (predicted) {
        paragraph("Predicted, not measured, and counted because the rubric says predicted=1: the same of the times that are predicted " \
                  "for a GPU.")
        speed_table("predicted_ratio", "predicted_us")
    }
}

# Of measured times, or of predicted ones.
function speed_table(ratio, us,    s) {
    begin_table()
    table_column("step", "left", 0, 40)
    table_column(us == "us" ? "timed" : "predicted", "right")
    table_column("25%", "right")
    table_column("50%", "right")
    table_column("75%", "right")
    table_column("points", "right")
    table_column("best us", "right")
    table_column("x ours", "right")
    table_column("whose", "left", 0, 14)
    for (s = 1; s <= step_count; s++)
        speed_row(steps[s], ratio, us)
    end_table()
}

function speed_row(step, ratio, us,    w, r, n, list, best, sum, most) {
    sum = most = best = 0
    for (w = 1; w <= student_count; w++) {
        r = at[students[w], step]
        sum += points_of(r)
        most += maximum_of(r)
        if (num(r, ratio) != "" && is_right(r) && (best == 0 || below(num(r, us), num(best, us))))
            best = r
    }
    n = times_of_step(step, ratio, list)
    row()
    put(printable(step))
    put(n)
    put(n == 0 ? "-" : times(quantile(list, n, 0.25)))
    put(n == 0 ? "-" : times(quantile(list, n, 0.5)))
    put(n == 0 ? "-" : times(quantile(list, n, 0.75)))
    put(most > 0 ? whole_percent(100 * sum / most) : "-")
    put((us == "us" || !best ? "" : "~") significant(num(best, us), 4))
    put((us == "us" || !best ? "" : "~") times(num(best, ratio)))
    put(best == 0 ? "-" : person_shown(cell(best, "submission")))
}

# The steps of submissions that have a reason in that column, by the reason. `none` and `some` explain that there are
# none or some.
function steps_by_reason(name, column, none, some,    s, w, r, why, n, list, reasons, count, i) {
    section(2, name)
    count = 0
    for (s = 1; s <= step_count; s++)
        for (w = 1; w <= student_count; w++) {
            r = at[students[w], steps[s]]
            why = cell(r, column)
            if (why == "")
                continue
            if (!(why in n))
                reasons[++count] = why
            list[why, ++n[why]] = person_shown(students[w]) " " shown(r, "step") \
                                  (cell(r, "verdict") == "harness-error" ? ": " shown(r, "detail") : "")
        }
    if (count == 0 || some != "")
        paragraph(count == 0 ? none : some)
    for (i = 1; i <= count; i++)
        list_item(n[reasons[i]] ": " reasons[i] ": ", list, reasons[i], n[reasons[i]])
}

# ---- small things ---------------------------------------------------------------------------------

function count_of(n, what) {
    return n " " what (n == 1 ? "" : "s")
}

function whole_percent(x) {
    return sprintf("%.0f%%", x)
}
