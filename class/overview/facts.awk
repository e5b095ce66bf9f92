# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Facts about a class, from the rows of points after read_points(): what class/summary and the page for browsers both show.

BEGIN {
    VERDICT_GROUPS = "right doubtful wrong absent open" # in the order of a chart; open: the harness's fault, too
}

# Where and when: "NVIDIA H200, from 2026-11-21T01:00 to 2026-11-21T04:59 UTC".
function graded_in_words(    r, device, devices, seen, first, last, minute) {
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
    return (devices == "" ? "device unknown" : devices) (first == "" ? "" : ", from " first " to " last " UTC")
}

# A submission is stuck at the step after its last right one, in each ladder: from there on no step of the ladder is
# right. stuck_row[s, 1..stuck_count[s]]: the rows of those who are stuck at steps[s]. Returns how many there are in all.
function find_stuck(    s, w, r, ladder, last_right, is_stuck, n) {
    n = 0
    for (w = 1; w <= student_count; w++) {
        for (s = 1; s <= step_count; s++)
            if (is_right(at[students[w], steps[s]]))
                last_right[students[w], ladder_of(steps[s])] = s
        for (s = 1; s <= step_count; s++) {
            r = at[students[w], steps[s]]
            ladder = ladder_of(steps[s])
            if (cell(r, "intended") !~ /^(pass)?$/ || s <= last_right[students[w], ladder] + 0 || \
                ((students[w], ladder) in is_stuck))
                continue
            is_stuck[students[w], ladder] = 1
            stuck_row[s, ++stuck_count[s]] = r
            n++
        }
    }
    return n
}

# flagged_row[1..n]: the flagged ones, decided or not. Returns n.
function find_flagged(    r, n) {
    n = 0
    for (r = 1; r <= rows; r++)
        if (cell(r, "submission") != "" && cell(r, "verdict") == "flagged")
            flagged_row[++n] = r
    return n
}

# list[1..n]: each submission's points in per cent of its maximum, sorted; tenth[i]: how many have i * 10 % and more, but
# all points are in the last. Returns n: those for whom something counts.
function grade_shares(list, tenth,    w, n) {
    n = 0
    for (w = 1; w <= student_count; w++)
        if (above(total_max[students[w]], 0)) {
            list[++n] = 100 * total[students[w]] / total_max[students[w]]
            tenth[list[n] >= 100 ? 9 : int(list[n] / 10)]++
        }
    sort_list(list, n, 1)
    return n
}

# counts[group]: how many submissions have a verdict of that group of VERDICT_GROUPS at a step.
function count_groups(step, counts,    w, i, n, names, group) {
    n = split(VERDICT_GROUPS, names, " ")
    for (i = 1; i <= n; i++)
        counts[names[i]] = 0
    for (w = 1; w <= student_count; w++) {
        group = verdict_group(cell(at[students[w], step], "verdict"))
        counts[group == "fault" ? "open" : group]++
    }
}

# Which times there are: "us", measured, or "predicted_us" where the rubric has these count, or "".
function times_column(    r, column) {
    column = ""
    for (r = 1; r <= rows && column != "us"; r++)
        column = num(r, "us") != "" ? "us" : is_predicted(r) ? "predicted_us" : column
    return column
}

# Of one step: out["n"], how many right answers have a time; out["low"], ["q1"], ["median"], ["q3"], ["high"] of these;
# ["ours"] and ["roof"], of this project's own version and of one read of the input. "" where there is none.
function find_times(step, column, out,    list, n, i, r) {
    n = out["n"] = times_of_step(step, column, list)
    out["low"] = n ? list[1] : ""
    out["q1"] = n ? quantile(list, n, 0.25) : ""
    out["median"] = n ? quantile(list, n, 0.5) : ""
    out["q3"] = n ? quantile(list, n, 0.75) : ""
    out["high"] = n ? list[n] : ""
    out["ours"] = out["roof"] = ""
    for (i = own_count; i >= 1; i--) {
        r = own[i]
        if (cell(r, "step") != step || num(r, column) == "")
            continue
        out["ours"] = num(r, column)
        if (column == "us" && num(r, "roof_fraction") != "")
            out["roof"] = num(r, "us") * num(r, "roof_fraction")
    }
}

# list[1..n]: the times of right answers of a step (`us`, or another column), sorted. Returns n.
function times_of_step(step, column, list,    w, r, n) {
    n = 0
    for (w = 1; w <= student_count; w++) {
        r = at[students[w], step]
        if (num(r, column) != "" && is_right(r))
            list[++n] = num(r, column)
    }
    sort_list(list, n, 1)
    return n
}

# By the assignment's date, or where the learning platform says so.
function is_late(who) {
    return late_of(who, "late_days") > 0 || person(who, "late_flag") ~ /1/
}

# Late, says the platform, and nobody knows by how much.
function is_late_by_flag(who) {
    return is_late(who) && cell(at[who, steps[1]], "handed_in") == ""
}

function late_days_shown(who) {
    return is_late_by_flag(who) ? "?" : late_of(who, "late_days")
}

# Who, for a person. On a page of HTML the name, with a link to the submission's page; in text first the id, which
# commands take.
function person_shown(who,    name) {
    name = person(who, "name")
    if (only_html())
        return link(name, page_of(who))
    return printable(who) (name == who ? "" : " " printable(name))
}

# Where the page of a submission stands, from DIR.
function page_of(who) {
    return "feedback/" file_name(who) ".html"
}

function ladder_of(step) {
    sub(/[0-9].*/, "", step)
    return step
}

function verdict_in_words(r) {
    return num(r, "line") == "" ? "not graded yet" : shown(r, "verdict")
}
