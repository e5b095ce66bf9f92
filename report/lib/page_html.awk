# Pages as HTML. See page.awk.

function html_begin(p) {
    emit(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n" \
            "<style>\nbody { font-family: sans-serif; max-width: 60em; margin: 1em auto; }\n" \
            "table { border-collapse: collapse; }\nth, td { padding: 0.1em 0.6em; text-align: left; }\n" \
            ".right { text-align: right; }\n</style>", "begin")
}

function html_end(p) {
    emit(p, "</html>", "end")
}

function html_element(name, text) {
    return "<" name ">" rendered("html", text) "</" name ">"
}

function html_escaped(text) {
    text = printable_lines(text)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

function html_preformatted(text) {
    return "<pre>\n" html_escaped(text) "\n</pre>\n"
}

function html_table(p,    c, r, line) {
    line = "<table>\n<tr>"
    for (c = 1; c <= table_columns; c++)
        line = line html_cell("th", c, column_title[c], "")
    emit(p, line "</tr>", "table")
    for (r = 1; r <= table_rows; r++) {
        line = "<tr>"
        for (c = 1; c <= row_end[r]; c += cell_columns[r, c])
            line = line html_cell("td", c, table_cell[r, c], \
                                  cell_columns[r, c] > 1 ? " colspan=\"" cell_columns[r, c] "\"" : "")
        emit(p, line "</tr>", "table")
        if (row_notes[r] != "")
            emit(p, "<tr>" html_cell("td", 1, row_notes[r], " colspan=\"" table_columns "\"") "</tr>", "table")
    }
    emit(p, "</table>", "table")
}

function html_cell(name, c, text, attributes) {
    return "<" name (column_align[c] == "left" ? "" : " class=\"right\"") attributes ">" rendered("html", text) "</" name ">"
}
