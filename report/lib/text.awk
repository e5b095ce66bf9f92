# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Texts for people. With LC_ALL=C a text is bytes in every awk, and width() counts the characters of UTF-8.

# In characters. Marks of page.awk take no room, nor do the bytes that continue a character of UTF-8.
function width(text) {
    gsub(/[\001-\006\200-\277]/, "", text)
    return length(text)
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

function repeated(text, n,    line) {
    line = spaces(n)
    gsub(/ /, text, line)
    return line
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

function base_name(path) {
    sub(/.*\//, "", path)
    return path
}
