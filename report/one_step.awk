# What report/one-step prints. The rows are of all records: first, in a block of its own, what was recorded on
# a GPU; then those of earlier runs; last those of this one, from the file now_file.

END {
    read_verdicts("common/judge/verdicts.def")
    read_hazard_kinds("common/runner/hazards.def")
    page_margin = "    "
    page_columns = 100
    page_colour = colour
    open_page("text", "")
    sort_out_rows()
    if (!now) {
        printf "one-step: %s has no record of the step %s; report/rows tells whether one of its lines is broken\n", \
               now_file, step > "/dev/stderr"
        exit 2
    }
    if (cell(now, "verdict") == "hazard")
        page_columns = HAZARD_COLUMNS
    print_verdict()
    print_printed()
    print_speed()
    print ""
    if (cell(now, "verdict") == "pass")
        print_ladder()
    print_next()
    close_pages()
}

# Of each step the newest row counts, and the newest that passed:
# now, last_run[key], last_pass[key] (of earlier runs), recorded_pass[key].
function sort_out_rows(    r, key) {
    for (r = 1; r <= rows; r++) {
        key = place(r, cell(r, "step"))
        if (!is_step(r))
            continue
        if (cell(r, "file") == now_file) {
            if (cell(r, "step") == step)
                now = r
        } else if (block[r] < blocks) {
            if (num(r, "us") != "")
                recorded_pass[key_of(r, "problem input step")] = r
        } else {
            last_run[key] = r
            if (cell(r, "verdict") == "pass" && num(r, "us") != "")
                last_pass[key] = r
        }
    }
}

# Only what ran on the same device and the same input can be compared.
function place(r, step_name) {
    return key_of(r, "problem device input rows columns") SUBSEP step_name
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
    else if (cell(now, "device_kind") == "cpu")
        paragraph("Speed is not measured: the cpu device is an emulation, which checks and does not time.")
    if (verdict == "hazard")
        print_other_faults()
    if (verdict == "pass") {
        print_remarks()
        print_counters()
    }
}

# The diagnosis. Where there is none, what to do about such a verdict; a wrong output speaks for itself.
function print_reason(verdict,    reason) {
    reason = cell(now, "diagnosis")
    if (reason == "" && verdict != "wrong" && verdict != cell(now, "intended"))
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
            preformatted(tidy(line))
        } else if (follows-- > 0 && line ~ /^[ \t]/)
            preformatted(line)
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

function print_speed(    text) {
    if (num(now, "us") == "")
        return
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
    if (cell(now, "verdict") != "pass")
        return
    against_last()
    against_before()
    if (cell(now, "notes") != "")
        paragraph("note: " cell(now, "notes"))
}

function against_last(    key, before, what) {
    key = place(now, step)
    if (!(key in last_pass))
        return
    before = last_pass[key]
    what = "your last run" (cell(last_run[key], "verdict") == "pass" ? "" : " that passed") ", " time_and_day(before)
    if (overlap(now, before))
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
    if (place(now, name) in last_pass) {
        before = last_pass[place(now, name)]
        paragraph(compared(before) " your " name ", " time_and_day(before))
    } else if ((key_of(now, "problem input") SUBSEP name) in recorded_pass) {
        before = recorded_pass[key_of(now, "problem input") SUBSEP name]
        paragraph(compared(before) " " name " recorded elsewhere, on an " cell(before, "device") ": " \
                  significant(num(before, "us"), 4) " us")
    }
}

function time_and_day(r,    day) {
    day = cell(r, "when")
    sub(/T/, " ", day)
    sub(/:[0-9][0-9]Z$/, " UTC", day)
    return significant(num(r, "us"), 4) " us" (day == "" ? "" : " on " day)
}

# This run against another row: "12 % faster than", "3.4 times as fast as", "5 % slower than".
function compared(other,    ratio) {
    ratio = ratio_of(num(other, "us"), num(now, "us"))
    if (ratio >= 2)
        return significant(ratio, 3) " times as fast as"
    if (ratio >= 1)
        return significant(100 * (ratio - 1), 2) " % faster than"
    if (ratio > 0.5)
        return significant(100 * (1 / ratio - 1), 2) " % slower than"
    return significant(1 / ratio, 3) " times slower than"
}

# ---- the ladder ---------------------------------------------------------------------------------

# On a GPU the newest pass of each step on this GPU and input, and this run's baselines; else what a GPU recorded.
function print_ladder(    r, n, list, on_gpu) {
    on_gpu = cell(now, "device_kind") == "gpu"
    for (r = 1; r <= rows; r++)
        if (on_gpu ? is_of_this_ladder(r) : is_recorded_here(r))
            list[++n] = r
    if (n == 0)
        return
    if (!on_gpu)
        print "What a GPU recorded, not yours:"
    draw_ladders(list, n, step, 1)
}

function is_of_this_ladder(r) {
    if (!is_step(r))
        return cell(r, "file") == now_file && key_of(r, "problem input") == key_of(now, "problem input")
    if (cell(r, "step") == step)
        return r == now
    return place(r, cell(r, "step")) in last_pass && last_pass[place(r, cell(r, "step"))] == r && \
           place(r, step) == place(now, step)
}

function is_recorded_here(r) {
    return block[r] < blocks && key_of(r, "problem input") == key_of(now, "problem input") && \
           (!is_step(r) || recorded_pass[key_of(r, "problem input step")] == r)
}

# ---- what next ----------------------------------------------------------------------------------

function print_next(    short, after, text, gpu, verdict) {
    short = short_name(step)
    after = ENVIRON["NEXT_STEP"]
    gpu = cell(now, "device_kind") == "gpu"
    verdict = cell(now, "verdict")
    if (verdict == "pass" || verdict == "harness-error") {
        text = gpu ? "Next: make profile-" short " (where the time goes), " : \
               cell(now, "launches") != "" ? "Next: make profile-" short " (what each line costs), " : "Next: "
        text = text (after == "" ? "make journal" : "make " short_name(after) " (" step_header(after, "title") ")")
    } else {
        text = "Edit " ENVIRON["SOURCE"] ", then: make " short ". Or: make watch STEP=" short " (at each save)"
        if (verdict != "build-failed" && has_step_before())
            text = text ", make diff-" short " (what changes from the step before)"
        if (gpu && verdict ~ /^(crashed|nondeterministic|wrong)$/)
            text = text ", make sanitize-" short " (faults of memory, races)"
    }
    page_margin = ""
    paragraph(text)
}

function has_step_before() {
    return step_header(step, "builds-on") != "" && step_header(step, "builds-on") != "none"
}
