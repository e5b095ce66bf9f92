# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Pages as HTML: one file, with its style in it. See page.awk.

function html_begin(p) {
    emit(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" \
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" \
            (page_sealed ? "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'" \
                           (page_script == "" ? "" : "; script-src '" page_script "'") "\">\n" : "") \
            "<title>" html_escaped(page_title) "</title>\n<style>\n" html_style() "</style>\n</head>\n<body>", "begin")
}

function html_style(    n, paths, i, text) {
    n = split(page_styles, paths, " ")
    for (i = 1; i <= n; i++)
        text = text file_text(paths[i])
    return text
}

function file_text(path,    line, text) {
    text = ""
    while ((getline line < path) > 0)
        text = text line "\n"
    close(path)
    return text
}

function html_end(p) {
    emit(p, "</body>\n</html>", "end")
}

function html_element(name, text, id) {
    return "<" name (id == "" ? "" : " id=\"" html_escaped(id) "\"") ">" rendered("html", text) "</" name ">"
}

function html_mark(mark, begins) {
    if (mark == "\001")
        return begins ? "<code>" : "</code>"
    if (mark == "\002")
        return begins ? "<b>" : "</b>"
    if (mark == "\007")
        return "</a>"
    return begins ? "<span class=\"" (mark == "\003" ? "red" : mark == "\004" ? "yellow" : "green") "\">" : "</span>"
}

# The sign of a verdict, "pass" or "pass, cleared": nobody has to tell colours apart. "" for other texts, and where
# read_verdicts() was not called.
function html_sign(text) {
    sub(/,.*/, "", text)
    return (text in verdict_sign_of) ? "<span class=\"sign\" aria-hidden=\"true\">" html_escaped(verdict_sign(text)) "</span> " : ""
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
    line = "<div class=\"table\" tabindex=\"0\">\n<table" attributes["table"] ">\n<thead>\n<tr>"
    for (c = 1; c <= table_columns; c++)
        line = line html_cell("th", c, column_title[c], " scope=\"col\"" attributes["column", c])
    emit(p, line "</tr>\n</thead>\n<tbody>", "table")
    for (r = 1; r <= table_rows; r++) {
        line = "<tr" attributes["row", r] ">"
        for (c = 1; c <= row_end[r]; c += cell_columns[r, c])
            line = line html_cell((r SUBSEP c) in is_heading ? "th" : "td", c, table_cell[r, c], \
                                  ((r SUBSEP c) in is_heading ? " scope=\"row\"" : "") \
                                  (cell_columns[r, c] > 1 ? " colspan=\"" cell_columns[r, c] "\"" : "") attributes[r, c])
        emit(p, line "</tr>", "table")
        if (row_notes[r] != "")
            emit(p, "<tr><td class=\"note\" colspan=\"" table_columns "\">" broken_lines("html", row_notes[r]) "</td></tr>", "table")
    }
    emit(p, "</tbody>\n</table>\n</div>", "table")
}

# Its `more` attributes are markup already.
function html_cell(name, c, text, more) {
    return "<" name (column_align[c] == "left" || more ~ / class=/ ? "" : " class=\"right\"") more ">" rendered("html", text) "</" name ">"
}
