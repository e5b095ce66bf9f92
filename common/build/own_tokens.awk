# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Splits a line of a step into tokens, for own_text.awk, which takes them.

# A literal ends with its suffix: what follows "..."R is a string of its own, not a raw one.
function read_line(text,    raw_end, at) {
    while (text != "") {
        if (match(text, /^[ \t\f\v]+/)) {
            text = substr(text, RLENGTH + 1)
        } else if (match(text, /^(u8|u|U|L)?R"[^ ()\\\t"]*\(/)) {
            raw_end = substr(text, 1, RLENGTH - 1)
            sub(/^[^"]*"/, "", raw_end)
            raw_end = ")" raw_end "\""
            at = index(substr(text, RLENGTH + 1), raw_end)
            if (!at)
                return fail("a raw string must end in the line in which it begins: write one for each line")
            RLENGTH += at + length(raw_end) - 1
            text = literal("string", "R", text)
        } else if (match(text, /^([A-Za-z_$]|[^\001-\177])([A-Za-z0-9_$]|[^\001-\177])*/)) {
            text = taken("name", substr(text, 1, RLENGTH), text)
        } else if (match(text, /^\.?[0-9]([eEpP][-+]|\047?[0-9A-Za-z_.])*/)) {
            text = taken("number", substr(text, 1, RLENGTH), text)
        } else if (match(text, /^"([^"\\]|\\.)*"/)) {
            text = literal("string", substr(text, 1, RLENGTH), text)
        } else if (match(text, /^\047([^\047\\]|\\.)*\047/)) {
            text = literal("number", substr(text, 1, RLENGTH), text)
        } else {
            text = sign(text)
        }
    }
}

# What is left of the text once the token of RLENGTH characters at its beginning has been taken.
function taken(kind, token, text,    length_of) {
    length_of = RLENGTH
    take(kind, token)
    return substr(text, length_of + 1)
}

function literal(kind, token, text) {
    text = taken(kind, token, text)
    sub(/^([A-Za-z_$]|[^\001-\177])([A-Za-z0-9_$]|[^\001-\177])*/, "", text)
    return text
}

# Brackets and braces may be written as digraphs; <:: is < and :: where neither : nor > follows.
function sign(text) {
    RLENGTH = 2
    if (text ~ /^::/) {
        take("sign", ":")
        return taken("sign", ":", text)
    }
    if (text ~ /^<</)
        return taken("sign", "<<", text)
    if (text ~ /^%:/)
        return taken("sign", "#", text)
    if (text ~ /^<:/ && text !~ /^<::([^:>]|$)/)
        return taken("sign", "[", text)
    if (text ~ /^:>/)
        return taken("sign", "]", text)
    if (text ~ /^<%/)
        return taken("sign", "{", text)
    if (text ~ /^%>/)
        return taken("sign", "}", text)
    RLENGTH = 1
    return taken("sign", substr(text, 1, 1), text)
}
