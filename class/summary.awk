# What class/summary prints. Everything goes to stdout as text and, with ENVIRON PAGE, to that file as
# Markdown: heading(), paragraph(), item() and the tables write both.

BEGIN {
    page = ENVIRON["PAGE"]
    read_verdicts(ENVIRON["VERDICTS"])
    NAMES_SHOWN = 8 # of a list in the text; the page has them all
}

END {
    if (bad_input)
        exit 2
    grade_all()
    if (bad_input)
        exit 2
    unused_flags()
    read_submissions()
    title()
    if (student_count == 0)
        paragraph("There are no records of submissions: ./grade.sh SUBMISSION... grades some.")
    else {
        points_distribution()
        verdicts_by_step()
        speed_by_step()
        stuck()
        flagged_steps()
        left_out_steps()
    }
    refused()
    if (page != "")
        close(page)
}

# ---- parts ---------------------------------------------------------------------------------------

function title(    i, line, device, names, first, last, day) {
    for (i = 1; i <= line_count; i++) {
        line = lines[i]
        device = kept[line, "device.name"]
        if (device != "" && !(device in seen_device)) {
            seen_device[device] = 1
            names = names (names == "" ? "" : ", ") device
        }
        day = substr(kept[line, "when"], 1, 16)
        if (day != "" && (first == "" || day < first))
            first = day
        if (day > last)
            last = day
    }
    heading(1, "Class: " count_of(student_count, "submission") ", " count_of(step_count, "step"))
    paragraph((names == "" ? "device unknown" : names) (first == "" ? "" : ", from " first " to " last " UTC"))
}

function points_distribution(    w, n, list, i, bin, bins, most, bar) {
    heading(2, "Points")
    for (w = 1; w <= student_count; w++)
        if (total_max[students[w]] > 0) {
            list[++n] = 100 * total[students[w]] / total_max[students[w]]
            bin = int(list[n] / 10)
            bins[bin > 9 ? 9 : bin]++
        }
    if (n == 0) {
        paragraph("No step counts for anybody: see below what was left out.")
        return
    }
    sort_numbers(list, n)
    paragraph("Per cent of each submission's maximum (the largest is " points(full_marks) " points): median " \
              percent(quantile(list, n, 0.5)) ", lower quarter " percent(quantile(list, n, 0.25)) ", upper quarter " \
              percent(quantile(list, n, 0.75)) ", lowest " percent(list[1]) ", highest " percent(list[n]) ".")
    for (i = 0; i <= 9; i++)
        if (bins[i] > most)
            most = bins[i]
    table("per cent|<|submissions")
    for (i = 0; i <= 9; i++) {
        bar = spaces(int(40 * bins[i] / most + 0.5))
        gsub(/ /, "=", bar)
        row(i * 10 " - " (i + 1) * 10)
        cell(bar)
        cell(bins[i] + 0)
    }
    end_table()
}

function verdicts_by_step(    s, w, v, step, verdict, n, names, heads, number, any, head_line) {
    heading(2, "Verdicts")
    for (n = 0; n < verdict_count; n++) {
        names[n + 1] = verdict_word[n + 1]
        heads[n + 1] = verdict_heading[verdict_word[n + 1]]
    }
    for (s = 1; s <= step_count; s++)
        for (w = 1; w <= student_count; w++) {
            verdict = kept[counts[students[w], graded_steps[s]], "verdict"]
            if (verdict == "")
                verdict = "not yet"
            number[graded_steps[s], verdict]++
            any[verdict]++
        }
    names[++n] = "not yet"
    heads[n] = "not yet"
    head_line = "<step"
    for (v = 1; v <= n; v++)
        if (any[names[v]] > 0)
            head_line = head_line "|" heads[v]
    table(head_line)
    for (s = 1; s <= step_count; s++) {
        step = graded_steps[s]
        row(step)
        for (v = 1; v <= n; v++)
            if (any[names[v]] > 0)
                cell(number[step, names[v]] > 0 ? number[step, names[v]] : ".")
    }
    end_table()
}

function speed_by_step(    s, w, who, step, n, list, best, sum, most, timed) {
    for (step in timed_step)
        timed = 1
    heading(2, "Speed")
    if (!timed) {
        paragraph("Not measured: there are no times of a GPU.")
        return
    }
    paragraph("Right answers' times over our own version's (quarter, half and three quarters of them are below), mean " \
              "points, and the fastest time with whose it is. A flagged time counts once a person has cleared it.")
    table("<step|timed|25%|50%|75%|points|best us|x ours|<whose")
    for (s = 1; s <= step_count; s++) {
        step = graded_steps[s]
        n = sum = most = 0
        best = ""
        for (w = 1; w <= student_count; w++) {
            who = students[w]
            sum += correct[who, step] + speed[who, step]
            most += correct_max[who, step] + speed_max[who, step]
            if (ratio[who, step] == "" || !valid(who, step))
                continue
            list[++n] = ratio[who, step]
            if (best == "" || kept[counts[who, step], "s"] < kept[counts[best, step], "s"])
                best = who
        }
        sort_numbers(list, n)
        row(step)
        cell(n + 0)
        cell(spread(list, n, 0.25))
        cell(spread(list, n, 0.5))
        cell(spread(list, n, 0.75))
        cell(most > 0 ? percent(100 * sum / most) : "-")
        cell(best == "" ? "-" : significant(kept[counts[best, step], "s"] * 1e6, 4))
        cell(best == "" ? "-" : times(ratio[best, step]))
        cell(best == "" ? "-" : best, 14)
    }
    end_table()
}

# A submission is stuck at the step after its last right one, in each ladder.
function stuck(    s, w, who, step, ladder, at, last_right, list, n, i, all, any) {
    heading(2, "Who is stuck where")
    paragraph("From the step named on, no step of the ladder is right; with the verdict on it.")
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        for (s = 1; s <= step_count; s++)
            if (valid(who, graded_steps[s]))
                last_right[who, ladder_of(graded_steps[s])] = s
        for (s = 1; s <= step_count; s++) {
            step = graded_steps[s]
            ladder = ladder_of(step)
            if (kept[counts[who, step], "intended"] !~ /^(|pass)$/ || s <= last_right[who, ladder] + 0 || ((who, ladder) in at))
                continue
            at[who, ladder] = step
            list[step, ++n[step]] = who " (" kept_verdict(who, step) ")"
        }
    }
    for (s = 1; s <= step_count; s++) {
        step = graded_steps[s]
        all = ""
        for (i = 1; i <= n[step]; i++)
            all = all (i > 1 ? "\n" : "") list[step, i]
        if (n[step] > 0)
            item(step ", " n[step] ": ", all)
        any += n[step]
    }
    if (!any)
        paragraph("Nobody: each ladder's last step is right in every submission.")
}

function flagged_steps(    w, s, who, step, line, any, decision) {
    heading(2, "Flagged")
    for (w = 1; w <= student_count; w++)
        for (s = 1; s <= step_count; s++) {
            who = students[w]
            step = graded_steps[s]
            line = counts[who, step]
            if (kept[line, "verdict"] != "flagged")
                continue
            any++
            decision = flag_decision[who, step]
            item(who " " step " (line " line ")" (decision == "" ? "" : decision == "clear" ? ", cleared" : ", confirmed") ": ", \
                 kept[line, "detail"] \
                 (decision == "" ? "" : " (" flag_reason[who, step] ")"))
        }
    paragraph(any ? "No points for speed until a person decides, by a line in the file `flags` beside results.jsonl: " \
                    "SUBMISSION STEP clear|confirm REASON." : "Nothing is flagged.")
}

# What counts for nobody, or not for somebody, though a point could have been had.
function left_out_steps(    w, s, who, step, why, n, list, reasons, r, i, all) {
    heading(2, "Left out of the maximum")
    for (s = 1; s <= step_count; s++)
        for (w = 1; w <= student_count; w++) {
            who = students[w]
            step = graded_steps[s]
            why = left_out[who, step]
            if (why == "")
                continue
            if (!(why in n))
                reasons[++r] = why
            n[why]++
            list[why, n[why]] = who " " step (kept_verdict(who, step) == "harness-error" ? ": " kept[counts[who, step], "detail"] : "")
        }
    if (r == 0)
        paragraph("Nothing: every step of every submission counts.")
    for (i = 1; i <= r; i++) {
        all = ""
        for (w = 1; w <= n[reasons[i]]; w++)
            all = all (w > 1 ? "\n" : "") list[reasons[i], w]
        item(n[reasons[i]] ": " reasons[i] ": ", all)
    }
}

function refused(    i) {
    if (noticed == 0)
        return
    heading(2, "Refused, or worth a look")
    for (i = 1; i <= noticed; i++)
        item(noticed_who[i] ": ", noticed_what[i])
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

# ---- small things ------------------------------------------------------------------------------

function valid(who, step,    verdict) {
    verdict = kept_verdict(who, step)
    return verdict == "pass" || verdict == "flagged" && flag_decision[who, step] == "clear"
}

function kept_verdict(who, step) {
    return counts[who, step] ? kept[counts[who, step], "verdict"] : "not graded yet"
}

function ladder_of(step) {
    sub(/[0-9].*/, "", step)
    return step
}

function count_of(n, what) {
    return n " " what (n == 1 ? "" : "s")
}

function percent(x) {
    return sprintf("%.0f%%", x)
}

function spread(list, n, q) {
    return n == 0 ? "-" : times(quantile(list, n, q))
}

function quantile(list, n, q,    at, low) {
    at = 1 + (n - 1) * q
    low = int(at)
    return low >= n ? list[n] : list[low] + (at - low) * (list[low + 1] - list[low])
}

function sort_numbers(list, n,    gap, i, j, x) {
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            x = list[i]
            for (j = i; j > gap && list[j - gap] + 0 > x + 0; j -= gap)
                list[j] = list[j - gap]
            list[j] = x
        }
}

# ---- text and Markdown ---------------------------------------------------------------------------

function heading(level, text) {
    print (level > 1 ? "\n" : "") text
    to_page(substr("##", 1, level) " " text "\n")
}

function paragraph(text) {
    print_wrapped(text, "  ", 96)
    to_page(text "\n")
}

# A line that begins with what is ours and goes on with texts of a submission, one a line.
function item(what, texts,    n, list, i, text, marked) {
    n = split(texts, list, "\n")
    for (i = 1; i <= n; i++) {
        if (i <= NAMES_SHOWN)
            text = text (i > 1 ? ", " : "") printable(list[i])
        marked = marked (i > 1 ? ", " : "") md(list[i])
    }
    if (n > NAMES_SHOWN)
        text = text " and " n - NAMES_SHOWN " more"
    print_wrapped(clip_long(printable(what) text), "  ", 96)
    to_page("- " md(what) marked, 1)
}

function clip_long(text) {
    return clip(text, 900)
}

function to_page(text, is_item) {
    if (page == "")
        return
    if (after_item && !is_item)
        print "" > page
    after_item = is_item
    print text > page
}

# table(heads separated by |; a head that begins with < is of text, which stands left), then for each
# row row(its first cell) and cell(another)..., then end_table().
function table(heads,    i) {
    columns = split(heads, head, "|")
    for (i = 1; i <= columns; i++) {
        left[i] = sub(/^</, "", head[i])
        widest[i] = width(head[i])
    }
    n_rows = 0
}

function row(first) {
    n_rows++
    n_cells = 0
    cell(first)
}

# Shown in at most so many columns of the text; the page has all of it.
function cell(text, most) {
    whole[n_rows, ++n_cells] = text
    cells[n_rows, n_cells] = clip(text, most ? most : 40)
    if (width(cells[n_rows, n_cells]) > widest[n_cells])
        widest[n_cells] = width(cells[n_rows, n_cells])
}

function end_table(    r, c, line, marked, rule) {
    line = "  "
    marked = rule = "|"
    for (c = 1; c <= columns; c++) {
        line = line aligned(head[c], c) "  "
        marked = marked " " head[c] " |"
        rule = rule (left[c] ? "---|" : "--:|")
    }
    print_trimmed(line)
    to_page(marked "\n" rule)
    for (r = 1; r <= n_rows; r++) {
        line = "  "
        marked = "|"
        for (c = 1; c <= columns; c++) {
            line = line aligned(cells[r, c], c) "  "
            marked = marked " " md(whole[r, c]) " |"
        }
        print_trimmed(line)
        to_page(marked)
    }
    to_page("")
}

function aligned(text, c) {
    return left[c] ? pad(text, widest[c]) : lpad(text, widest[c])
}

function print_trimmed(line) {
    sub(/ +$/, "", line)
    print line
}
