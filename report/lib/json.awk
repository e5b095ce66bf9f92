# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads one JSON object on one line. Call parse_record(line, out): afterwards out[field] is a text without its
# escapes, a number as it stood, true and false as those words, an array of numbers as the numbers with a
# blank between, a field of the device as "device.name"; null is "". An array of objects is their number, and a
# field of the second "hazards.2.kind". json_kind[field] is text, word (a number, true, false, null), words (an
# array of these) or objects. json_path[field] is its name without those numbers: "hazards.kind". Needs
# printable.awk, columns.awk and text.awk.
#
# json_rest is what has not been read of the line, or its beginning: every token that is taken copies the rest of
# it, and a record with counters has 10 000 bytes. read_on() adds to it from json_line.

BEGIN {
    MOST_JSON = 200000   # bytes of a line; a record has a few thousand
    MOST_JSON_DEPTH = 8  # a record has 3
    JSON_WINDOW = 1000   # bytes that are added to json_rest at once
    LONGEST_WORD = 64    # so many of them at least stand in json_rest; what is longer is read with all that follows
}

# Read one line into out[field]. Returns "" or what is wrong.
function parse_record(line, out) {
    split("", out)
    split("", json_kind)
    split("", json_path)
    json_depth = 0
    json_line = line
    json_rest = ""
    json_at = 1
    json_error = ""
    if (length(line) > MOST_JSON)
        return "it is longer than any record"
    if (line ~ /[^\001-\377]/)
        return "it holds a NUL byte"
    parse_object(out, "", "")
    skip_blanks()
    if (json_error == "" && json_rest != "")
        json_error = "something follows the closing brace"
    if (json_error == "" && out["step"] == "")
        json_error = "it has no \"step\""
    return json_error
}

# The field "step" of a line, which takes far longer to parse. A quote within a text has a backslash before it.
function step_in(line,    name) {
    if (!match(line, /"step"[ \t]*:[ \t]*"[^"]*"/))
        return ""
    name = substr(line, RSTART, RLENGTH - 1)
    sub(/.*"/, "", name)
    return name
}

# What stands for each name: `prefix` with the numbers of objects in arrays, `path` without.
function parse_object(out, prefix, path) {
    if (!token("{")) {
        json_error = "expected { at " where_am_i()
        return
    }
    if (++json_depth > MOST_JSON_DEPTH) {
        json_error = "its objects are nested too deep"
        return
    }
    parse_members(out, prefix, path)
    json_depth--
}

function parse_members(out, prefix, path,    key, name) {
    if (token("}"))
        return
    do {
        if (take_plain_number(out, prefix, path))
            continue
        key = parse_string()
        name = prefix key
        if (json_error == "" && !token(":"))
            json_error = "expected : after \"" in_short(name) "\""
        if (json_error == "")
            parse_value(out, name, path key)
        if (json_error != "")
            return
    } while (token(","))
    if (!token("}"))
        json_error = "expected , or } at " where_am_i()
}

# A name with a number or null behind it and nothing odd in between, as the judge writes most of them: the same as
# parse_string() and parse_value(), at a third of the time. Returns whether there was one.
function take_plain_number(out, prefix, path,    colon, key, word) {
    if (!match(json_rest, /^"[a-z0-9_]+":(null|-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?)[,}]/))
        return 0
    colon = index(json_rest, ":")
    key = substr(json_rest, 2, colon - 3)
    word = substr(json_rest, colon + 1, RLENGTH - colon - 1)
    json_rest = substr(json_rest, RLENGTH)
    out[prefix key] = word == "null" ? "" : word
    json_kind[prefix key] = "word"
    json_path[prefix key] = path key
    return 1
}

function parse_value(out, name, path) {
    skip_blanks()
    json_path[name] = path
    json_kind[name] = json_rest ~ /^"/ ? "text" : json_rest ~ /^\[/ ? "words" : json_rest ~ /^[{]/ ? "object" : "word"
    if (json_rest ~ /^"/)
        out[name] = parse_string()
    else if (json_rest ~ /^[{]/)
        parse_object(out, name ".", path ".")
    else if (token("["))
        parse_array(out, name, path)
    else
        out[name] = parse_word(name)
}

function parse_array(out, name, path,    list, objects) {
    list = ""
    if (!token("]")) {
        do {
            skip_blanks()
            if (json_rest ~ /^[{]/) {
                list = ++objects
                json_kind[name] = "objects"
                parse_object(out, name "." objects ".", path ".")
            } else
                list = list (list == "" ? "" : " ") parse_word(name)
            if (json_error != "")
                return
        } while (token(","))
        if (!token("]"))
            json_error = "expected , or ] at " where_am_i()
    }
    out[name] = list
}

# A number, true, false or null.
function parse_word(name,    word) {
    skip_blanks()
    if (match(json_rest, /^[-+.0-9A-Za-z]+/) && RLENGTH == length(json_rest)) {
        read_on(MOST_JSON)
        match(json_rest, /^[-+.0-9A-Za-z]+/)
    }
    if (RLENGTH < 1) {
        json_error = "no value for \"" in_short(name) "\""
        return ""
    }
    word = substr(json_rest, 1, RLENGTH)
    if (word !~ /^(true|false|null)$/ && word !~ /^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$/) {
        json_error = "\"" in_short(name) "\" is neither text, number, true, false nor null: " in_short(word)
        return ""
    }
    json_rest = substr(json_rest, RLENGTH + 1)
    return word == "null" ? "" : word
}

function parse_string(    text) {
    skip_blanks()
    if (!find_string()) {
        read_on(MOST_JSON)
        find_string()
    }
    if (RLENGTH < 1) {
        json_error = "expected a quoted text at " where_am_i()
        return ""
    }
    text = substr(json_rest, 2, RLENGTH - 2)
    json_rest = substr(json_rest, RLENGTH + 1)
    return index(text, "\\") ? unescape(text) : text
}

function find_string() {
    return match(json_rest, /^"([^"\\\001-\037]|\\["\\\/bfnrt]|\\u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f])*"/)
}

function unescape(text,    result, at, letter) {
    result = ""
    while ((at = index(text, "\\")) > 0) {
        letter = substr(text, at + 1, 1)
        result = result substr(text, 1, at - 1)
        text = substr(text, at + 2)
        if (letter == "u") {
            result = result unicode(text)
            text = substr(text, unicode_length(text) + 1)
        } else
            result = result (letter == "n" ? "\n" : letter == "t" ? "\t" : letter == "r" ? "\r" : \
                             letter == "b" ? "\b" : letter == "f" ? "\f" : letter)
    }
    return result text
}

# The UTF-8 of the escape whose digits `text` begins with; two escapes where it is a surrogate pair.
function unicode(text,    point) {
    point = hex_value(substr(text, 1, 4))
    if (unicode_length(text) == 10)
        point = 65536 + (point - 55296) * 1024 + hex_value(substr(text, 7, 4)) - 56320
    if (point == 0 || (point >= 55296 && point < 57344)) # half of a pair
        return "?"
    if (point < 128)
        return sprintf("%c", point)
    if (point < 2048)
        return sprintf("%c%c", 192 + int(point / 64), 128 + point % 64)
    if (point < 65536)
        return sprintf("%c%c%c", 224 + int(point / 4096), 128 + int(point / 64) % 64, 128 + point % 64)
    return sprintf("%c%c%c%c", 240 + int(point / 262144), 128 + int(point / 4096) % 64,
                   128 + int(point / 64) % 64, 128 + point % 64)
}

function unicode_length(text) {
    return text ~ /^[dD][89abAB]..\\u[dD][c-fC-F]/ ? 10 : 4
}

function token(letter) {
    skip_blanks()
    if (substr(json_rest, 1, 1) != letter)
        return 0
    json_rest = substr(json_rest, 2)
    return 1
}

# Afterwards json_rest begins with what is no blank; it is empty only at the line's end.
function skip_blanks() {
    do {
        if (length(json_rest) < LONGEST_WORD)
            read_on(JSON_WINDOW)
        if (json_rest ~ /^[ \t\r]/)
            sub(/^[ \t\r]+/, "", json_rest)
    } while (json_rest == "" && json_at <= length(json_line))
}

function read_on(bytes) {
    if (json_at > length(json_line))
        return
    json_rest = json_rest substr(json_line, json_at, bytes)
    json_at += bytes
}

function where_am_i() {
    return json_rest == "" ? "its end" : in_short(json_rest)
}

function in_short(text) {
    return printable(substr(text, 1, 20))
}
