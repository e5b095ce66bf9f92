# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What of a text a terminal or a page may show. Whatever a step, a submission or a file says passes through here;
# `printable` of common/prelude.sh is the same for scripts. A text is bytes (LC_ALL=C), and so UTF-8.
#
# printable(text)        on one line: a run of control characters becomes a blank
# printable_lines(text)  the same, but tabs and line breaks stay
# plain(text)            what both do with the rest: bytes that are not UTF-8 (some terminals obey 0x80 to 0x9f) and
#                        HIDDEN characters become ?
#
# HIDDEN are characters that a terminal obeys, and those that nobody sees and that reorder or disguise a text: C1, the
# soft hyphen, bidirectional controls, zero-width spaces and joiners of words, separators of lines and paragraphs, byte
# order marks, annotations, tags, what is no character. U+200C and U+200D stay: scripts and emoji need them.

BEGIN {
    HIDDEN = "(\302[\200-\237\255]|\330\234|\342\200[\213\216\217\250-\256]|\342\201[\240-\257]" \
             "|\357\273\277|\357\277[\271-\273\276\277]|\363\240[\200\201][\200-\277])+"
    MOST_PLAIN = 10000 # bytes; nobody reads more, and some awks take long
}

function printable(text) {
    gsub(/[^\040-\176\200-\377]+/, " ", text)
    return plain(text)
}

function printable_lines(text) {
    gsub(/[^\t\n\040-\176\200-\377]+/, " ", text)
    return plain(text)
}

function plain(text) {
    if (text !~ /[\200-\377]/ || (is_utf8(text) && text !~ HIDDEN))
        return text
    if (length(text) > MOST_PLAIN)
        return without_high_bytes(text)
    text = only_utf8(text)
    gsub(HIDDEN, "?", text)
    return text
}

function is_utf8(text) {
    return text ~ /^([\001-\177]|[\302-\337][\200-\277]|\340[\240-\277][\200-\277]|[\341-\354\356\357][\200-\277][\200-\277]|\355[\200-\237][\200-\277]|\360[\220-\277][\200-\277][\200-\277]|[\361-\363][\200-\277][\200-\277][\200-\277]|\364[\200-\217][\200-\277][\200-\277])*$/
}

# Each run of bytes that are no part of a character becomes a ?.
function only_utf8(text,    length_of, result) {
    result = ""
    while (match(text, /[\200-\377]/)) {
        result = result substr(text, 1, RSTART - 1)
        text = substr(text, RSTART)
        for (length_of = 4; length_of > 1 && !is_utf8(substr(text, 1, length_of)); length_of--)
            ;
        if (length_of > 1)
            result = result substr(text, 1, length_of)
        else if (result !~ /\377$/)
            result = result "\377"
        text = substr(text, length_of + 1)
    }
    result = result text
    gsub(/\377/, "?", result)
    return result
}

function without_high_bytes(text) {
    gsub(/[\200-\377]+/, "?", text)
    return text
}
