# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What tests/part-hazards says of one step: reads common/runner/hazards.def, what is expected of the step, and its
# record. Needs common/printable.awk, and report/lib's text.awk, columns.awk and json.awk, and the step's `name`.

FILENAME == ARGV[1] {
    if (split($0, part, /[(), "]+/) > 3 && part[1] == "HAZARD")
        severity[part[3]] = part[4]
    next
}
FILENAME == ARGV[2] && !told {
    if ($0 == "")
        told = 1
    else if ($1 == "at")
        line_wanted[++lines_wanted] = trimmed(substr($0, 4))
    else if ($1 == "remark")
        remark_wanted[$2]
    else
        wanted[$1] = substr($0, length($1) + 2)
    next
}
FILENAME == ARGV[2] { next }
{
    error = parse_record($0, record)
    records++
}

END {
    if (records != 1)
        error = records + 0 " records"
    if (error != "")
        finish()
    if (wanted["finds"] == "nothing")
        judge_right()
    else
        judge_wrong()
    finish()
}

# ---- the comparison -----------------------------------------------------------------------------

function judge_wrong(    h, best, best_marks, marks_of_h) {
    mark("wrong")
    for (h = 1; h <= record["hazards"]; h++) {
        if (!is_fault(h))
            continue
        if (!has_class(h) && !others++)
            mark("others")
        marks_of_h = has_class(h) ? 1 + has_lines(h) + (has_lines(h) && has_array(h)) : 0
        if (!best || marks_of_h > best_marks) {
            best = h
            best_marks = marks_of_h
        }
    }
    if (best)
        mark("found")
    if (best && best_marks >= 1)
        mark("class")
    if (best && has_lines(best))
        mark("lines")
    if (best && has_array(best))
        mark("array")
    if (best_marks + 0 < 3)
        error = "verdict " record["verdict"] "; no hazard is all of this: " wanted["finds"] lines_text() \
                (wanted["array"] == "" ? "" : ", array " wanted["array"])
    judge_remarks(0)
    if (record["verdict"] == "pass")
        error = "it passes; " error
}

function judge_right(    h) {
    mark("right")
    judge_remarks(1)
    for (h = 1; h <= record["hazards"] && !is_fault(h); h++)
        ;
    if (h <= record["hazards"]) {
        mark("alarm")
        error = "a false alarm"
    }
    if (record["verdict"] != "pass")
        error = (error == "" ? "" : error "; ") "verdict " record["verdict"] ": " record["detail"]
}

# Those that are wanted are told; where strict, no others.
function judge_remarks(strict,    h, word, seen) {
    for (h = 1; h <= record["hazards"]; h++) {
        word = field(h, "kind")
        seen[word]
        if (strict && !is_fault(h) && !(word in remark_wanted))
            error = "a remark that nobody expects: " word
    }
    for (word in remark_wanted)
        if (!(word in seen))
            error = "the remark is missing: " word
}

function field(h, key) {
    return record["hazards." h "." key]
}

function place(h, p, key) {
    return record["hazards." h ".places." p "." key]
}

function is_fault(h) {
    return severity[field(h, "kind")] != "REMARK"
}

function has_class(h) {
    return index("|" wanted["finds"] "|", "|" field(h, "kind") "|") > 0
}

function has_array(h) {
    return index(field(h, "array"), wanted["array"]) > 0 || wanted["array"] == ""
}

function has_lines(h,    i, p, found) {
    for (i = 1; i <= lines_wanted; i++) {
        found = 0
        for (p = 1; p <= field(h, "places"); p++)
            if (trimmed(place(h, p, "source")) == line_wanted[i])
                found = 1
        if (!found)
            return 0
    }
    return 1
}

# ---- what is printed ----------------------------------------------------------------------------

function finish(    h) {
    printf "%s %s: %s\n", (error == "" ? "ok    " : "NOT OK"), name, (error == "" ? wanted["finds"] : error)
    for (h = 1; h <= record["hazards"]; h++)
        print "       " described(h)
    if (record["more_hazards"] > 0)
        print "       and " record["more_hazards"] " more"
    print "       marks: " marks
    exit error != ""
}

function mark(word) {
    marks = marks (marks == "" ? "" : " ") word
}

function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function lines_text(    i, text) {
    for (i = 1; i <= lines_wanted; i++)
        text = text ", `" line_wanted[i] "`"
    return text
}

function described(h,    p, text) {
    text = field(h, "kind") ", array " field(h, "array") "[" field(h, "index") "]"
    for (p = 1; p <= field(h, "places"); p++)
        text = text "; " place(h, p, "does") " at " place(h, p, "line") ": " \
               trimmed(place(h, p, "source"))
    return text
}
