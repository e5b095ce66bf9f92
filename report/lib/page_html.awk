# Pages as HTML: one file, with its style in it. See page.awk.

function html_begin(p) {
    emit(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" \
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" \
            "<title>" html_escaped(page_title) "</title>\n<style>\n" html_style() "</style>\n</head>\n<body>", "begin")
}

function html_style(    path, line, text) {
    path = "report/lib/page.css"
    while ((getline line < path) > 0)
        text = text line "\n"
    close(path)
    return text
}

function html_end(p) {
    emit(p, "</body>\n</html>", "end")
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

# The picture is a link to itself: on a narrow screen it can be looked at alone.
function html_image(path, text, title) {
    path = html_escaped(path)
    return "<figure>\n<a href=\"" path "\"><img src=\"" path "\" alt=\"" html_escaped(title == "" ? text : title) "\"></a>\n" \
           "<figcaption>" html_escaped(text) "</figcaption>\n</figure>"
}

function html_table(p,    c, r, line) {
    line = "<div class=\"table\" tabindex=\"0\">\n<table>\n<thead>\n<tr>"
    for (c = 1; c <= table_columns; c++)
        line = line html_cell("th", c, column_title[c], " scope=\"col\"")
    emit(p, line "</tr>\n</thead>\n<tbody>", "table")
    for (r = 1; r <= table_rows; r++) {
        line = "<tr>"
        for (c = 1; c <= row_end[r]; c += cell_columns[r, c])
            line = line html_cell("td", c, table_cell[r, c], \
                                  cell_columns[r, c] > 1 ? " colspan=\"" cell_columns[r, c] "\"" : "")
        emit(p, line "</tr>", "table")
        if (row_notes[r] != "")
            emit(p, "<tr><td class=\"note\" colspan=\"" table_columns "\">" broken_lines("html", row_notes[r]) "</td></tr>", "table")
    }
    emit(p, "</tbody>\n</table>\n</div>", "table")
}

function html_cell(name, c, text, attributes) {
    return "<" name (column_align[c] == "left" ? "" : " class=\"right\"") attributes ">" rendered("html", text) "</" name ">"
}
