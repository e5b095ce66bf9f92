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
        result = result (i > 1 ? "\n" : "") page_margin text_marks(text_clean(lines[i]))
    return result
}

# A column is as wide as it was said to be, or as its widest cell.
function text_table(p,    c, r, widths, titles) {
    for (c = 1; c <= table_columns; c++) {
        titles[c] = column_title[c]
        widths[c] = column_width[c] > 0 ? column_width[c] : width(titles[c])
        for (r = 1; r <= table_rows && column_width[c] + 0 == 0; r++)
            if (c <= row_cells[r] - row_spans[r])
                widths[c] = larger(widths[c], width(text_clean(table_cell[r, c])))
    }
    emit(p, text_marks(strong(text_row(titles, table_columns, 0, widths))), "table")
    for (r = 1; r <= table_rows; r++) {
        for (c = 1; c <= row_cells[r]; c++)
            titles[c] = text_clean(table_cell[r, c])
        emit(p, text_marks(text_row(titles, row_cells[r], row_spans[r], widths)), "table")
        if (row_notes[r] != "")
            text_notes(p, row_notes[r])
    }
}

function text_notes(p, notes,    n, lines, i) {
    n = split(notes, lines, "\n")
    for (i = 1; i <= n; i++)
        emit(p, text_wrapped(lines[i], page_margin "    "), "table")
}

function text_row(cells, n, spans, widths,    c, line, room) {
    line = ""
    for (c = 1; c <= n; c++) {
        room = widths[c]
        if (spans && c == n)
            room = text_width(c, widths)
        line = line (c > 1 ? spaces(page_gap) : "") \
               (column_align[c] == "left" ? pad(cells[c], room) : lpad(cells[c], room))
    }
    sub(/ +$/, "", line)
    return page_margin line
}

# Of the columns from the one on, with the gaps between them.
function text_width(from, widths,    c, sum) {
    for (c = from; c <= table_columns; c++)
        sum += widths[c] + (c > from ? page_gap : 0)
    return sum
}

# No control characters but our own marks.
function text_clean(text) {
    gsub(/[\007-\037\177]+/, " ", text)
    return text
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
