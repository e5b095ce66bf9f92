# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The columns of the rows that report/rows prints and read.awk reads. A name that ends in # is a number's;
# all others are texts. report/README.md says what each means.

BEGIN {
    CONVFMT = OFMT = "%.15g" # a number that becomes a text keeps its digits
    COLUMNS = "line# file counts# submission step kind problem input rows# columns# elements# bytes# " \
              "verdict success# intended outcome detail diagnosis faults# remarks# more_hazards# hazards error# " \
              "counted_gpu counted_rows# counted_columns# launches accesses idea " \
              "predicted_us# predicted_low_us# predicted_high_us# predicted_gpu predicted_limit predicted_shares predicted_with " \
              "device_kind device driver uuid sms# l2_bytes# spec_gbps# iterations# calls# scaled# samples " \
              "seconds# us# us_low# us_high# gbps# speedup# speedup_low# speedup_high# roof_fraction# " \
              "roof_gbps# roof_speedup# spec_speedup# reference# synced_us# whole_us# " \
              "energy_joules# energy_low# energy_high# energy_watts# energy_idle_watts# overhead_s# sm_mhz# memory_mhz# " \
              "samples_asked# budget_s# title gtx680_seconds# gtx680_speedup# notes seed source_sha256 schema# harness timing cub machine when"
    add_columns(COLUMNS)
    # What stands in a cell that holds several objects; those of `hazards` are not flat: see lib/hazards.awk.
    PARTS["launches"] = "op kernel line grid block blocks threads registers shared_bytes waves occupancy counted_blocks " \
                        "barriers read_bytes written_bytes hot_adds overlaps"
    PARTS["accesses"] = "op kernel line source kind space bytes requests lanes sectors lines wavefronts conflicts same most"
    # What can limit a step: the names in predicted_shares and predicted_limit.
    UNITS = "dram l2 latency issue shared shared-atomics global-atomics one-address barriers launches"
}

# Others make rows with columns of their own, which read.awk then reads as well.
function add_columns(list,    names, n, i, type) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++) {
        type = sub(/#$/, "", names[i]) ? "number" : "text"
        if (!(names[i] in type_of))
            column_name[++column_count] = names[i]
        type_of[names[i]] = type
    }
}

# A text on one line, and nothing in it that common/printable.awk would take out; unescaped() gives the text back.
function escaped(text,    result, odd, i) {
    if (text !~ /[\\\001-\037\177-\377]/)
        return text
    # Of a backslash in a replacement awks make different things, but for "\\\\&".
    gsub(/[\\\t\n]/, "\\\\&", text)
    gsub(/\t/, "t", text)
    gsub(/\n/, "n", text)
    if (text !~ /[\001-\037\177-\377]/)
        return text
    odd = is_utf8(text) ? "[\001-\037\177]|" HIDDEN : "[^\040-\176]"
    result = ""
    while (match(text, odd)) {
        result = result substr(text, 1, RSTART - 1)
        for (i = RSTART; i < RSTART + RLENGTH; i++)
            result = result sprintf("\\x%02X", byte_value(substr(text, i, 1)))
        text = substr(text, i)
    }
    return result text
}

function unescaped(text,    at, letter, result) {
    if (!index(text, "\\"))
        return text
    result = ""
    while ((at = index(text, "\\")) > 0) {
        letter = substr(text, at + 1, 1)
        result = result substr(text, 1, at - 1)
        text = substr(text, at + 2)
        if (letter == "x") {
            result = result sprintf("%c", hex_value(substr(text, 1, 2)))
            text = substr(text, 3)
        } else
            result = result (letter == "t" ? "\t" : letter == "n" ? "\n" : letter)
    }
    return result text
}

# The objects of a cell that holds several, `launches` or `accesses`, one after the other: out[1..n, name] with the
# names of PARTS, a text each, "" for null. Returns n.
function split_list(text, column, out,    lines, n, i, names, count, part, p) {
    n = split(text, lines, "\n")
    count = split(PARTS[column], names, " ")
    for (i = 1; i <= n; i++) {
        split(lines[i], part, "\t")
        for (p = 1; p <= count; p++)
            out[i, names[p]] = part[p]
    }
    return n
}

function byte_value(letter,    i) {
    for (i = 1; i < 256; i++)
        if (sprintf("%c", i) == letter)
            return i
    return 0
}

function hex_value(digits,    i, value) {
    value = 0
    for (i = 1; i <= length(digits); i++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
    return value
}
