# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of report/one-step's page that is about what the step printed: the first lines of the trial that made the
# verdict, up to the end of the first call that printed. They come from the log, where common/judge/printed.h
# writes them below headings of its own.

BEGIN {
    PRINTED_SHOWN = 20
}

function print_printed(    t, i, margin) {
    read_printed()
    t = cell(now, "verdict") == "pass" ? 1 : printed_trials
    if (!printed_trials)
        return
    print ""
    paragraph(strong("It printed") ", in the " printed[t, "trial"] printed[t, "parts"] ":")
    margin = page_margin
    page_margin = margin "    "
    for (i = 1; i <= printed[t, "shown"]; i++)
        preformatted(clip(printed[t, i], page_columns - length(page_margin)))
    page_margin = margin
    if (printed[t, "lines"] > printed[t, "shown"] || printed_trials > 1)
        paragraph("and " counted_lines(printed[t, "lines"] - printed[t, "shown"]) printed_elsewhere() ": " tidy(log_file))
}

function counted_lines(n) {
    return n " more line" (n == 1 ? "" : "s")
}

function printed_elsewhere() {
    return printed_trials > 1 ? ", and what it printed in other runs" : ""
}

# Sets printed_trials, and for each trial that printed: its name, the names of the parts shown, the lines to
# show, and how many lines there are. A heading may stand above lines of the emulator only: that trial printed nothing.
function read_printed(    line, t) {
    printed_trials = 0
    while (log_file != "" && (getline line < log_file) > 0) {
        if (line ~ /^--- (check|graded) \(/) {
            if (!t || printed[t, "lines"])
                t = ++printed_trials
            printed[t, "trial"] = substr(line, 5)
            printed[t, "lines"] = printed[t, "shown"] = printed[t, "calls"] = 0
            printed[t, "parts"] = printed[t, "part"] = printed[t, "last"] = ""
        } else if (line ~ /^--- counted$/)
            break
        else if (line ~ /^--- [0-9]+ more lines were printed/)
            printed[t, "lines"] += substr(line, 5) + 0
        else if (line ~ /^--- (set-up|call [0-9]+( again)?|later calls|tear-down)$/) {
            printed[t, "part"] = substr(line, 5)
            printed[t, "calls"] += line ~ /call/
        } else if (t && line !~ /^emulator: /) # that is the harness's
            take_printed(t, line)
    }
    if (t && !printed[t, "lines"])
        printed_trials--
    if (log_file != "")
        close(log_file)
}

function take_printed(t, line,    part) {
    printed[t, "lines"]++
    part = printed[t, "part"]
    if (printed[t, "shown"] == PRINTED_SHOWN || printed[t, "calls"] > 1 || (part == "tear-down" && printed[t, "calls"]))
        return
    if (part != "" && part != printed[t, "last"])
        printed[t, "parts"] = printed[t, "parts"] (printed[t, "parts"] == "" ? ", " : " and ") part
    printed[t, "last"] = part
    gsub(/\t/, "    ", line)
    printed[t, ++printed[t, "shown"]] = line
}
