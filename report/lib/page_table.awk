# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The tables of a page (page.awk):
#
#     begin_table(); table_column(title, align, room, most)...; then for each row: row(); put(text)...; end_table()

function begin_table(    at) {
    for (at in table_cell)
        delete table_cell[at]
    for (at in cell_columns)
        delete cell_columns[at]
    for (at in attributes)
        delete attributes[at]
    for (at in is_heading)
        delete is_heading[at]
    table_columns = table_rows = 0
    attribute_of = "table"
}

# align: "left" or "right". room: characters of a text page; 0 is as wide as its widest cell. most: what a cell
# of a text page is cut to; 0 cuts nothing, and other pages show all of it.
function table_column(title, align, room, most) {
    column_title[++table_columns] = title
    column_align[table_columns] = align
    column_width[table_columns] = room
    column_most[table_columns] = most
    attribute_of = "column" SUBSEP table_columns
}

function row() {
    row_end[++table_rows] = 0
    row_notes[table_rows] = ""
    attribute_of = "row" SUBSEP table_rows
}

# The row's next cell, over that many columns (one where nothing is said).
function put(text, columns) {
    table_cell[table_rows, row_end[table_rows] + 1] = text
    cell_columns[table_rows, row_end[table_rows] + 1] = columns ? columns : 1
    attribute_of = table_rows SUBSEP row_end[table_rows] + 1
    row_end[table_rows] += columns ? columns : 1
}

# A cell that names its row, for who has the table read out.
function put_heading(text) {
    put(text)
    is_heading[attribute_of] = 1
}

# In HTML: an attribute of the table, column (its heading), row or cell that was begun last.
function attribute(name, value) {
    attributes[attribute_of] = attributes[attribute_of] " " name "=\"" html_escaped(value) "\""
}

# What stands below the row, each on lines of its own.
function row_note(text) {
    row_notes[table_rows] = row_notes[table_rows] (row_notes[table_rows] == "" ? "" : "\n") printable(text)
}

function end_table(    p) {
    for (p = 1; p <= pages; p++)
        if (page_format[p] == "text")
            text_table(p)
        else if (page_format[p] == "markdown")
            markdown_table(p)
        else
            html_table(p)
}
