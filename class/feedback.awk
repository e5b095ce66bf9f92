# The pages of class/feedback. put() writes to a submission's plain text, mark() to its Markdown.

BEGIN {
    WIDTH = 78         # a mail's
    LOG_LINES = 12     # of a compiler, or of what a step printed
    LOG_COLUMNS = 160
    out = ENVIRON["OUT"]
    charts = ENVIRON["CHARTS"]
    read_verdicts(ENVIRON["VERDICTS"])
}

END {
    if (bad_input)
        exit 2
    grade_all()
    if (bad_input)
        exit 2
    unused_flags()
    for (w = 1; w <= student_count; w++)
        feedback(students[w])
    print count_files " pages of feedback in " out
}

function feedback(who,    name, s) {
    name = file_name(who)
    text_file = out "/" name ".txt"
    page_file = out "/" name ".md"
    count_files++
    printf "" > text_file
    printf "" > page_file
    put("Feedback for " printable(who))
    put(underline(printable(who) "Feedback for ", "="))
    mark("# Feedback for " md(who) "\n")
    put("\n" points(total[who]) " of " points(total_max[who]) " points.\n")
    mark("**" points(total[who]) " of " points(total_max[who]) " points.**\n")
    summary(who)
    chart(who, name)
    for (s = 1; s <= step_count; s++)
        step_feedback(who, graded_steps[s])
    close(text_file)
    close(page_file)
}

function summary(who,    s, step, line) {
    put(pad("step", 26) pad("verdict", 17) lpad("points", 10) lpad("us/call", 9) lpad("% roof", 7) lpad("x ours", 7))
    mark("| step | verdict | points | us a call | % of the roof | times our time |\n|---|---|--:|--:|--:|--:|")
    for (s = 1; s <= step_count; s++) {
        step = graded_steps[s]
        line = counts[who, step]
        put(pad(step, 26) pad(verdict_of(who, step), 17) lpad(points_in_short(who, step), 10) \
            lpad(us_of(line), 9) lpad(share_of(line), 7) lpad(ratio_of(who, step), 7))
        mark("| " md_code(step) " | " verdict_of(who, step) " | " points_in_short(who, step) " | " us_of(line) " | " \
             share_of(line) " | " ratio_of(who, step) " |")
    }
    put("")
    mark("")
}

function verdict_of(who, step,    line, verdict) {
    line = counts[who, step]
    verdict = kept[line, "verdict"]
    if (line == 0)
        return "not graded yet"
    if (verdict == "flagged" && flag_decision[who, step] == "clear")
        return "flagged, cleared"
    return verdict
}

function points_in_short(who, step) {
    if (left_out[who, step] != "")
        return "left out"
    return points(correct[who, step] + speed[who, step]) " of " points(correct_max[who, step] + speed_max[who, step])
}

function us_of(line) {
    return kept[line, "s"] == "" ? "-" : significant(kept[line, "s"] * 1e6, 4)
}

function ratio_of(who, step) {
    return ratio[who, step] == "" ? "-" : times(ratio[who, step])
}

function share_of(line,    share) {
    share = roof_share(line)
    return share == "" ? "-" : significant(100 * share, share < 0.01 ? 2 : 3)
}

# Of the bandwidth that a streaming read reached in the same run; "" where either is unknown.
function roof_share(line) {
    if (kept[line, "s"] == "")
        return ""
    if (kept[line, "roof_fraction"] != "")
        return kept[line, "roof_fraction"] + 0
    return kept[line, "roof_gbps"] + 0 > 0 ? kept[line, "bytes"] / kept[line, "s"] / 1e9 / kept[line, "roof_gbps"] : ""
}

# ---- a step ----------------------------------------------------------------------------------------

function step_feedback(who, step,    line, verdict, title) {
    line = counts[who, step]
    verdict = kept[line, "verdict"]
    title = step_header(step, "title")
    put(step (title == "" ? "" : ": " title))
    put(underline(step (title == "" ? "" : ": " title), "-"))
    mark("## " md_code(step) (title == "" ? "" : ": " md(title)) "\n")
    say("Verdict", verdict_of(who, step), "")
    if (verdict != "pass" && kept[line, "detail"] != "")
        say("Why", "", of_student(kept[line, "detail"], line))
    if (kept[line, "diagnosis"] != "")
        say("Diagnosis", "", of_student(kept[line, "diagnosis"], line))
    if (kept[line, "s"] != "")
        say("Time", time_in_words(who, step), "")
    if (kept[line, "s"] != "" && kept[line, "notes"] != "")
        say("Note", "", of_student(kept[line, "notes"], line))
    say("Points", "", of_student(how[who, step], line))
    say("Next", next_hint(who, step), "")
    show_log(who, step, line)
    if (line)
        say("Record", "line " line (ratio[who, step] != "" ? ", ours line " ours[who, step] : "") " of results.jsonl" \
            (kept[line, "when"] == "" ? "" : ", " kept[line, "when"]), "")
    put("")
    mark("")
}

function time_in_words(who, step,    line, text, low, ends, share) {
    line = counts[who, step]
    text = us_of(line) " us a call"
    if (split(kept[line, "ci95_s"], ends, " ") == 2)
        text = text " (95 % interval " significant(ends[1] / kept[line, "iterations"] * 1e6, 4) " to " \
               significant(ends[2] / kept[line, "iterations"] * 1e6, 4) ")"
    if (kept[line, "scaled"] == "true")
        text = text ", scaled up from fewer calls"
    share = share_of(line)
    if (share != "-")
        text = text ", " share " % of the measured roof"
    if (ratio[who, step] != "")
        text = text ", " times(ratio[who, step]) " times the time of this project's own version (" \
               us_of(ours[who, step]) " us)"
    return text "."
}

function next_hint(who, step,    verdict, share, idea) {
    verdict = kept[counts[who, step], "verdict"]
    if (counts[who, step] == 0)
        return "Nothing to do for you: this step has not been graded yet."
    if (step_shows_mistake(counts[who, step], step))
        return "This step is there to show a wrong answer. Say in your journal why it is wrong."
    if (verdict == "flagged" && flag_decision[who, step] == "clear")
        verdict = "pass"
    if (verdict != "pass")
        return verdict_advice_for(verdict, short_name(step))
    idea = step_header(step, "idea")
    share = roof_share(counts[who, step])
    if (ratio[who, step] == "")
        return "Right. How fast it is only a GPU can tell."
    if (share != "" && share > 0.9)
        return "At the roof: reading the input takes nearly all of the time. There is little left to gain."
    if (ratio[who, step] <= (rubric(step, "full") > 0 ? rubric(step, "full") : 1.2))
        return "As fast as asked. What is left up to the roof is for other steps."
    return "Slower than it can be with what this step is about" (idea == "" ? "." : ": " idea) \
           " Look for what your kernel does beyond that, for each element and for each call."
}

# `label: what`; what is ours as it stands, text is somebody's and escaped.
function say(label, what, text) {
    put(substr(wrapped(label ": " what printable(text), "    ", WIDTH - 4), 3))
    mark("- **" label ":** " (text == "" ? md(what) : md(text)))
}

# Compilers' errors from the first on, or the end of what a step printed.
function show_log(who, step, line,    verdict, command, path, text, n, list, i, first) {
    verdict = kept[line, "verdict"]
    if (verdict !~ /^(build-failed|wrong|nondeterministic|launch-failed|crashed|timed-out)$/ || \
        who step ~ /[^A-Za-z0-9._@+-]/ || who ~ /^[.-]/)
        return
    path = ENVIRON["LOGS"] "/" who "/" step ".log"
    gsub(/'/, "'\\''", path)
    command = (verdict == "build-failed" ? "head -c 65536" : "tail -c 4096") " -- '" path "' 2>/dev/null"
    n = first = 0
    while ((command | getline text) > 0) {
        text = log_line(text, line)
        if (text ~ /[^ ]/)
            list[++n] = text
        if (first == 0 && text ~ /error/)
            first = n
    }
    close(command)
    if (n == 0)
        return
    if (verdict != "build-failed")
        first = n > LOG_LINES ? n - LOG_LINES + 1 : 1
    else if (first == 0)
        first = 1
    put(verdict == "build-failed" ? "  The compiler:" : "  The end of what it printed:")
    mark((verdict == "build-failed" ? "\nThe compiler:" : "\nThe end of what it printed:") "\n\n<pre>")
    for (i = first; i <= n && i < first + LOG_LINES; i++) {
        put("    " list[i])
        mark(html(list[i]))
    }
    if (i <= n)
        put("    (" n - i + 1 " more lines)")
    mark("</pre>\n")
}

# A program may print any bytes; what is not ASCII and no quotation mark of a compiler is not shown.
function log_line(text, line) {
    gsub(/\342\200[\230\231]/, "'", text)
    gsub(/\033\[[0-9;]*[A-Za-z]/, "", text)
    gsub(/[\200-\377]+/, "?", text)
    return clip(of_student(text, line), LOG_COLUMNS)
}

function html(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

# ---- chart -------------------------------------------------------------------------------------------

# Share of the roof on a log scale: bars of text, and rows for feedback.gp.
function chart(who, name,    s, step, share, own, lowest, n) {
    lowest = ""
    for (s = 1; s <= step_count; s++) {
        share = roof_share(counts[who, graded_steps[s]])
        own = roof_share(ours[who, graded_steps[s]])
        lowest = smaller(smaller(lowest, share), own)
        n += share != ""
    }
    if (n == 0) {
        put("Speed was not measured: no chart.\n")
        mark("Speed was not measured: no chart.\n")
        return
    }
    decades = int(-log(lowest) / log(10)) + 1
    put("Share of the measured roof, log scale: = yours, | this project's own version")
    put(spaces(26) axis())
    mark((charts == "" ? "" : "![Share of the measured roof, yours and this project's own](" name ".svg)\n\n") \
         "<pre>\nShare of the measured roof, log scale: = yours, | this project's own version\n" spaces(26) axis())
    for (s = 1; s <= step_count; s++) {
        step = graded_steps[s]
        share = roof_share(counts[who, step])
        own = roof_share(ours[who, step])
        put(pad(step, 26) bar(share, own) " " (share == "" ? verdict_of(who, step) : significant(100 * share, 3) "%"))
        mark(html(pad(step, 26) bar(share, own) " " (share == "" ? verdict_of(who, step) : significant(100 * share, 3) "%")))
        if (charts != "")
            print step "\t" (share == "" ? "NaN" : 100 * share) "\t" (own == "" ? "NaN" : 100 * own) "\t" \
                  (share == "" ? verdict_of(who, step) : "") > charts
    }
    put("")
    mark("</pre>\n")
    if (charts != "") {
        chart_names = chart_names " " name
        print "\n" > charts # gnuplot's next block
        print name, step_count, -decades > (charts ".pages")
    }
}

function smaller(a, b) {
    return b == "" || b <= 0 || (a != "" && a < b) ? a : b
}

function place(share,    at) {
    at = int((log(share) / log(10) + decades) / decades * 38 + 0.5)
    return at < 1 ? 1 : at > 40 ? 40 : at
}

function bar(share, own,    i, line, reach, mark_at) {
    reach = share == "" ? 0 : place(share)
    mark_at = own == "" ? 0 : place(own)
    line = ""
    for (i = 1; i <= 40; i++)
        line = line (i == mark_at ? "|" : i <= reach ? "=" : " ")
    return line
}

function axis(    d, line, text) {
    line = ""
    for (d = decades; d >= 0; d--) {
        text = sprintf("%g%%", 100 / 10 ^ d)
        if (decades > 4 && d % 2 == 1)
            continue
        line = line spaces(int((decades - d) / decades * 38 + 0.5) - length(line)) text
    }
    return line
}

# ---- small things ------------------------------------------------------------------------------------

function put(text) {
    print text > text_file
}

function mark(text) {
    print text > page_file
}

function underline(text, with,    line) {
    line = spaces(width(text))
    gsub(/ /, with, line)
    return line
}

function file_name(who) {
    gsub(/[^A-Za-z0-9._@+-]/, "_", who)
    sub(/^[.-]/, "_", who)
    return who
}
