# Reads records (results.jsonl; the fields are in README.md) for the programs beside it:
#
#     awk -f records.awk -f table.awk < results.jsonl
#
# Every line of the input becomes one record. When END is reached, ids[1..count] are the records that
# count, and rec[id, field] is a field of one: text unescaped, numbers as they stood, true and false
# as those words, an array of numbers as the numbers with a blank between, a field of the device as
# "device.name". What is null or missing is "": not measured. Where a later record has the same
# submission, step, kind, problem, input and device, the later one counts.
#
# POSIX awk, so that a GPU node that has nothing else can print its table. Run it with LC_ALL=C:
# text is then bytes in every awk, and width() counts the characters of UTF-8.

BEGIN {
    source = ("RECORDS" in ENVIRON) ? ENVIRON["RECORDS"] : "standard input"
    count = 0
    bad_input = 0 # END rules run after exit too: each begins with `if (bad_input) exit 2`
    for (i = 1; i < 256; i++)
        byte_of[sprintf("%c", i)] = i
}

/[^ \t\r]/ {
    problem_found = parse_record($0, fields)
    if (problem_found != "") {
        printf "%s:%d: not a record: %s; a line must be one JSON object as report/README.md says. " \
               "Remove the line, or grade again.\n", source, NR, problem_found > "/dev/stderr"
        bad_input = 1
        exit 2
    }
    key = fields["submission"] SUBSEP fields["step"] SUBSEP fields["kind"] SUBSEP \
          fields["problem"] SUBSEP fields["input"] SUBSEP fields["device.name"]
    if (!(key in id_of)) {
        id_of[key] = ++count
        ids[count] = count
    } else {
        for (name in known)
            delete rec[id_of[key], name]
    }
    for (name in fields) {
        rec[id_of[key], name] = fields[name]
        known[name] = 1
    }
}

# ---- JSON ------------------------------------------------------------------------------------

# Read one line into out[field]. Returns "" or what is wrong.
function parse_record(line, out,    name) {
    for (name in out)
        delete out[name]
    json_rest = line
    json_error = ""
    parse_object(out, "")
    if (json_error == "" && json_rest !~ /^[ \t\r]*$/)
        json_error = "something follows the closing brace"
    if (json_error == "" && out["step"] == "")
        json_error = "it has no \"step\""
    return json_error
}

function parse_object(out, prefix,    name) {
    if (!token("{")) {
        json_error = "expected { at " where_am_i()
        return
    }
    if (token("}"))
        return
    do {
        name = prefix parse_string()
        if (json_error == "" && !token(":"))
            json_error = "expected : after \"" name "\""
        if (json_error == "")
            parse_value(out, name)
        if (json_error != "")
            return
    } while (token(","))
    if (!token("}"))
        json_error = "expected , or } at " where_am_i()
}

function parse_value(out, name,    list) {
    json_rest = ltrim(json_rest)
    if (json_rest ~ /^"/)
        out[name] = parse_string()
    else if (json_rest ~ /^[{]/)
        parse_object(out, name ".")
    else if (json_rest ~ /^\[/) {
        token("[")
        list = ""
        if (!token("]")) {
            do {
                list = list (list == "" ? "" : " ") parse_word(name)
                if (json_error != "")
                    return
            } while (token(","))
            if (!token("]"))
                json_error = "expected , or ] at " where_am_i()
        }
        out[name] = list
    } else
        out[name] = parse_word(name)
}

# A number, true, false or null.
function parse_word(name,    word) {
    json_rest = ltrim(json_rest)
    if (!match(json_rest, /^[-+.0-9A-Za-z]+/)) {
        json_error = "no value for \"" name "\""
        return ""
    }
    word = substr(json_rest, 1, RLENGTH)
    if (word !~ /^(true|false|null)$/ && word !~ /^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$/) {
        json_error = "\"" name "\" is neither text, number, true, false nor null: " word
        return ""
    }
    json_rest = substr(json_rest, RLENGTH + 1)
    return word == "null" ? "" : word
}

function parse_string(    text) {
    json_rest = ltrim(json_rest)
    if (!match(json_rest, /^"([^"\\]|\\.)*"/)) {
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
    point = hex4(text)
    if (unicode_length(text) == 10)
        point = 65536 + (point - 55296) * 1024 + hex4(substr(text, 7)) - 56320
    if (point == 0)
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

function hex4(text,    i, value) {
    value = 0
    for (i = 1; i <= 4; i++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
    return value
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
    return json_rest == "" ? "its end" : printable(substr(json_rest, 1, 20))
}

# ---- what several programs need ----------------------------------------------------------------

# What one record leaves out and others of its submission know. Call this first in END.
function fill_gaps(    i) {
    # A step that failed before it ran (a compile error) may know neither its input nor its device.
    fill_from_others("input rows columns bytes iterations device.kind device.name", \
                     "submission problem")
    # A streaming read is measured before the roof is known, a baseline may not know the reference.
    for (i = 1; i <= count; i++)
        if (field(i, "reference_s") != "" && field(i, "iterations") + 0 > 0)
            rec[i, "reference_s_1000"] = field(i, "reference_s") / field(i, "iterations") * 1000
    fill_from_others("reference_s_1000 roof_gbps", "submission problem device.name input")
    one_reference()
    for (i = 1; i <= count; i++) {
        if (seconds_for(i, 1000) == "" || field(i, "kind") == "empty") # that one computes nothing
            continue
        if (field(i, "reference_s_1000") != "")
            rec[i, "speedup"] = field(i, "reference_s_1000") / seconds_for(i, 1000)
        if (field(i, "roof_fraction") == "" && field(i, "roof_gbps") != "" && field(i, "gbps") != "")
            rec[i, "roof_fraction"] = field(i, "gbps") / field(i, "roof_gbps")
    }
}

# Recorded results may come from several runs, each with a reference of its own. What stands in one
# table or chart is held against one: that of the reference's own record, the latest.
function one_reference(    i, who, latest) {
    for (i = 1; i <= count; i++)
        if (field(i, "kind") == "baseline" && field(i, "step") ~ /^reference/)
            latest[reference_group(i)] = field(i, "reference_s_1000")
    for (i = 1; i <= count; i++)
        if (reference_group(i) in latest)
            rec[i, "reference_s_1000"] = latest[reference_group(i)]
}

function reference_group(id) {
    return field(id, "submission") SUBSEP field(id, "problem") SUBSEP field(id, "device.name") SUBSEP \
           field(id, "input")
}

# Give a record that lacks a field (null, or 0 where 0 says nothing) the first value that another
# record with the same `common` fields has.
function fill_from_others(fields_list, common,    i, pass, who, names, n, name, keys, k, m) {
    n = split(fields_list, names, " ")
    m = split(common, keys, " ")
    for (pass = 1; pass <= 2; pass++)
        for (i = 1; i <= count; i++) {
            who = ""
            for (k = 1; k <= m; k++)
                who = who field(i, keys[k]) SUBSEP
            for (name = 1; name <= n; name++)
                if (field(i, names[name]) != "" && field(i, names[name]) != "0") {
                    if (!((who, names[name]) in usual))
                        usual[who, names[name]] = field(i, names[name])
                } else if (pass == 2 && (who, names[name]) in usual)
                    rec[i, names[name]] = usual[who, names[name]]
        }
}

function field(id, name) {
    return ((id, name) in rec) ? rec[id, name] : ""
}

# Seconds for n calls, "" where not measured. No emulated time is ever shown as a GPU's.
function seconds_for(id, n) {
    if (field(id, "median_s") == "" || field(id, "iterations") + 0 == 0 || \
        field(id, "device.kind") == "cpu")
        return ""
    return field(id, "median_s") / field(id, "iterations") * n
}

# Seconds that n calls' bytes take at a bandwidth in GB/s, "" where either is unknown.
function seconds_at(id, gbps, n) {
    return (field(id, "bytes") == "" || gbps + 0 == 0) ? "" : field(id, "bytes") * n / gbps / 1e9
}

# What the record was there to show: a pass, or (for a step that shows a mistake) its verdict.
function as_intended(id) {
    return field(id, "verdict") == "pass" || field(id, "verdict") == field(id, "intended")
}

function verdict_shown(id) {
    return field(id, "verdict") (field(id, "verdict") != "pass" && as_intended(id) ? ", intended" : "")
}

function is_step(id) {
    return field(id, "kind") == "" || field(id, "kind") == "step"
}

# `digits` significant digits, never an exponent: 0.01540, 7720, 1200000.
function significant(value, digits,    whole, decimals) {
    if (value == "")
        return "-"
    value += 0
    decimals = digits - 1
    for (whole = value < 0 ? -value : value; whole >= 10 && decimals > 0; whole /= 10)
        decimals--
    for (; whole > 0 && whole < 1 && decimals < 9; whole *= 10)
        decimals++
    return sprintf("%.*f", decimals, value)
}

# Text from a submission goes to terminals and pages: no control characters.
function printable(text) {
    gsub(/[\001-\037\177]+/, " ", text)
    return text
}

function width(text) {
    gsub(/[\200-\277]/, "", text) # the bytes that continue a UTF-8 character
    return length(text)
}

# For a terminal, where -v colour=1 says that it is one.
function bold(text) {
    return colour ? "\033[1m" text "\033[0m" : text
}

function verdict_colour(text, verdict) {
    if (!colour)
        return text
    return "\033[" (verdict == "pass" ? 32 : verdict == "flagged" || verdict == "harness-error" ? 33 : 31) \
           "m" text "\033[0m"
}

function pad(text, columns) {
    return text spaces(columns - width(text))
}

function lpad(text, columns) {
    return spaces(columns - width(text)) text
}

function spaces(n) {
    return n > 0 ? sprintf("%" n "s", "") : ""
}

function print_wrapped(text, indent, columns) {
    if (text != "")
        print wrapped(text, indent, columns)
}

# The text in lines of that many characters behind the indent.
function wrapped(text, indent, columns,    words, n, i, line, lines, end) {
    n = split(text, words, " ")
    line = lines = ""
    for (i = 1; i <= n; i++) {
        while (width(words[i]) > columns) { # a path or a type name can be longer than a line
            if (line != "")
                lines = lines indent line "\n"
            line = ""
            end = leading(words[i], columns)
            lines = lines indent end "\n"
            words[i] = substr(words[i], length(end) + 1)
        }
        if (line != "" && width(line) + 1 + width(words[i]) > columns) {
            lines = lines indent line "\n"
            line = words[i]
        } else
            line = line (line == "" ? "" : " ") words[i]
    }
    return line == "" ? substr(lines, 1, length(lines) - 1) : lines indent line
}

# The first n characters (of UTF-8: a byte count would cut one in two).
function leading(text, n,    end) {
    for (end = 1; end <= length(text) && n >= 0; end++)
        if (substr(text, end, 1) !~ /[\200-\277]/ && --n < 0)
            break
    return substr(text, 1, end - 1)
}

function clip(text, columns) {
    text = printable(text)
    return width(text) > columns ? leading(text, columns - 1) "~" : text
}

# Sort list[1..n] of ids by the text key[id]: the ladder's order is the order of the steps' names.
function sort_ids(list, n, key,    i, j, id) {
    for (i = 2; i <= n; i++) {
        id = list[i]
        for (j = i - 1; j >= 1 && key[list[j]] "" > key[id] ""; j--)
            list[j + 1] = list[j]
        list[j + 1] = id
    }
}
