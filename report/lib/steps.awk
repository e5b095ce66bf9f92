# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads what is written once for each step, in the header of labs/<step>/step.md, and the original lab's
# machine from gtx680.txt. ENVIRON LABS and GTX680 say where those are.

# A line `key: value` of a step's header; "" where the step or the line is missing. `counters` may stand on several
# lines, which are one text.
function step_header(step, key) {
    if (!(step in header_read)) {
        header_read[step] = 1
        read_header(ENVIRON["LABS"] "/" step "/step.md", step)
    }
    return ((step, key) in header) ? header[step, key] : ""
}

# The same of gtx680.txt: reference, roof, gbps, name.
function gtx680(key) {
    if (!("gtx680" in header_read)) {
        header_read["gtx680"] = 1
        read_header(ENVIRON["GTX680"], "gtx680")
    }
    return (("gtx680", key) in header) ? header["gtx680", key] : ""
}

function read_header(path, name,    line, colon) {
    while ((getline line < path) > 0) {
        sub(/\r$/, "", line)
        if (line == "")
            break
        colon = index(line, ": ")
        if (colon > 0)
            add_header(name, substr(line, 1, colon - 1), substr(line, colon + 2))
    }
    close(path)
}

function add_header(name, key, value) {
    header[name, key] = (key == "counters" && (name, key) in header ? header[name, key] "\n" : "") value
}

# The place of a problem's ladder among the others, as a text that sorts: common/problems/PROBLEM/order says it.
# Ladders without one come last.
function ladder_place(problem,    path, line) {
    if (!(problem in place_of_ladder)) {
        line = "999"
        if (problem ~ /^[A-Za-z0-9_]+$/) {
            path = "common/problems/" problem "/order"
            getline line < path
            close(path)
        }
        place_of_ladder[problem] = sprintf("%03d", line)
    }
    return place_of_ladder[problem]
}

# Seconds that the GTX 680 of 2017 took for 1000 calls; "" where it had none.
function gtx680_seconds(step,    seconds) {
    seconds = step_header(step, "gtx680")
    return seconds ~ /^[0-9]+([.][0-9]+)?$/ && seconds + 0 > 0 && seconds + 0 < 1e9 ? seconds : ""
}

# Whether a step's source has this sha256, as it is or without the lines that mark a solution
# (common/build/markers.awk): those lines do not affect what is measured. True also if sha256sum is missing;
# false if there is no such file.
function is_source(path, sum,    quoted, whole, unmarked) {
    quoted = path
    gsub(/'/, "'\\\\&'", quoted)
    whole = first_line("sha256sum 2>/dev/null < '" quoted "'")
    unmarked = first_line("sed '/\\(BEGIN\\|END\\) SOLUTION/d' 2>/dev/null < '" quoted "' | sha256sum 2>/dev/null")
    return whole == "" ? is_readable(path) : substr(whole, 1, 64) == sum || substr(unmarked, 1, 64) == sum
}

function is_readable(path,    line, status) {
    status = (getline line < path)
    close(path)
    return status >= 0
}

function first_line(command,    line) {
    line = ""
    command | getline line
    close(command)
    return line
}
