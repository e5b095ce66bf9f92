# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The words of a step.md: what stands below its header, section by section.

# Sets titles[1..n], such as "## What we saw", and texts[1..n], and returns n. The first section is what stands before any
# title: its title is "". Headings within a section move one level down. `most` lines are read, 0 for all; where there are
# more, the last text says so.
function read_sections(path, most, titles, texts,    line, lines, n, body, fenced) {
    n = 1
    lines = body = fenced = 0
    titles[1] = texts[1] = ""
    while ((getline line < path) > 0) {
        sub(/\r$/, "", line)
        if (!body) {
            body = line == ""
            continue
        }
        if (most && ++lines > most) {
            texts[n] = texts[n] (fenced ? "```\n" : "") "\n(There is more in the file.)\n"
            break
        }
        if (line ~ /^(```|~~~)/)
            fenced = !fenced
        if (!fenced && line ~ /^## /) {
            titles[++n] = line
            texts[n] = ""
        } else
            texts[n] = texts[n] (!fenced && line ~ /^#+ / ? "#" : "") line "\n"
    }
    close(path)
    return n
}

# Whether there are words in it: comments are none, nor is what `make new` writes, in brackets, for somebody to replace.
function is_written(text) {
    text = without_comments(text)
    sub(/^[ \t\n]+/, "", text)
    sub(/[ \t\n]+$/, "", text)
    return text != "" && text !~ /^\([^()]*\)$/
}

function without_comments(text) {
    while (match(text, /<!--([^-]|-[^-]|--[^>])*-->/))
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    return text
}
