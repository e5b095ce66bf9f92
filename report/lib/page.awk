# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The one page writer. A view says once what its page holds; each open page gets it in its format: text for a
# terminal or a mail, Markdown, HTML (page_text.awk, page_markdown.awk, page_html.awk: a few small functions each).
# Its tables are in page_table.awk.
#
#     open_page(format, path)   "text", "markdown" or "html"; path "" is standard output. Several may be open
#     heading(level, text, id), paragraph(text), fact(label, text), item(text, in_short), preformatted(text), image(path, text, title)
#     begin_table(); table_column(title, align, room, most)...; then for each row: row(); put(text)...; end_table()
#     markup(text): HTML of ours, for what has no function here
#     close_pages()
#
# All text is data: each format escapes what it would take for markup, and control characters become blanks.
# code(), strong(), coloured() and link() mark a part of a text; a mark is one control character, which printable()
# takes out. Text pages: page_columns wide, page_margin before each line, page_gap blanks between the columns
# of a table, page_spaced = 1 with a blank line between elements, page_label_width for aligned facts. page_title is the
# title of an HTML page, page_styles its style sheets; with page_sealed = 1 it loads and runs nothing, whatever stands in it,
# but the script whose hash is page_script ("sha256-...", of what stands between its tags). page_only names the formats that get what is said while it is set; "" is all.

BEGIN {
    page_columns = 96
    page_gap = 2
    page_margin = ""
    page_underline = 0 # headings of text pages
    page_spaced = 0
    page_label_width = 0
    page_colour = 0    # for a terminal
    page_sealed = 0
    page_script = ""
    page_only = ""
    page_styles = "report/lib/page.css" # with blanks between
    pages = 0
}

function open_page(format, path) {
    page_format[++pages] = format
    page_path[pages] = path
    page_last[pages] = ""
    if (format == "html")
        html_begin(pages)
}

function close_pages(    p) {
    for (p = 1; p <= pages; p++) {
        if (page_format[p] == "html")
            html_end(p)
        if (page_path[p] != "")
            close(page_path[p])
    }
    pages = 0
}

# One or more lines to a page. `kind` is the element that they are of: a list begins and ends somewhere.
function emit(p, text, kind) {
    if (page_only != "" && !index(page_only, page_format[p]))
        return
    if (page_last[p] == "item" && kind != "item")
        text = (page_format[p] == "markdown" ? "\n" : page_format[p] == "html" ? "</ul>\n" : "") text
    if (page_last[p] != "item" && kind == "item" && page_format[p] == "html")
        text = "<ul>\n" text
    if (page_format[p] == "text" && page_spaced && page_last[p] != "" && kind != "row" && \
        !(kind == "item" && page_last[p] == "item"))
        text = "\n" text
    page_last[p] = kind
    if (page_path[p] == "")
        print text
    else
        print text > page_path[p]
}

# ---- elements ------------------------------------------------------------------------------------

# In HTML a link can point at its `id`.
function heading(level, text, id,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "text")
            emit(p, text_heading(level, text), "heading")
        else if (page_format[p] == "markdown")
            emit(p, markdown_heading(level, text), "heading")
        else
            emit(p, html_element("h" level, text, id), "heading")
}

function paragraph(text,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "text")
            emit(p, text_wrapped(text, page_margin), "paragraph")
        else if (page_format[p] == "markdown")
            emit(p, markdown_line(markdown_text(text)) "\n", "paragraph")
        else
            emit(p, html_element("p", text), "paragraph")
}

# `label: text`, for what is looked up rather than read.
function fact(label, text,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "text")
            emit(p, text_fact(label, text), "item")
        else if (page_format[p] == "markdown")
            emit(p, "- " markdown_text(strong(label ":") " " text), "item")
        else
            emit(p, html_element("li", strong(label ":") " " text), "item")
}

# in_short: what a page of text shows instead, where that is given.
function item(text, in_short,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "text")
            emit(p, text_wrapped(in_short == "" ? text : in_short, page_margin), "item")
        else if (page_format[p] == "markdown")
            emit(p, "- " markdown_line(markdown_text(text)), "item")
        else
            emit(p, html_element("li", text), "item")
}

# Lines that stay as they are.
function preformatted(text,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "text")
            emit(p, text_lines(text), "preformatted")
        else # Markdown takes HTML, and needs no escapes of its own in there
            emit(p, html_preformatted(text), "preformatted")
}

# `text` says what the picture shows; `title`, where it is given, what it is called. A page of text has none.
function image(path, text, title,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "markdown")
            emit(p, "![" markdown_text(text) "](" path ")\n", "image")
        else if (page_format[p] == "html")
            emit(p, html_image(path, text, title), "image")
}

# HTML that is ours, markup and all. Pages in other formats have none of it.
function markup(text,    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "html")
            emit(p, text, "markup")
}

# ---- bars -----------------------------------------------------------------------------------------

# A bar of `reach` of `columns` columns. marks[column] is a letter that stands there instead.
function bar(reach, columns, letter, marks,    i, line) {
    line = ""
    for (i = 1; i <= columns; i++)
        line = line ((i in marks) ? marks[i] : i <= reach ? letter : " ")
    return line
}

# ---- marks in a text ------------------------------------------------------------------------------

function code(text) {
    text = printable(text)
    return text == "" ? "" : "\001" text "\006"
}

function strong(text) {
    return "\002" printable(text) "\006"
}

# Whether all open pages that get what is said now are HTML.
function only_html(    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] != "html" && page_only != "html")
            return 0
    return 1
}

# A link within a page of HTML; `title` is what it says when it is pointed at. What stands on a page of another format too
# gets the text alone.
function link(text, address, title) {
    if (!only_html())
        return printable(text)
    return "\007" printable(address) "\010" printable(title) "\010" printable(text) "\006"
}

# red, yellow or green, where the page is a terminal that shows it, or HTML: there a verdict has its sign, too.
function coloured(text, colour) {
    return (colour == "red" ? "\003" : colour == "yellow" ? "\004" : "\005") printable(text) "\006"
}

# Ours, with the marks of Markdown in it, as step.md has them: `code` and **strong**.
function with_marks(text,    n, parts, i, result) {
    n = split(printable(text), parts, "`")
    result = parts[1]
    for (i = 2; i <= n; i += 2)
        result = result (i < n ? code(parts[i]) parts[i + 1] : "`" parts[i])
    return result
}

# The text with a format's escapes and marks.
function rendered(format, text,    at, mark, open, result, parts) {
    result = open = ""
    while ((at = match(text, /[\001-\007]/)) > 0) {
        mark = substr(text, at, 1)
        result = result rendered_part(format, substr(text, 1, at - 1), open)
        if (mark == "\007") {
            open = mark
            split(substr(text, at + 1), parts, "\010")
            result = result "<a href=\"" html_escaped(parts[1]) (parts[2] == "" ? "" : "\" title=\"" html_escaped(parts[2])) "\">"
            at += length(parts[1]) + length(parts[2]) + 2
        } else if (mark == "\006") {
            result = result rendered_mark(format, open, 0)
            open = ""
        } else {
            result = result rendered_mark(format, mark, 1)
            open = mark
        }
        text = substr(text, at + 1)
    }
    return result rendered_part(format, text, open)
}

function rendered_part(format, text, open) {
    if (format == "markdown")
        return open == "\001" ? markdown_code(text) : markdown_escaped(text)
    return format == "html" ? (open ~ /[\003-\005]/ ? html_sign(text) : "") html_escaped(text) : text
}

# The notes of a row of a table, which are lines of plain text, in one cell.
function broken_lines(format, notes,    n, lines, i, result) {
    n = split(notes, lines, "\n")
    for (i = 1; i <= n; i++)
        result = result (i > 1 ? "<br>" : "") rendered_part(format, lines[i], "")
    return result
}

function rendered_mark(format, mark, begins) {
    if (format == "markdown")
        return mark == "\001" ? "`" : mark == "\002" ? "**" : ""
    if (format == "html")
        return html_mark(mark, begins)
    return text_mark(mark, begins)
}
