# Reads CSV as RFC 4180 defines it, and prints each row as one JSON array of texts. Strict: a quote in the middle of
# a bare cell, text after a closing quote, an open quote at the end and rows of unequal length are
# errors with their line. A byte order mark is skipped. If the first line has semicolons and no comma,
# as some spreadsheets write it, semicolons separate the cells. Needs json_text.awk.

BEGIN {
    name = ("CSV" in ENVIRON) ? ENVIRON["CSV"] : "standard input"
    comma = ","
    MOST_CELL = 10000
}

{
    line = $0
    sub(/\r$/, "", line)
    if (NR == 1) {
        sub(/^\357\273\277/, "", line)
        if (line !~ /,/ && line ~ /;/)
            comma = ";"
    }
    if (open_quote)
        cell = cell "\n"
    else if (line == "")
        next
    else {
        begun = NR
        cells = 0
        row = cell = ""
    }
    read_line(line)
    if (failed)
        exit 2
}

END {
    if (!failed && open_quote)
        complain(begun, "a quote is never closed")
    if (failed)
        exit 2
}

function read_line(line,    at) {
    while (1) {
        if (open_quote) {
            at = index(line, "\"")
            if (at == 0) {
                cell = cell line
                return
            }
            cell = cell substr(line, 1, at - 1)
            line = substr(line, at + 1)
            if (substr(line, 1, 1) == "\"") {
                cell = cell "\""
                line = substr(line, 2)
                continue
            }
            open_quote = 0
            if (line != "" && substr(line, 1, 1) != comma)
                return complain(NR, "text follows a closing quote")
        } else if (substr(line, 1, 1) == "\"") {
            open_quote = 1
            line = substr(line, 2)
            continue
        } else {
            at = index(line, comma)
            cell = at ? substr(line, 1, at - 1) : line
            line = at ? substr(line, at) : ""
            if (cell ~ /"/)
                return complain(NR, "a quote stands inside a cell that is not quoted")
        }
        end_cell()
        if (line == "") {
            end_row()
            return
        }
        line = substr(line, 2)
    }
}

function end_cell() {
    if (length(cell) > MOST_CELL)
        complain(NR, "a cell of more than " MOST_CELL " bytes")
    row = row (cells++ ? "," : "") json_text(cell)
    cell = ""
}

function end_row() {
    if (width_of_rows == 0)
        width_of_rows = cells
    if (cells != width_of_rows)
        return complain(begun, cells " cells, where the first row has " width_of_rows)
    print "[" row "]"
}

function complain(line, what) {
    printf "%s:%d: %s\n", printable(name), line, what > "/dev/stderr"
    failed = 1
}
