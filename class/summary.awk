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
    title()
    if (student_count == 0)
        paragraph("There are no records of submissions: ./grade.sh SUBMISSION... grades some.")
    else {
        points_distribution()
        verdicts_by_step()
        speed_by_step()
        stuck()
        flagged_steps()
        steps_by_reason("Still to be graded", "pending", "Nothing: all points are final.", \
                        "The totals of these submissions are not final: these steps count in the maximum, and for nothing " \
                        "until they have been graded. The same ./grade.sh command tries again; a flagged step waits for a person.")
        steps_by_reason("Left out of the maximum", "left_out", "Nothing: every step of every submission counts.", "")
    }
    refused()
    close_pages()
}

# ---- parts ---------------------------------------------------------------------------------------

function title(    r, device, devices, seen, first, last, minute) {
    for (r = 1; r <= rows; r++) {
        device = shown(r, "device")
        if (device != "" && !(device in seen))
            devices = devices (devices == "" ? "" : ", ") device
        seen[device] = 1
        minute = substr(shown(r, "when"), 1, 16)
        if (minute != "" && (first == "" || minute < first))
            first = minute
        if (minute > last)
            last = minute
    }
    section(1, "Class: " count_of(student_count, "submission") ", " count_of(step_count, "step"))
    paragraph((devices == "" ? "device unknown" : devices) (first == "" ? "" : ", from " first " to " last " UTC"))
}

function points_distribution(    w, n, list, tenth) {
    section(2, "Points")
    n = 0
    for (w = 1; w <= student_count; w++)
        if (above(total_max[students[w]], 0)) {
            list[++n] = 100 * total[students[w]] / total_max[students[w]]
            tenth[list[n] >= 100 ? 9 : int(list[n] / 10)]++
        }
    if (n == 0) {
        paragraph("No step counts for anybody: see below what was left out.")
        return
    }
    sort_list(list, n, 1)
    paragraph("Per cent of each submission's maximum (the largest is " points(full_marks) " points): median " \
              whole_percent(quantile(list, n, 0.5)) ", lower quarter " whole_percent(quantile(list, n, 0.25)) \
              ", upper quarter " whole_percent(quantile(list, n, 0.75)) ", lowest " whole_percent(list[1]) \
              ", highest " whole_percent(list[n]) ".")
    points_histogram(tenth)
}

# tenth[i]: how many have i * 10 % and more.
function points_histogram(tenth,    i, most) {
    most = 0
    for (i = 0; i <= 9; i++)
        most = larger(most, tenth[i] + 0)
    begin_table()
    table_column("per cent", "right")
    table_column("", "left")
    table_column("submissions", "right")
    for (i = 0; i <= 9; i++) {
        row()
        put(i * 10 " - " (i + 1) * 10)
        put(repeated("=", int(40 * tenth[i] / most + 0.5)))
        put(tenth[i] + 0)
    }
    end_table()
}

# A column for each verdict that somebody has, in the order of the table of verdicts.
function verdicts_by_step(    r, s, v, verdict, number, any) {
    section(2, "Verdicts")
    verdict_word[verdict_count + 1] = verdict_heading["not yet"] = "not yet"
    for (r = 1; r <= rows; r++)
        if (cell(r, "submission") != "") {
            verdict = cell(r, "verdict") == "" ? "not yet" : cell(r, "verdict")
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
    section(2, "Speed")
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
    n = sum = most = best = 0
    for (w = 1; w <= student_count; w++) {
        r = at[students[w], step]
        sum += points_of(r)
        most += maximum_of(r)
        if (num(r, ratio) == "" || !is_right(r))
            continue
        list[++n] = num(r, ratio)
        if (best == 0 || below(num(r, us), num(best, us)))
            best = r
    }
    sort_list(list, n, 1)
    row()
    put(printable(step))
    put(n)
    put(n == 0 ? "-" : times(quantile(list, n, 0.25)))
    put(n == 0 ? "-" : times(quantile(list, n, 0.5)))
    put(n == 0 ? "-" : times(quantile(list, n, 0.75)))
    put(most > 0 ? whole_percent(100 * sum / most) : "-")
    put((us == "us" || !best ? "" : "~") significant(num(best, us), 4))
    put((us == "us" || !best ? "" : "~") times(num(best, ratio)))
    put(best == 0 ? "-" : shown(best, "submission"))
}

# A submission is stuck at the step after its last right one, in each ladder.
function stuck(    s, w, r, ladder, last_right, is_stuck, list, n, any) {
    section(2, "Who is stuck where")
    paragraph("From the step named on, no step of the ladder is right. In brackets: the verdict on that step.")
    for (w = 1; w <= student_count; w++) {
        for (s = 1; s <= step_count; s++)
            if (is_right(at[students[w], steps[s]]))
                last_right[students[w], ladder_of(steps[s])] = s
        for (s = 1; s <= step_count; s++) {
            r = at[students[w], steps[s]]
            ladder = ladder_of(steps[s])
            if (cell(r, "intended") !~ /^(|pass)$/ || s <= last_right[students[w], ladder] + 0 || \
                ((students[w], ladder) in is_stuck))
                continue
            is_stuck[students[w], ladder] = 1
            list[s, ++n[s]] = printable(students[w]) " (" verdict_in_words(r) ")"
        }
    }
    for (s = 1; s <= step_count; s++)
        if (n[s] > 0) {
            any = 1
            list_item(printable(steps[s]) ", " n[s] ": ", list, s, n[s])
        }
    if (!any)
        paragraph("Nobody: each ladder's last step is right in every submission.")
}

function flagged_steps(    r, any, decision) {
    section(2, "Flagged")
    for (r = 1; r <= rows; r++) {
        if (cell(r, "submission") == "" || cell(r, "verdict") != "flagged")
            continue
        any = 1
        decision = cell(r, "decision")
        text_item(shown(r, "submission") " " shown(r, "step") " (line " num(r, "line") ")" \
                  (decision == "" ? "" : decision == "clear" ? ", cleared" : ", confirmed") ": " shown(r, "detail") \
                  (decision == "" ? "" : " (" shown(r, "reason") ")"))
    }
    paragraph(any ? "No points until a person decides, by a line in the file " code("flags") \
                    " beside results.jsonl: " code("SUBMISSION STEP clear|confirm REASON") : "Nothing is flagged.")
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
            list[why, ++n[why]] = shown(r, "submission") " " shown(r, "step") \
                                  (cell(r, "verdict") == "harness-error" ? ": " shown(r, "detail") : "")
        }
    if (count == 0 || some != "")
        paragraph(count == 0 ? none : some)
    for (i = 1; i <= count; i++)
        list_item(n[reasons[i]] ": " reasons[i] ": ", list, reasons[i], n[reasons[i]])
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

function verdict_in_words(r) {
    return num(r, "line") == "" ? "not graded yet" : shown(r, "verdict")
}

function ladder_of(step) {
    sub(/[0-9].*/, "", step)
    return step
}

function count_of(n, what) {
    return n " " what (n == 1 ? "" : "s")
}

function whole_percent(x) {
    return sprintf("%.0f%%", x)
}
