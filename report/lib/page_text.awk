# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Pages as text for a terminal or a mail. See page.awk.

function text_heading(level, text,    line) {
    text = text_clean(text)
    line = page_margin text_marks(text)
    if (page_underline)
        line = line "\n" page_margin repeated(level == 1 ? "=" : "-", width(text))
    return (level > 1 && !page_underline ? "\n" : "") line
}

function text_wrapped(text, margin) {
    return text_marks(wrapped(text_clean(text), margin, page_columns - width(margin)))
}

function text_lines(text,    n, lines, i, result) {
    n = split(text, lines, "\n")
    for (i = 1; i <= n; i++)
        result = result (i > 1 ? "\n" : "") page_margin printable_lines(lines[i])
    return result
}

# A column is as wide as it was said to be, or as its widest cell.
function text_table(p,    c, r, widths, line) {
    line = ""
    for (c = 1; c <= table_columns; c++) {
        widths[c] = column_width[c] > 0 ? column_width[c] : text_widest(c)
        line = line text_cell(c, 1, column_title[c], widths)
    }
    emit(p, text_line(strong(line)), "table")
    for (r = 1; r <= table_rows; r++) {
        line = ""
        for (c = 1; c <= row_end[r]; c += cell_columns[r, c])
            line = line text_cell(c, cell_columns[r, c], text_content(r, c), widths)
        emit(p, text_line(line), "row")
        if (row_notes[r] != "")
            text_notes(p, row_notes[r])
    }
}

function text_widest(c,    r, widest) {
    widest = width(column_title[c])
    for (r = 1; r <= table_rows; r++)
        if (cell_columns[r, c] == 1)
            widest = larger(widest, width(text_content(r, c)))
    return widest
}

# What is cut loses its marks.
function text_content(r, c,    text) {
    text = text_clean(table_cell[r, c])
    if (column_most[c] <= 0 || width(text) <= column_most[c])
        return text
    gsub(/[\001-\006]/, "", text)
    return clip(text, column_most[c])
}

function text_notes(p, notes,    n, lines, i) {
    n = split(notes, lines, "\n")
    for (i = 1; i <= n; i++)
        emit(p, text_wrapped(lines[i], page_margin "    "), "row")
}

function text_cell(c, columns, text, widths,    room, i) {
    for (i = c; i < c + columns; i++)
        room += widths[i] + (i > c ? page_gap : 0)
    return spaces(c > 1 ? page_gap : 0) (column_align[c] == "left" ? pad(text, room) : lpad(text, room))
}

function text_line(line) {
    line = text_marks(line)
    sub(/ +$/, "", line)
    return page_margin line
}

function text_fact(label, text) {
    if (page_label_width > 0)
        return page_margin pad(label, page_label_width) text_marks(clip(text, page_columns - page_label_width))
    return substr(text_wrapped(label ": " text, page_margin "  "), 3)
}

# As printable() has it, with our own marks.
function text_clean(text) {
    gsub(/[^\001-\006\040-\176\200-\377]+/, " ", text)
    return plain(text)
}

function text_marks(text) {
    return rendered("text", text)
}

function text_mark(mark, begins) {
    if (!page_colour || mark == "\001")
        return ""
    if (!begins)
        return "\033[0m"
    return "\033[" (mark == "\002" ? 1 : mark == "\003" ? 31 : mark == "\004" ? 33 : 32) "m"
}
