# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/one-step prints. The rows are of all records: first, in a block of its own, what was recorded on
# a GPU; then those of earlier runs; last those of this one, from the file now_file.

END {
    read_verdicts("common/judge/verdicts.def")
    read_hazard_kinds("emulator/findings/hazards.def")
    page_margin = "    "
    page_columns = 80
    page_colour = colour
    open_page("text", "")
    sort_out_rows()
    if (!now) {
        printf "one-step: %s has no record of the step %s; report/rows tells whether one of its lines is broken\n", \
               now_file, step > "/dev/stderr"
        exit 2
    }
    read_progress()
    print_verdict()
    print_printed()
    print_speed()
    if (cell(now, "verdict") == "pass") {
        print_remarks()
        print_counters()
    }
    print ""
    print_progress()
    print_next()
    close_pages()
}

# Of each step the newest row counts, and the newest that passed: now, last_run[key], last_pass[key] (of earlier runs),
# recorded_pass[key]. `timed` is the column that holds times: on the cpu device they are predicted.
function sort_out_rows(    r, key) {
    for (r = 1; r <= rows; r++)
        if (is_step(r) && cell(r, "file") == now_file && cell(r, "step") == step)
            now = r
    timed = cell(now, "device_kind") == "cpu" ? "predicted_us" : "us"
    for (r = 1; r <= rows; r++) {
        if (!is_step(r) || cell(r, "file") == now_file)
            continue
        if (block[r] < blocks) {
            key = key_of(r, "problem input step")
            if (num(r, "us") != "" && is_shown_rather(r, recorded_pass[key], now))
                recorded_pass[key] = r
        } else if (cell(r, "submission") == cell(now, "submission")) {
            keep_newest(last_run, place(r, cell(r, "step")), r)
            if (cell(r, "verdict") == "pass" && num(r, timed) != "")
                keep_newest(last_pass, time_place(r, cell(r, "step")), r)
        }
    }
}

function keep_newest(newest, key, r) {
    if (!(key in newest) || !is_older(r, newest[key]))
        newest[key] = r
}

# Only what ran on the same device and the same input can be compared.
function place(r, step_name) {
    return key_of(r, "problem device input rows columns") SUBSEP step_name
}

# Of what is predicted, only what is of one GPU and one size.
function time_place(r, step_name) {
    return timed == "us" ? place(r, step_name) : key_of(r, "problem input predicted_gpu counted_rows counted_columns") SUBSEP step_name
}

# ---- the verdict --------------------------------------------------------------------------------

function print_verdict(    verdict, title) {
    verdict = cell(now, "verdict")
    title = step_header(step, "title")
    page_margin = ""
    paragraph(strong(step) (title == "" ? "" : ": " title))
    page_margin = "    "
    paragraph(coloured(verdict, verdict == "pass" ? "green" : verdict ~ /^(flagged|harness-error|not-started)$/ ? "yellow" : "red") \
              ": " verdict_meaning[verdict] since_last(verdict))
    if (verdict == "pass")
        print_idea()
    if (verdict != "pass" && verdict != "build-failed" && cell(now, "detail") != "")
        paragraph(cell(now, "detail"))
    print_words()
    read_hazards(now)
    if (verdict == "hazard")
        print_places()
    if (verdict != "pass" && verdict == cell(now, "intended"))
        paragraph("This step is there to show it: see its step.md.")
    if (verdict == "build-failed")
        print_errors()
    if (verdict != "pass")
        print_reason(verdict)
    else if (cell(now, "device_kind") == "cpu" && num(now, "predicted_us") == "")
        paragraph("Speed is not measured: the cpu device is an emulation, and does not time.")
    if (verdict == "hazard")
        print_other_faults()
}

# The diagnosis. Where there is none, what to do about such a verdict; a wrong output speaks for itself.
function print_reason(verdict,    reason) {
    reason = cell(now, "diagnosis")
    if (reason == "" && verdict !~ /^(wrong|not-started)$/ && verdict != cell(now, "intended"))
        reason = verdict_advice_for(verdict, short_name(step))
    if (reason == "")
        return
    print ""
    paragraph(reason)
}

# Only what has changed is news.
function since_last(verdict,    key) {
    key = place(now, step)
    if (!(key in last_run) || cell(last_run[key], "verdict") == verdict || verdict == "harness-error")
        return ""
    return " (your last run: " cell(last_run[key], "verdict") ")"
}

# The first errors of the compiler, each with the lines that it shows for it. Paths begin at the tree's
# root and end in :line:, as editors take them.
function print_errors(    line, errors, follows) {
    print ""
    while (log_file != "" && (getline line < log_file) > 0) {
        if (line ~ /(^|[: ])error( #[-0-9D]+)? *:|undefined reference|multiple definition/ && line !~ /^(make|collect2)/) {
            if (++errors > 3)
                break
            follows = 3
            preformatted(tidy(line)) # in one piece, for the editors that read it
        } else if (follows-- > 0 && line ~ /^[ \t]/)
            preformatted(clip(line, page_columns - width(page_margin)))
        else
            follows = 0
    }
    if (log_file != "")
        close(log_file)
    if (errors > 3)
        preformatted("and more: " log_file)
    if (!errors && cell(now, "detail") != "")
        paragraph(cell(now, "detail"))
}

# From the tree's root on; nvcc writes file(12): for file:12:
function tidy(line) {
    if (index(line, ENVIRON["ROOT"] "/") == 1)
        line = substr(line, length(ENVIRON["ROOT"]) + 2)
    if (match(line, /^[^(): ]+\([0-9]+\): /))
        line = with_colon(line)
    return line
}

function with_colon(line,    open, end) {
    open = index(line, "(")
    end = index(line, ")")
    return substr(line, 1, open - 1) ":" substr(line, open + 1, end - open - 1) substr(line, end + 1)
}

# ---- speed --------------------------------------------------------------------------------------

function print_speed() {
    if (num(now, "us") != "")
        print_measured()
    else
        print_prediction()
    if (cell(now, "verdict") != "pass" || num(now, timed) == "")
        return
    against_last()
    against_before()
    if (timed == "us" && cell(now, "notes") != "")
        paragraph("note: " cell(now, "notes"))
}

function print_measured(    text) {
    text = significant(num(now, "us"), 4) " us a call"
    if (num(now, "us_low") != "")
        text = text " (between " significant(num(now, "us_low"), 4) " and " significant(num(now, "us_high"), 4) ")"
    if (num(now, "gbps") != "")
        text = text ", " significant(num(now, "gbps"), 4) " GB/s"
    if (num(now, "roof_fraction") != "")
        text = text ", " significant(100 * num(now, "roof_fraction"), 3) " % of the roof (a plain read of the input)"
    if (num(now, "speedup") != "")
        text = text ", " significant(num(now, "speedup"), 3) " times as fast as one CPU thread"
    paragraph(text)
    if (num(now, "energy_joules") != "")
        paragraph(significant(1000 * num(now, "energy_joules"), 4) " mJ a call: the GPU draws " significant(num(now, "energy_watts"), 3) " W" \
                  (num(now, "energy_idle_watts") == "" ? "" : ", and " significant(num(now, "energy_idle_watts"), 3) " W where nothing runs"))
    if (ENVIRON["WHERE"] != "")
        paragraph("on the " cell(now, "device") " of " ENVIRON["WHERE"] \
                  (ENVIRON["BASELINES"] == "" ? "" : ", its roof and CPU thread as measured on " ENVIRON["BASELINES"]))
    else if (ENVIRON["BASELINES"] != "")
        paragraph("roof and CPU thread: as measured here on " ENVIRON["BASELINES"] "; make grade measures them anew")
}

function against_last(    key, before, what) {
    key = time_place(now, step)
    if (!(key in last_pass))
        return
    before = last_pass[key]
    what = "your last run" (cell(last_run[place(now, step)], "verdict") == "pass" ? "" : " that passed") ", " time_and_day(before)
    if (timed == "us" && overlap(now, before))
        paragraph("as fast as " what ": no difference that could be told from chance")
    else
        paragraph(compared(before) " " what)
}

function overlap(a, b) {
    return num(a, "us_low") != "" && num(b, "us_low") != "" && \
           !above(num(a, "us_low"), num(b, "us_high")) && !above(num(b, "us_low"), num(a, "us_high"))
}

function against_before(    name, before) {
    name = step_header(step, "builds-on")
    if (time_place(now, name) in last_pass) {
        before = last_pass[time_place(now, name)]
        paragraph(compared(before) " your " name ", " time_and_day(before))
    } else if (timed == "us" && (key_of(now, "problem input") SUBSEP name) in recorded_pass)
        against_recorded(name, recorded_pass[key_of(now, "problem input") SUBSEP name])
}

# Another GPU's time says nothing of this one's; shares of each one's own roof can be compared.
function against_recorded(name, before) {
    if (cell(before, "device") == cell(now, "device"))
        paragraph(compared(before) " " name " as recorded on another " cell(before, "device") ": " significant(num(before, "us"), 4) " us")
    else if (num(now, "roof_fraction") != "" && num(before, "roof_fraction") != "")
        paragraph(significant(100 * num(now, "roof_fraction"), 3) " % of this GPU's roof; " name " has " \
                  significant(100 * num(before, "roof_fraction"), 3) " % of the roof of an " cell(before, "device") ", as recorded there")
}

function time_and_day(r,    day) {
    day = cell(r, "when")
    sub(/T/, " ", day)
    sub(/:[0-9][0-9]Z$/, " UTC", day)
    return (timed == "us" ? "" : "predicted ") significant(num(r, timed), timed == "us" ? 4 : 3) " us" (day == "" ? "" : " on " day)
}

# This run against another row: "12 % faster than", "3.4 times as fast as", "5 % slower than". Predicted times do not
# spread: where they are the same, nothing has changed.
function compared(other,    ratio) {
    ratio = ratio_of(num(other, timed), num(now, timed))
    if (timed != "us" && ratio > 0.99 && ratio < 1.01)
        return "as fast as"
    if (ratio >= 2)
        return significant(ratio, 3) " times as fast as"
    if (ratio >= 1)
        return significant(100 * (ratio - 1), 2) " % faster than"
    if (ratio > 0.5)
        return significant(100 * (1 / ratio - 1), 2) " % slower than"
    return significant(1 / ratio, 3) " times slower than"
}
