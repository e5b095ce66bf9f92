# Reads one JSON object on one line. Call parse_record(line, out): afterwards out[field] is a text without its
# escapes, a number as it stood, true and false as those words, an array of numbers as the numbers with a
# blank between, a field of the device as "device.name"; null is "". An array of objects is their number, and a
# field of the second "hazards.2.kind". json_kind[field] is text, word (a number, true, false, null), words (an
# array of these) or objects. Needs printable.awk, columns.awk and text.awk.

BEGIN {
    MOST_JSON = 200000   # bytes of a line; a record has a few thousand
    MOST_JSON_DEPTH = 8  # a record has 3
}

# Read one line into out[field]. Returns "" or what is wrong.
function parse_record(line, out,    name) {
    for (name in out)
        delete out[name]
    for (name in json_kind)
        delete json_kind[name]
    json_depth = 0
    json_rest = line
    json_error = ""
    if (length(line) > MOST_JSON)
        return "it is longer than any record"
    if (line ~ /[^\001-\377]/)
        return "it holds a NUL byte"
    parse_object(out, "")
    if (json_error == "" && json_rest !~ /^[ \t\r]*$/)
        json_error = "something follows the closing brace"
    if (json_error == "" && out["step"] == "")
        json_error = "it has no \"step\""
    return json_error
}

function parse_object(out, prefix) {
    if (!token("{")) {
        json_error = "expected { at " where_am_i()
        return
    }
    if (++json_depth > MOST_JSON_DEPTH) {
        json_error = "its objects are nested too deep"
        return
    }
    parse_members(out, prefix)
    json_depth--
}

function parse_members(out, prefix,    name) {
    if (token("}"))
        return
    do {
        name = prefix parse_string()
        if (json_error == "" && !token(":"))
            json_error = "expected : after \"" in_short(name) "\""
        if (json_error == "")
            parse_value(out, name)
        if (json_error != "")
            return
    } while (token(","))
    if (!token("}"))
        json_error = "expected , or } at " where_am_i()
}

function parse_value(out, name) {
    json_rest = ltrim(json_rest)
    json_kind[name] = json_rest ~ /^"/ ? "text" : json_rest ~ /^\[/ ? "words" : json_rest ~ /^[{]/ ? "object" : "word"
    if (json_rest ~ /^"/)
        out[name] = parse_string()
    else if (json_rest ~ /^[{]/)
        parse_object(out, name ".")
    else if (token("["))
        parse_array(out, name)
    else
        out[name] = parse_word(name)
}

function parse_array(out, name,    list, objects) {
    list = ""
    if (!token("]")) {
        do {
            if (ltrim(json_rest) ~ /^[{]/) {
                list = ++objects
                json_kind[name] = "objects"
                parse_object(out, name "." objects ".")
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
    json_rest = ltrim(json_rest)
    if (!match(json_rest, /^[-+.0-9A-Za-z]+/)) {
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
    json_rest = ltrim(json_rest)
    if (!match(json_rest, /^"([^"\\\001-\037]|\\["\\\/bfnrt]|\\u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f])*"/)) {
        json_error = "expected a quoted text at " where_am_i()
        return ""
    }
    text = substr(json_rest, 2, RLENGTH - 2)
    json_rest = substr(json_rest, RLENGTH + 1)
    return index(text, "\\") ? unescape(text) : text
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
    if (json_rest ~ /^[ \t\r]/)
        json_rest = ltrim(json_rest)
    if (substr(json_rest, 1, 1) != letter)
        return 0
    json_rest = substr(json_rest, 2)
    return 1
}

function ltrim(text) {
    sub(/^[ \t\r]+/, "", text)
    return text
}

function where_am_i() {
    return json_rest == "" ? "its end" : in_short(json_rest)
}

function in_short(text) {
    return printable(substr(text, 1, 20))
}
