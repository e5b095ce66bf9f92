# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The leaderboard as a page for a browser, ENVIRON PAGE: of those who have a nickname (nicknames.awk), and of nobody else. From
# the rows of points, then those of report/rows for this project's own versions and the baselines.
#
# Places: one more than the number of those who are faster by more than chance explains. That is so where the 95 % intervals
# of two times do not overlap, and the times differ by more than SPREAD: by so much a step's times differ from process to
# process (report/recorded/evidence/class-rate.txt: ten equal submissions, timed in one process each, lie within 1.1 %). Times are compared as shares of the roof,
# which is measured on each GPU: boards of one kind differ by up to 3 %. The roof and the library have no place.

BEGIN {
    SPREAD = 0.015
}

END {
    read_verdicts(ENVIRON["VERDICTS"])
    read_points()
    read_nicknames()
    find_library()
    column = times_column()
    page_title = "Leaderboard" (ENVIRON["TITLE"] == "" ? "" : ": " ENVIRON["TITLE"])
    page_styles = "report/lib/page.css class/overview/page.css"
    page_sealed = 1
    open_page("html", ENVIRON["PAGE"])
    heading(1, page_title)
    explain()
    if (shown_count > 0) {
        overall()
        for (s = 1; s <= step_count; s++)
            step_board(steps[s])
    }
    close_pages()
}

function explain() {
    paragraph("Everybody on it wants to be there. " (column == "" ? "No times were measured, so it shows who has most right answers." : \
              "A place is one more than the number of those who are faster by more than chance explains: the " (column == "us" ? 95 : 90) \
              " % intervals of the times do not overlap, and the times differ by more than " 100 * SPREAD " %. With = several share a place."))
    if (column == "predicted_us")
        paragraph("All times are predicted for a GPU, not measured: the rubric says predicted=1.")
    if (shown_count == 0)
        paragraph("Nobody yet.")
}

# ---- entries ---------------------------------------------------------------------------------------

# An entry is a line of a board: label[e], us[e] with us_low[e] and us_high[e], share[e] of the roof ("" where there is none),
# and is_person[e]. In time[e], low[e] and high[e] stand the times to compare: as multiples of the roof where it is known.
# `roof` is its time, or "".
function add_entry(name, person_too, t, t_low, t_high, roof) {
    label[++entries] = name
    is_person[entries] = person_too
    us[entries] = t
    us_low[entries] = t_low == "" ? t : t_low
    us_high[entries] = t_high == "" ? t : t_high
    share[entries] = ratio_of(roof, t)
    time[entries] = t / (roof == "" ? 1 : roof)
    low[entries] = us_low[entries] / (roof == "" ? 1 : roof)
    high[entries] = us_high[entries] / (roof == "" ? 1 : roof)
}

# What one read of the input takes on the GPU of that row; "" where nobody knows, and for predicted times.
function roof_of(r) {
    return column == "us" && num(r, "roof_fraction") != "" ? num(r, "us") * num(r, "roof_fraction") : ""
}

# The boards' entries of a step. Returns how many are people.
function collect_step(step,    w, r, n) {
    entries = n = 0
    for (w = 1; w <= shown_count; w++) {
        r = at[shown_who[w], step]
        if (num(r, column) == "" || !is_right(r))
            continue
        n++
        add_entry(nickname[shown_who[w]], 1, num(r, column), num(r, end_of("low")), num(r, end_of("high")), roof_of(r))
    }
    return n
}

# What is no person: the roof and the library, where they were measured and all entries know their share.
function add_marks(step,    facts, r, e) {
    find_times(step, "us", facts)
    if (column != "us" || facts["roof"] == "")
        return
    for (e = 1; e <= entries; e++)
        if (share[e] == "")
            return
    add_entry("the roof: one read of the input", 0, facts["roof"], "", "", facts["roof"])
    r = library_of[problem_of[step]]
    if (r)
        add_entry(printable(step_shown(r)) ", a library", 0, num(r, "us"), num(r, "us_low"), num(r, "us_high"), facts["roof"])
}

# problem_of[step], and of each problem the row of the library that was timed, the fastest of several.
function find_library(    r) {
    for (r = 1; r <= rows; r++) {
        if (is_step(r) && cell(r, "problem") != "")
            problem_of[cell(r, "step")] = cell(r, "problem")
        if (cell(r, "kind") == "baseline" && cell(r, "step") ~ /^cub_/ && num(r, "us") != "" && \
            !below(num(library_of[cell(r, "problem")], "us"), num(r, "us")))
            library_of[cell(r, "problem")] = r
    }
}

# Whether entry a is faster than b by more than chance explains.
function is_faster(a, b) {
    return high[a] < low[b] && time[b] > time[a] * (1 + SPREAD)
}

# place[e] of the people.
function find_places(    a, b, sharing) {
    for (a = 1; a <= entries; a++) {
        place[a] = 1
        for (b = 1; b <= entries; b++)
            place[a] += is_person[a] && is_person[b] && is_ahead(b, a)
        sharing[place[a]] += is_person[a]
    }
    for (a = 1; a <= entries; a++)
        place_shown[a] = is_person[a] ? (sharing[place[a]] > 1 ? "=" : "") place[a] : ""
}

# More right answers go before speed; on the board of one step all have one.
function is_ahead(a, b) {
    return right[a] != right[b] ? right[a] > right[b] : is_faster(a, b)
}

# ---- boards ----------------------------------------------------------------------------------------

function step_board(step,    e, i, order) {
    split("", right)
    if (column == "" || collect_step(step) == 0)
        return
    add_marks(step)
    find_places()
    heading(2, printable(step), file_name(step))
    begin_board()
    table_column(column == "us" ? "us a call" : "us a call, predicted", "right")
    table_column("interval", "right")
    table_column("% of the roof", "right")
    for (e = 1; e <= entries; e++)
        order[e] = e
    sort_by(order, entries, time, 1)
    for (i = 1; i <= entries; i++) {
        e = order[i]
        row()
        if (!is_person[e])
            attribute("class", "mark")
        put(place_shown[e])
        put_heading(label[e])
        put((column == "us" ? "" : "~") significant(us[e], 4))
        put(us_low[e] < us_high[e] ? significant(us_low[e], 4) " to " significant(us_high[e], 4) : "")
        put(percent(share[e]))
    }
    end_table()
}

function begin_board() {
    begin_table()
    table_column("place", "right")
    table_column("who", "left")
}

# By right answers, then by the geometric mean of the times' multiples of the roof over these.
function overall(    w, e, i, order, key) {
    heading(2, "Overall", "overall")
    if (column != "")
        paragraph("By right answers, then by speed: the geometric mean of the shares of the roof, over all right answers.")
    entries = 0
    split("", right)
    for (w = 1; w <= shown_count; w++)
        add_overall(shown_who[w])
    find_places()
    begin_board()
    table_column("right of " step_count, "right")
    if (column == "us")
        table_column("% of the roof", "right")
    for (e = 1; e <= entries; e++) {
        order[e] = e
        key[e] = (step_count - right[e]) * 1e6 + time[e]
    }
    sort_by(order, entries, key, 1)
    for (i = 1; i <= entries; i++) {
        e = order[i]
        row()
        put(place_shown[e])
        put_heading(label[e])
        put(right[e])
        if (column == "us")
            put(percent(share[e]))
    }
    end_table()
}

function add_overall(who,    s, r, n, count, mean, mean_low, mean_high, roof) {
    n = count = mean = mean_low = mean_high = 0
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        count += is_right(r)
        roof = column == "us" ? roof_of(r) : 1
        if (!is_right(r) || column == "" || num(r, column) == "" || roof == "")
            continue
        n++
        mean += log(num(r, column) / roof)
        mean_low += log(first_of(num(r, end_of("low")), num(r, column)) / roof)
        mean_high += log(first_of(num(r, end_of("high")), num(r, column)) / roof)
    }
    if (n > 0)
        add_entry(nickname[who], 1, exp(mean / n), exp(mean_low / n), exp(mean_high / n), column == "us" ? 1 : "")
    else
        add_entry(nickname[who], 1, 1, "", "", "")
    right[entries] = count
}

# The column of the interval's end: us_low, predicted_high_us.
function end_of(which) {
    return column == "us" ? "us_" which : "predicted_" which "_us"
}

function first_of(a, b) {
    return a == "" ? b : a
}
