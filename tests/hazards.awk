# What tests/part-hazards says of one step: reads common/runner/hazards.def, what is expected of the step, and its
# record. Needs report/lib's text.awk, columns.awk and json.awk, and the step's `name`.

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
{ record = $0; records++ }

END {
    if (records != 1)
        error = records + 0 " records"
    else
        read_hazards()
    if (wanted["finds"] == "nothing")
        judge_right()
    else
        judge_wrong()
    printf "%s %s: %s\n", error == "" ? "ok    " : "NOT OK", name, error == "" ? summary() : error
    for (h = 1; h <= hazards; h++)
        print "       " described(h)
    print "       marks: " marks
}

# ---- the record ---------------------------------------------------------------------------------

# Fills hazard[h, key] and place[h, p, key], from the record's list.
function read_hazards(    at) {
    verdict = text_of("verdict")
    detail = text_of("detail")
    at = index(record, ",\"hazards\":")
    if (!at)
        return
    json_rest = substr(record, at + 11)
    read_value("")
    if (json_error != "")
        error = "the record's hazards cannot be read: " json_error
}

function text_of(key,    at) {
    at = index(record, ",\"" key "\":\"")
    if (!at)
        return ""
    json_rest = substr(record, at + length(key) + 4)
    return parse_string()
}

# The value at path: "2.places.1.line" is the line of the second hazard's first place.
function read_value(path,    n, key) {
    if (json_error != "")
        return
    if (token("[")) {
        while (json_error == "" && !token("]")) {
            read_value(path (path == "" ? "" : ".") ++n)
            token(",")
        }
        if (path == "")
            hazards = n + 0
        else
            value[path] = n + 0
    } else if (token("{")) {
        while (json_error == "" && !token("}")) {
            key = parse_string()
            if (!token(":"))
                json_error = "expected : after " key
            read_value(path "." key)
            token(",")
        }
    } else
        value[path] = substr(json_rest, 1, 1) == "\"" ? parse_string() : parse_word(path)
}

# ---- the comparison -----------------------------------------------------------------------------

function judge_wrong(    h, best, marks_of_h) {
    mark("wrong")
    for (h = 1; h <= hazards; h++) {
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
        error = "verdict " verdict "; no hazard is all of this: " wanted["finds"] lines_text() \
                (wanted["array"] == "" ? "" : ", array " wanted["array"])
    judge_remarks(0)
    if (verdict == "pass")
        error = "it passes; " error
}

function judge_right(    h) {
    mark("right")
    judge_remarks(1)
    for (h = 1; h <= hazards; h++)
        if (is_fault(h))
            error = "a false alarm"
    if (verdict != "pass")
        error = (error == "" ? "" : error "; ") "verdict " verdict ": " detail
    if (error != "")
        mark("alarm")
}

# Those that are wanted are told; where strict, no others.
function judge_remarks(strict,    h, word, seen) {
    for (h = 1; h <= hazards; h++) {
        word = value[h ".kind"]
        seen[word]
        if (strict && !is_fault(h) && !(word in remark_wanted))
            error = "a remark that nobody expects: " word
    }
    for (word in remark_wanted)
        if (!(word in seen))
            error = "the remark is missing: " word
}

function is_fault(h) {
    return severity[value[h ".kind"]] != "REMARK"
}

function has_class(h) {
    return index("|" wanted["finds"] "|", "|" value[h ".kind"] "|") > 0
}

function has_array(h) {
    return index(value[h ".array"], wanted["array"]) > 0 || wanted["array"] == ""
}

function has_lines(h,    i, p, found) {
    for (i = 1; i <= lines_wanted; i++) {
        found = 0
        for (p = 1; p <= value[h ".places"]; p++)
            if (trimmed(value[h ".places." p ".source"]) == line_wanted[i])
                found = 1
        if (!found)
            return 0
    }
    return 1
}

# ---- what is printed ----------------------------------------------------------------------------

function mark(word) {
    marks = marks (marks == "" ? "" : " ") word
}

function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function summary() {
    return wanted["finds"] == "nothing" ? "pass" : wanted["finds"]
}

function lines_text(    i, text) {
    for (i = 1; i <= lines_wanted; i++)
        text = text ", `" line_wanted[i] "`"
    return text
}

function described(h,    p, text) {
    text = value[h ".kind"] ", array " value[h ".array"] "[" value[h ".index"] "]"
    for (p = 1; p <= value[h ".places"]; p++)
        text = text "; " value[h ".places." p ".does"] " at " value[h ".places." p ".line"] ": " \
               trimmed(value[h ".places." p ".source"])
    return text
}
