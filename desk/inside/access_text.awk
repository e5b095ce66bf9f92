# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Draws an access map (access_map.awk, which is read first) as text of 80 columns.
# -v step=NAME, -v utf8=0|1, -v colour=0|1

BEGIN {
    CELLS = 16
    full = utf8 ? "\342\226\210" : "#"
    half = utf8 ? "\342\226\223" : "+"
    little = utf8 ? "\342\226\221" : "."
}

END {
    printf "%s: which thread reads which element\n", step
    printf "The input: %s of %s\n", flat ? plural(elements, "element") : rows " x " columns " elements", plural(element_bytes, "byte")
    for (i = 1; i <= launches; i++)
        print launch[i]
    print ""
    print_readers()
    print_requests()
    print_reads()
    if (read_any() && larger_size() != "")
        print "\nMost threads have little to read in such a small input: " larger_size() " shows more."
}

# ---- the first elements, and their readers ----------------------------------------------------------------

function print_readers() {
    if (!read_any())
        return
    print "The first elements. Neighbours should have neighbouring threads in one request."
    print_strip(0, CELLS)
    print_strip(CELLS, CELLS)
    if (!flat)
        print_strip(columns, CELLS / 2)
}

function print_strip(first, count,    wide, e, row, line, cells, other_block, other_times, f) {
    wide = count < CELLS ? 4 : 3
    for (e = first; e < first + count && e < elements && (flat || int(e / columns) == int(first / columns)); e++) {
        split(e in reader ? reader[e] : "", f, " ")
        cells++
        line["element"] = line["element"] cell_text(flat ? e : e % columns, wide)
        line["block"] = line["block"] cell_text(f[4], wide)
        line["thread"] = line["thread"] cell_text(f[5], wide)
        line["request"] = line["request"] cell_text(f[6], wide)
        line["times"] = line["times"] cell_text(f[8] + 0, wide)
        other_block += f[4] > 0
        other_times += f[8] != 1
    }
    if (!cells)
        return
    row = int(first / columns)
    print_row(flat || row == 0 ? "element" : "row " row, line["element"])
    if (other_block)
        print_row("block", line["block"])
    print_row("thread", line["thread"])
    print_row("request", line["request"])
    if (other_times)
        print_row("times", line["times"])
    print ""
}

function print_row(name, cells) { printf "%-7s%s\n", name, cells }

function cell_text(text, wide) { return sprintf(" %" wide "s", text == "" ? "-" : text) }

# ---- requests ------------------------------------------------------------------------------------------

function print_requests(    i) {
    if (requests) {
        printf "First requests of warps. A mark is a 32-byte sector: %s all used, %s half, %s less\n", full, half, little
        print "block warp  no. line  elements or output bytes sectors  used"
    }
    for (i = 1; i <= requests; i++)
        print_request(request[i])
    for (i = 1; i <= totals; i++)
        print (i == 1 ? "\n" : "") say_total(total[i])
}

function print_request(text,    i, marks) {
    take_request(text)
    for (i = 1; i <= sectors && i <= 16; i++)
        marks = marks (used[sector[i]] == SECTOR ? full : used[sector[i]] >= SECTOR / 2 ? half : little)
    printf "%5d %4d %4d %4d  %-24s %7d %4.0f%%  %s\n", block, warp, number, line, (array == "output" ? "output " : "") lanes_elements(), \
        sectors, 100 * used_bytes / (SECTOR * sectors), marks (sectors > 16 ? ".." : "")
}

# ---- missed and repeated elements -------------------------------------------------------------------------

function print_reads(    said, n, i, r, c) {
    n = say_reads(said)
    for (i = 1; i <= n; i++)
        print (i == 1 && requests + totals ? "\n" : "") said[i]
    if (!(count_of["missed"] + count_of["repeated"]))
        return
    print "\nThe whole input: . read once   x some missed   2 some repeated   * both"
    for (r = 0; r < grid_rows; r++) {
        for (c = 0; c < grid_columns; c++)
            printf "%s", (r, c) in cell ? loud(cell[r, c]) : "."
        print ""
    }
}

function loud(text) { return colour ? "\033[1;31m" text "\033[0m" : text }
