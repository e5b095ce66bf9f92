# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Draws an access map (access_map.awk, which is read first) as SVG: who reads the first elements, what the first requests
# fetch, and what was missed or repeated. Nothing is said by grey alone: a number or a pattern says it too.
# -v step=NAME

BEGIN {
    WIDTH = 1020
    LEFT = 190
    CELL = 25
    ink = "#1a1a1a"
}

END {
    y = 34
    text_at(20, y, step ": which thread reads which element", 20, "bold")
    y += 22
    text_at(20, y, summary(), 13)
    for (i = 1; i <= launches; i++)
        text_at(20, y += 18, launch[i], 13)
    draw_readers()
    draw_requests()
    draw_reads()
    print_document()
}

function summary() {
    return "The input: " (flat ? plural(elements, "element") : rows " x " columns " elements") " of " plural(element_bytes, "byte")
}

# ---- what a drawing is made of --------------------------------------------------------------------------

function escaped(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function add(element) { body = body element "\n" }

function text_at(x, y, text, size, weight, anchor) {
    add(sprintf("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\"%s%s>%s</text>", x, y, size, \
        weight == "" ? "" : " font-weight=\"" weight "\"", anchor == "" ? "" : " text-anchor=\"" anchor "\"", escaped(text)))
}

function box(x, y, width, height, fill, stroke) {
    add(sprintf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"%s\"/>", x, y, width, height, fill, stroke))
}

function print_document(    i, n, said, told) {
    n = say_reads(said)
    for (i = 1; i <= totals; i++)
        told = told say_total(total[i]) ". "
    for (i = 1; i <= n; i++)
        told = told said[i] " "
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", WIDTH, y + 20, WIDTH, y + 20
    print " role=\"img\" aria-labelledby=\"title desc\" font-family=\"DejaVu Sans, Arial, Helvetica, sans-serif\">"
    print "<title id=\"title\">" escaped(step) ": which thread reads which element</title>"
    print "<desc id=\"desc\">" escaped(summary() ". " told) "</desc>"
    print "<defs><pattern id=\"missed\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#ffffff\"/>" \
        "<path d=\"M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2\" stroke=\"" ink "\" stroke-width=\"1.2\"/></pattern></defs>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n<g fill=\"%s\">\n%s</g>\n</svg>\n", WIDTH, y + 20, ink, body
}

# ---- who reads the first elements -------------------------------------------------------------------------

function draw_readers() {
    if (!read_any())
        return
    heading("Who reads the first elements", "A cell is an element, with its thread and the number of that thread's request. Neighbours should be neighbouring threads in one request.")
    draw_strip(0)
    draw_strip(32)
    if (!flat)
        draw_strip(columns)
}

function heading(title, explanation) {
    y += 40
    text_at(20, y, title, 16, "bold")
    y += 19
    text_at(20, y, explanation, 12)
    y += 12
}

function draw_strip(first,    e, x, f) {
    if (first >= elements)
        return
    text_at(20, y + 20, flat || first < columns ? "elements " first " to " least_of(first + 31, flat ? elements - 1 : columns - 1) : \
        "row " int(first / columns) ", columns 0 to " least_of(31, columns - 1), 12)
    text_at(20, y + 36, "thread, request", 12)
    x = LEFT
    for (e = first; e < first + 32 && e < elements && (flat || int(e / columns) == int(first / columns)); e++) {
        split(e in reader ? reader[e] : "", f, " ")
        draw_cell(x, f)
        x += CELL + ((e - first + 1) * element_bytes % SECTOR == 0 ? 4 : 0)
    }
    y += 62
}

function least_of(a, b) { return a < b ? a : b }

function draw_cell(x, f) {
    if (f[1] == "") {
        box(x, y, CELL, 50, "url(#missed)", ink)
        return
    }
    box(x, y, CELL, 50, shade(f[6]), ink)
    text_at(x + CELL / 2, y + 16, f[5], length(f[5]) > 3 ? 9 : 11, length(f[5]) > 3 ? "" : "bold", "middle")
    text_at(x + CELL / 2, y + 30, f[6], 10, "", "middle")
    if (f[8] > 1)
        text_at(x + CELL / 2, y + 44, "x" f[8], 10, "bold", "middle")
    else if (f[4] > 0)
        text_at(x + CELL / 2, y + 44, "b" f[4], 9, "", "middle")
}

# Of a request by its number: the first is white.
function shade(number) { return substr("#ffffff#dfe7ef#c3d2e2#a9bfd6", 7 * ((number - 1) % 4) + 1, 7) }

# ---- requests ------------------------------------------------------------------------------------------

function draw_requests(    i) {
    if (!requests)
        return
    heading("What the first requests fetch", "Below its name: the elements of its lanes, or bytes of the output. A box is a sector of 32 bytes. Dark: used. White: moved but not used. A gap: not moved.")
    for (i = 1; i <= requests; i++)
        draw_request(request[i])
    y += 6
    for (i = 1; i <= totals; i++)
        text_at(20, y += 20, say_total(total[i]), 13, "bold")
}

function draw_request(text,    i, x) {
    take_request(text)
    text_at(20, y + 12, "block " block " warp " warp " no. " number " line " line, 12)
    text_at(20, y + 26, (array == "output" ? "output " : "") lanes_elements(), 12)
    x = LEFT + 25
    for (i = 1; i <= sectors; i++) {
        x += i == 1 ? 0 : sector[i] == sector[i - 1] + 1 ? 19 : 22.5
        box(x, y + 3, 19, 22, "#ffffff", "#666666")
        draw_used(x + 1, sector[i] * SECTOR)
    }
    text_at(x + 26, y + 18, sectors, 12, "bold")
    y += 36
}

# What lanes use of a sector that begins at this byte: a box for bytes that lie side by side.
function draw_used(x, first,    b, from) {
    for (b = from = 0; b <= SECTOR; b++) {
        if (b < SECTOR && (first + b) in touched)
            continue
        if (b > from)
            box(x + 17 * from / SECTOR, y + 4, 17 * (b - from) / SECTOR, 20, ink, "none")
        from = b + 1
    }
}

# ---- missed and repeated elements -------------------------------------------------------------------------

function draw_reads(    said, n, i, r, c) {
    n = say_reads(said)
    y += 12
    for (i = 1; i <= n; i++)
        text_at(20, y += 20, said[i], 13, "bold")
    if (!(count_of["missed"] + count_of["repeated"]))
        return
    heading("The whole input", "White: read once. Hatched: some elements missed. Dark with 2: some read more than once. Dark with *: both. " \
        (flat ? "From left to right." : "Row by row, as the image lies."))
    for (r = 0; r < grid_rows; r++)
        for (c = 0; c < grid_columns; c++)
            draw_part(20 + 15 * c, y + 15 * r, (r, c) in cell ? cell[r, c] : "")
    y += 15 * grid_rows + 10
}

function draw_part(x, y, mark) {
    box(x, y, 15, 15, mark == "" ? "#ffffff" : mark == "x" ? "url(#missed)" : "#444444", "#999999")
    if (mark == "2" || mark == "*")
        add(sprintf("<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"middle\" fill=\"#ffffff\">%s</text>", x + 7.5, y + 11.5, mark))
}
