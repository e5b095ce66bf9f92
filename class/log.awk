# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of a step's log that the student sees: the compiler's errors from the first on, or the end of what
# the step printed.

BEGIN {
    LOG_LINES = 12
    LOG_COLUMNS = 160
}

function show_log(r,    verdict, path, n, list, first, i, text, margin) {
    verdict = cell(r, "verdict")
    path = log_of(r)
    if (verdict !~ /^(build-failed|wrong|nondeterministic|hazard|no-kernel|launch-failed|crashed|timed-out)$/ || path == "")
        return
    n = read_log((verdict == "build-failed" ? "head -c 65536" : "tail -c 4096") " -- " path, r, list)
    if (n == 0)
        return
    first = verdict == "build-failed" ? first_error(list, n) : n - LOG_LINES + 1
    if (first < 1)
        first = 1
    text = list[first]
    for (i = first + 1; i <= n && i < first + LOG_LINES; i++)
        text = text "\n" list[i]
    if (i <= n)
        text = text "\n(" n - i + 1 " more lines)"
    paragraph(verdict == "build-failed" ? "The compiler:" : "The end of what it printed:")
    margin = page_margin
    page_margin = "    "
    preformatted(text)
    page_margin = margin
}

# The log's path, quoted for the shell; "" if there is no log.
function log_of(r,    who, step, path) {
    who = cell(r, "submission")
    step = cell(r, "step")
    if (who step ~ /[^A-Za-z0-9._@+-]/ || who ~ /^[.-]/)
        return ""
    path = ENVIRON["LOGS"] "/" who "/" step ".log"
    if (!is_readable(path))
        return ""
    gsub(/'/, "'\\\\&'", path)
    return "'" path "'"
}

# Sets list[1..n] to what a command prints, without lines that are empty; returns n.
function read_log(command, r, list,    n, text) {
    n = 0
    while ((command | getline text) > 0) {
        text = text ~ /^--- / ? "" : log_line(text, r) # common/judge/findings/printed.h has headings there
        if (text ~ /[^ ]/)
            list[++n] = text
    }
    close(command)
    return n
}

function first_error(list, n,    i) {
    for (i = 1; i <= n; i++)
        if (list[i] ~ /error/)
            return i
    return 1
}

# A program may print any bytes. Tabs would all become one blank.
function log_line(text, r) {
    gsub(/\342\200[\230\231]/, "'", text)
    gsub(/\033\[[0-9;]*[A-Za-z]/, "", text)
    gsub(/\t/, "    ", text)
    return clip(of_student(text, r), LOG_COLUMNS)
}
