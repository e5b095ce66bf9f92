# The text of report/one-step. Reads records through records.awk, which parses each line before the rule
# below sees it; `from` says which file it stands in: recorded, earlier, or now, in this order.

# In which column a line of text ends.
BEGIN {
    columns = 96
}

/[^ \t\r]/ {
    if (fields["kind"] == "" || fields["kind"] == "step")
        remember_step()
    else if (from == "now")
        baseline[++baselines] = $0
    else if (from == "recorded") {
        recorded_line[++recorded] = $0
        recorded_place[recorded] = fields["problem"] SUBSEP fields["input"]
    }
}

END {
    if (bad_input)
        exit 2
    if (!("step" in now)) {
        printf "desk: %s has no record of the step %s\n", source, step > "/dev/stderr"
        exit 2
    }
    print_verdict()
    if (now["us"] != "" && (now["verdict"] == "pass" || now["verdict"] == "flagged"))
        print_speed()
    print ""
    print_next()
    if (now["verdict"] == "pass")
        write_ladder()
}

# What of a record is needed later. The newest of a step, and its newest that passed, count.
function remember_step(    key, us) {
    us = microseconds()
    if (from == "now") {
        if (fields["step"] != step)
            return
        for (name in fields)
            now[name] = fields[name]
        now["us"] = us
        now["line"] = $0
        return
    }
    key = place(fields) SUBSEP fields["step"]
    if (from == "earlier") {
        last_verdict[key] = fields["verdict"]
        last_when[key] = fields["when"]
    }
    if (fields["verdict"] != "pass" || us == "")
        return
    if (from == "earlier") {
        passed_us[key] = us
        passed_low[key] = low
        passed_high[key] = high
        passed_when[key] = fields["when"]
        passed_line[key] = $0
    } else {
        key = fields["problem"] SUBSEP fields["input"] SUBSEP fields["step"]
        recorded_us[key] = us
        recorded_on[key] = fields["device.name"]
        recorded_line[++recorded] = $0
        recorded_place[recorded] = fields["problem"] SUBSEP fields["input"]
    }
}

# Only what ran on the same device and the same input can be compared.
function place(of) {
    return of["problem"] SUBSEP of["device.name"] SUBSEP of["input"] SUBSEP of["rows"] SUBSEP of["columns"]
}

# Microseconds a call, with `low` and `high` of its interval; "" where not measured. No emulated time is
# ever shown as a GPU's.
function microseconds(    scale, ends) {
    low = high = ""
    if (fields["median_s"] == "" || fields["iterations"] + 0 == 0 || fields["device.kind"] == "cpu")
        return ""
    scale = 1e6 / fields["iterations"]
    if (split(fields["ci95_s"], ends, " ") == 2) {
        low = ends[1] * scale
        high = ends[2] * scale
    }
    if (from == "now") {
        now["low"] = low
        now["high"] = high
    }
    return fields["median_s"] * scale
}

# ---- the verdict --------------------------------------------------------------------------------

function print_verdict(    verdict, title) {
    verdict = now["verdict"]
    title = step_header(step, "title")
    print bold(step) (title == "" ? "" : ": " title)
    print "    " verdict_colour(verdict, verdict) (verdict == "pass" ? ": right in every call" : "") since_last(verdict)
    if (verdict != "pass" && now["detail"] != "" && verdict != "build-failed")
        print_wrapped(printable(now["detail"]), "    ", columns)
    if (verdict != "pass" && verdict == now["intended"])
        print_wrapped("This step is there to show it: see its step.md.", "    ", columns)
    if (verdict == "build-failed")
        print_errors()
    if (verdict != "pass" && now["diagnosis"] != "") {
        print ""
        print_wrapped(printable(now["diagnosis"]), "    ", columns)
    }
    if (verdict == "pass" && now["device.kind"] == "cpu")
        print_wrapped("Speed is not measured: the cpu device is an emulation, which checks and does not time.", \
                      "    ", columns)
}

# Only what has changed is news.
function since_last(verdict,    key) {
    key = place(now) SUBSEP step
    if (!(key in last_verdict) || last_verdict[key] == verdict || verdict == "harness-error")
        return ""
    return " (your last run: " last_verdict[key] ")"
}

# The first errors of the compiler, each with the lines that it shows for it. Paths begin at the tree's
# root and end in :line:, as editors take them.
function print_errors(    line, shown, errors, follows) {
    print ""
    while (log_file != "" && (getline line < log_file) > 0) {
        if (line ~ /(^|[: ])error( #[-0-9D]+)? *:|undefined reference|multiple definition/ && line !~ /^(make|collect2)/) {
            if (++errors > 3)
                break
            follows = 3
            print "    " tidy(line)
        } else if (follows-- > 0 && line ~ /^[ \t]/)
            print "    " printable(line)
        else
            follows = 0
    }
    if (log_file != "")
        close(log_file)
    if (errors > 3)
        print "    and more: " log_file
    if (!errors && now["detail"] != "")
        print_wrapped(printable(now["detail"]), "    ", columns)
}

# From the tree's root on; nvcc writes file(12): for file:12:
function tidy(line) {
    if (index(line, ENVIRON["ROOT"] "/") == 1)
        line = substr(line, length(ENVIRON["ROOT"]) + 2)
    if (match(line, /^[^(): ]+\([0-9]+\): /))
        line = with_colon(line)
    return printable(line)
}

function with_colon(line,    open, end) {
    open = index(line, "(")
    end = index(line, ")")
    return substr(line, 1, open - 1) ":" substr(line, open + 1, end - open - 1) substr(line, end + 1)
}

# ---- speed --------------------------------------------------------------------------------------

function print_speed(    text) {
    text = significant(now["us"], 4) " us a call"
    if (now["low"] != "")
        text = text " (between " significant(now["low"], 4) " and " significant(now["high"], 4) ")"
    if (now["gbps"] != "")
        text = text ", " significant(now["gbps"], 4) " GB/s"
    if (now["roof_fraction"] != "")
        text = text ", " significant(100 * now["roof_fraction"], 3) " % of the roof"
    if (now["speedup"] != "")
        text = text ", " significant(now["speedup"], 3) " times as fast as one CPU thread"
    print_wrapped(text, "    ", columns)
    if (now["verdict"] != "pass")
        return
    against_last()
    against_before()
    if (now["notes"] != "")
        print_wrapped("note: " printable(now["notes"]), "    ", columns)
}

function against_last(    key, what) {
    key = place(now) SUBSEP step
    if (!(key in passed_us))
        return
    what = "your last run" (last_verdict[key] == "pass" ? "" : " that passed") ", " when(passed_us[key], passed_when[key])
    if (now["low"] != "" && passed_low[key] != "" && now["low"] <= passed_high[key] && passed_low[key] <= now["high"])
        print_wrapped("as fast as " what ": no difference that could be told from chance", "    ", columns)
    else
        print_wrapped(compared(now["us"], passed_us[key]) " " what, "    ", columns)
}

function against_before(    before, key, elsewhere) {
    before = step_header(step, "builds-on")
    key = place(now) SUBSEP before
    elsewhere = now["problem"] SUBSEP now["input"] SUBSEP before
    if (key in passed_us)
        print_wrapped(compared(now["us"], passed_us[key]) " your " before ", " when(passed_us[key], passed_when[key]), \
                      "    ", columns)
    else if (elsewhere in recorded_us)
        print_wrapped(compared(now["us"], recorded_us[elsewhere]) " " before " recorded elsewhere, on an " \
                      recorded_on[elsewhere] ": " significant(recorded_us[elsewhere], 4) " us", "    ", columns)
}

function when(us, time) {
    sub(/T/, " ", time)
    sub(/:[0-9][0-9]Z$/, " UTC", time)
    return significant(us, 4) " us" (time == "" ? "" : " on " time)
}

# "12 % faster than", "3.4 times as fast as", "5 % slower than".
function compared(us, other,    ratio) {
    ratio = other / us
    if (ratio >= 2)
        return significant(ratio, 3) " times as fast as"
    if (ratio >= 1)
        return significant(100 * (ratio - 1), 2) " % faster than"
    if (ratio > 0.5)
        return significant(100 * (1 / ratio - 1), 2) " % slower than"
    return significant(1 / ratio, 3) " times slower than"
}

# ---- the ladder ---------------------------------------------------------------------------------

# The lines of the records that the chart is made of: on a GPU the newest that passed of each step on
# this GPU and input, and this run's baselines; else what a GPU recorded.
function write_ladder(    key, part, here) {
    printf "" > ladder
    if (now["device.kind"] == "cpu") {
        write_recorded()
        return
    }
    here = place(now)
    for (i = 1; i <= baselines; i++)
        print baseline[i] > ladder
    for (key in passed_line) {
        split(key, part, SUBSEP)
        if (index(key, here SUBSEP) == 1 && part[6] != step)
            print passed_line[key] > ladder
    }
    print now["line"] > ladder
    close(ladder)
}

function write_recorded(    i, some) {
    for (i = 1; i <= recorded; i++)
        if (recorded_place[i] == now["problem"] SUBSEP now["input"]) {
            print recorded_line[i] > ladder
            some = 1
        }
    close(ladder)
    if (some)
        print "What a GPU recorded, not yours:"
}

# ---- what next ----------------------------------------------------------------------------------

function print_next(    short, after, text, gpu) {
    short = short_name(step)
    after = ENVIRON["NEXT_STEP"]
    gpu = now["device.kind"] == "gpu"
    if (now["verdict"] == "pass" || now["verdict"] == "harness-error") {
        text = gpu ? "Next: make profile-" short " (where the time goes), " : "Next: "
        text = text (after == "" ? "make journal" : "make " short_name(after) " (" step_header(after, "title") ")")
    } else {
        text = "Edit " ENVIRON["SOURCE"] ", then: make " short ". Or: make watch STEP=" short " (at each save)"
        if (now["verdict"] != "build-failed" && has_before())
            text = text ", make diff-" short " (what changes from the step before)"
        if (gpu && now["verdict"] ~ /^(crashed|nondeterministic|wrong)$/)
            text = text ", make sanitize-" short " (faults of memory, races)"
    }
    print_to_next(text)
}

function print_to_next(text) {
    print wrapped(text, "", columns + 4) > next_lines
    close(next_lines)
}

function has_before() {
    return step_header(step, "builds-on") != "" && step_header(step, "builds-on") != "none"
}
