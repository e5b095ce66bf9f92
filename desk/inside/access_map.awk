# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads an access map (emulator/counted/access.h describes it), and has what both drawings of it share,
# access_text.awk and access_svg.awk. Elements are numbered from 0, and so are sectors, of 32 bytes.

BEGIN { SECTOR = 32; LISTED = 5; MOST_LAUNCHES = 6; MOST_REQUESTS = 24; MOST_TOTALS = 12; GRID_ROWS = 16; GRID_COLUMNS = 64 }

$1 == "call" {
    rows = $2 + 0
    columns = $3 + 0
    input_bytes = $4 + 0
    output_bytes = $5 + 0
    elements = rows * columns
    element_bytes = elements ? input_bytes / elements : 1
    lay_grid()
}
$1 == "op" {
    $0 = printable_lines($0)
    if ($3 * $4 > grid_threads) {
        grid_threads = $3 * $4
        block_threads = $4
    }
    if (launches < MOST_LAUNCHES)
        launch[++launches] = rest(5) ": " plural($3, "block") " of " plural($4, "thread")
    else
        launch[launches] = ".. " plural(++more + 1, "launch") " more"
}
$1 == "total" && totals < MOST_TOTALS { total[++totals] = $0 }
$1 == "r" && requests < MOST_REQUESTS { request[++requests] = $0 }
$1 == "reader" { reader[$2] = $0 }
$1 == "reads" { run($2 + 0, $3 + 0, $4 + 0) }
$1 == "cut" { cut_at = $2 + 0 }

function rest(field,    i, text) {
    for (i = field; i <= NF; i++)
        text = text (i > field ? " " : "") $i
    return text
}

# ---- how often each element was read -----------------------------------------------------------------

# A picture of the whole input: cells, each for some elements. A two-dimensional input keeps its shape.
function lay_grid() {
    flat = rows == 1 || columns == 1
    grid_rows = flat ? 1 : rows < GRID_ROWS ? rows : GRID_ROWS
    grid_columns = flat ? elements : columns
    if (grid_columns > GRID_COLUMNS)
        grid_columns = GRID_COLUMNS
}

function run(first, last, times,    row) {
    read_times[times] += last - first + 1
    if (times == 1)
        return
    tell_elements(times == 0 ? "missed" : "repeated", first, last)
    if (flat) {
        mark_cells(0, first / elements, last / elements, times)
        return
    }
    for (row = int(first / columns); row <= int(last / columns); row++)
        mark_cells(int(row * grid_rows / rows), row > int(first / columns) ? 0 : (first % columns) / columns, \
            (row < int(last / columns) ? columns - 1 : last % columns) / columns, times)
}

function mark_cells(row, from, to, times,    c, mark) {
    for (c = int(from * grid_columns); c <= int(to * grid_columns); c++) {
        mark = times ? "2" : "x"
        if ((row, c) in cell && cell[row, c] != mark)
            mark = "*"
        cell[row, c] = mark
    }
}

# The first ones of a kind, and how many there are.
function tell_elements(kind, first, last,    e) {
    count_of[kind] += last - first + 1
    for (e = first; e <= last && listed[kind] < LISTED; e++) {
        list_of[kind] = list_of[kind] " " (flat ? e : "(" int(e / columns) ", " e % columns ")")
        listed[kind]++
    }
}

function plural(n, what) { return n " " what (n == 1 ? "" : what ~ /ch$/ ? "es" : "s") }

# What was missed and repeated: lines of text, in said[1], said[2] ...; returns how many.
function say_reads(said,    n, covered) {
    covered = cut_at ? cut_at : elements
    if (!read_any()) {
        said[1] = "No thread reads the input."
        return 1
    }
    if (count_of["missed"]) {
        said[++n] = sprintf("Missed: %d of %d elements %s read by no thread.", count_of["missed"], covered, count_of["missed"] == 1 ? "is" : "are")
        said[++n] = first_ones("missed")
    }
    if (count_of["repeated"]) {
        said[++n] = sprintf("Repeated: %s %s read more than once.", plural(count_of["repeated"], "element"), count_of["repeated"] == 1 ? "is" : "are")
        said[++n] = first_ones("repeated")
    }
    if (!n)
        said[++n] = sprintf("Each of the %d elements is read exactly once.", covered)
    if (cut_at)
        said[++n] = sprintf("This covers only the elements before %d, because the whole map would be too long. A smaller SIZE shows all.", cut_at)
    return n
}

function first_ones(kind) {
    return (flat ? "The first:" : "The first (row, column):") list_of[kind] (count_of[kind] > LISTED ? " .." : "")
}

function read_any(    times) {
    for (times in read_times)
        if (times + 0 > 0)
            return 1
    return 0
}

# ---- requests ------------------------------------------------------------------------------------------

# Takes one request apart: sets op, block, warp, line, kind, array, bytes, number, lanes, offset[1..lanes], and what it
# fetches: sectors, sector[1..sectors] in their order, used[sector], used_bytes;
# side_by_side: each lane goes on where the one before ends.
function take_request(text,    f, i, b) {
    lanes = split(text, f, " ") - 9
    op = f[2]; block = f[3] + 0; warp = f[4] + 0; line = f[5]; kind = f[6]; array = f[7]; bytes = f[8] + 0; number = f[9] + 0
    lanes--
    for (i in used)
        delete used[i]
    for (i in touched)
        delete touched[i]
    sectors = used_bytes = 0
    side_by_side = 1
    for (i = 1; i <= lanes; i++) {
        offset[i] = f[10 + i] + 0
        if (i > 1 && offset[i] != offset[i - 1] + bytes)
            side_by_side = 0
        for (b = offset[i]; b < offset[i] + bytes; b++)
            if (!(b in touched)) {
                touched[b] = 1
                use_sector(int(b / SECTOR))
            }
    }
}

function use_sector(s,    i) {
    used_bytes++
    if (s in used) {
        used[s]++
        return
    }
    used[s] = 1
    for (i = ++sectors; i > 1 && sector[i - 1] > s; i--)
        sector[i] = sector[i - 1]
    sector[i] = s
}

# Which elements the lanes of the request access, in few words.
function lanes_elements(    i, step, each, size) {
    size = array == "input" ? element_bytes : 1
    each = array == "input" ? bytes / size : 1
    if (lanes == 1)
        return span_of(1, size)
    step = offset[2] - offset[1]
    for (i = 3; i <= lanes && offset[i] - offset[i - 1] == step; i++)
        ;
    if (i <= lanes)
        return span_of(1, size) " " span_of(2, size) " .."
    if (step == 0)
        return span_of(1, size) ", all lanes"
    if (step == bytes)
        return int(offset[1] / size) "-" int((offset[lanes] + bytes - 1) / size) (each > 1 ? ", " each " a lane" : "")
    return span_of(1, size) " " span_of(2, size) " .. " span_of(lanes, size)
}

function span_of(lane, size,    first, last) {
    first = int(offset[lane] / size)
    last = int((offset[lane] + bytes - 1) / size)
    return first == last ? first "" : first "-" last
}

# Of all requests at one place of the source: one sentence.
function say_total(text,    f, each, least, verb, i, g) {
    split(text, f, " ")
    each = f[9] / f[7]
    least = f[8] / f[7] * f[6] / SECTOR
    least = least < 1 ? 1 : least
    verb = f[4] == "load" ? "reads" : f[4] == "store" ? "writes" : "adds to"
    for (i = 1; i <= requests; i++) { # the first one that is drawn tells how its lanes lie
        split(request[i], g, " ")
        if (f[2] == g[2] && f[3] == g[5] && f[4] == g[6] && f[5] == g[7])
            break
    }
    side_by_side = 0
    if (i <= requests)
        take_request(request[i])
    return sprintf("Line %s %s the %s, %.1f %s a request: %s", f[3], verb, f[5], each, \
        each == 1 ? "sector" : "sectors", verdict(each, least, f[8] / f[7]))
}

function verdict(each, least, lanes_each) {
    if (lanes_each < 1.5)
        return "a single lane takes part"
    if (each <= 1.1 * least)
        return "coalesced"
    if (each <= least + 1.2 && side_by_side)
        return "coalesced, but misaligned"
    if (each >= 0.9 * lanes_each)
        return "uncoalesced, one for each lane"
    return sprintf("partly coalesced: %.1f would be enough", least)
}

# What to type where most threads have little to read; "" if they have enough, or always have so much: a grid that is as
# large as the input.
function larger_size(    each) {
    if (elements >= 4 * grid_threads)
        return ""
    for (each = 1; each <= 4; each++)
        if (int((elements + each * block_threads - 1) / (each * block_threads)) == grid_threads / block_threads)
            return ""
    return "SIZE=" (flat ? 8 * grid_threads : int(grid_threads / 128) + 1 "x1021")
}
