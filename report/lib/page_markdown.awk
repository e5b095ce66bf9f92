# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Pages as Markdown. See page.awk. Only paragraphs begin a line with text of ours or of others: markdown_line() escapes
# what means something only there.

function markdown_heading(level, text) {
    return repeated("#", level) " " markdown_text(text) "\n"
}

function markdown_text(text) {
    return rendered("markdown", text)
}

# A line that is no list (- + 1.), no heading (# =) and no code.
function markdown_line(text) {
    sub(/^[ \t]+/, "", text)
    if (text ~ /^[-+#=]/)
        return "\\" text
    if (match(text, /^[0-9]+[.)]/))
        return substr(text, 1, RLENGTH - 1) "\\" substr(text, RLENGTH)
    return text
}

# Shown as it was written, and never as markup, HTML or the edge of a table's cell.
function markdown_escaped(text,    at, result) {
    text = printable(text)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/[][\\`*|~$]/, "\\\\&", text)
    result = ""
    while ((at = index(text, "_")) > 0) { # within a word it means nothing: opt05_multiblock
        result = result substr(text, 1, at - 1) \
                 (substr(text, at - 1, 3) ~ /^[A-Za-z0-9]_[A-Za-z0-9]$/ ? "_" : "\\_")
        text = substr(text, at + 1)
    }
    return result text
}

# As code. A backquote would end it.
function markdown_code(text) {
    gsub(/`/, "'", text)
    gsub(/[|]/, "\\\\&", text)
    return text
}

function markdown_table(p,    c, r, line, rule) {
    line = rule = "|"
    for (c = 1; c <= table_columns; c++) {
        line = line " " markdown_text(column_title[c]) (column_title[c] == "" ? "|" : " |")
        rule = rule (column_align[c] == "left" ? "---|" : "--:|")
    }
    emit(p, line "\n" rule, "table")
    for (r = 1; r <= table_rows; r++) {
        line = "|"
        for (c = 1; c <= table_columns; c++)
            line = line " " (((r, c) in table_cell) ? markdown_text(table_cell[r, c]) : "") " |"
        emit(p, line, "table")
        if (row_notes[r] != "")
            emit(p, "| " broken_lines("markdown", row_notes[r]) " |" repeated(" |", table_columns - 1), "table")
    }
    emit(p, "", "table")
}
