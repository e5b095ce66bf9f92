# Bars in text from the rows of report/tsv, a block for each submission, device, problem and input.

BEGIN {
    FS = "\t"
    bar_columns = 54
}

NR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    next
}

{
    block = $at["submission"] FS $at["device"] FS $at["problem"] FS $at["input"]
    if (!(block in rows_of))
        blocks[++block_count] = block
    rows_of[block] = rows_of[block] " " NR
    row[NR] = $0
}

END {
    for (b = 1; b <= block_count; b++)
        print_block(split(rows_of[blocks[b]], numbers, " "), numbers)
}

function cell(r, name,    cells) {
    split(row[r], cells, FS)
    return cells[at[name]]
}

# The axis is whole decades, from below the slowest bar to above the highest roof.
function print_block(n, numbers,    i, r, speedup) {
    low = high = ""
    roof = spec = "NaN"
    for (i = 1; i <= n; i++) {
        r = numbers[i]
        stretch(cell(r, "speedup"))
        stretch(cell(r, "roof_speedup"))
        stretch(cell(r, "spec_speedup"))
        roof = roof == "NaN" ? cell(r, "roof_speedup") : roof
        spec = spec == "NaN" ? cell(r, "spec_speedup") : spec
    }
    r = numbers[1]
    print (cell(r, "submission") == "-" ? "" : cell(r, "submission") ": ") cell(r, "problem") ", input " \
          cell(r, "input") ", " cell(r, "device") ", " cell(r, "when")
    if (low == "") {
        print "Speed was not measured: " \
              (cell(r, "device_kind") == "cpu" ? "the cpu device checks correctness only.\n" : "no step passed.\n")
        return
    }
    low = floor(log10(low) - 0.1)
    high = floor(log10(high)) + 1
    print_axis()
    for (i = 1; i <= n; i++) {
        r = numbers[i]
        speedup = cell(r, "speedup")
        if (cell(r, "kind") ~ /^(read|empty)$/ || (steps_only && cell(r, "kind") != "step")) # the roof, and what reads nothing
            continue
        printf "%-24.24s %s %s%s\n", cell(r, "step"), bars(speedup), result(speedup, cell(r, "verdict")), \
               (mark != "" && cell(r, "step") == mark ? " <--" : "")
    }
    if (roof != "NaN")
        printf "%-24s | %sx: the roof by a streaming read\n", "", short_number(roof)
    if (spec != "NaN")
        printf "%-24s : %sx: the roof at the specified bandwidth\n", "", short_number(spec)
    print ""
}

function result(speedup, verdict) {
    if (speedup != "NaN")
        return short_number(speedup) "x"
    return verdict == "pass" ? "not measured" : verdict
}

function stretch(speedup) {
    if (speedup == "NaN")
        return
    if (low == "" || speedup + 0 < low)
        low = speedup + 0
    if (high == "" || speedup + 0 > high)
        high = speedup + 0
}

function print_axis(    decade, line, text) {
    line = ""
    for (decade = low; decade < high; decade++) {
        text = sprintf("%gx", 10 ^ decade)
        while (length(line) < place(10 ^ decade))
            line = line " "
        line = line text
    }
    printf "%-24s %s\n", "speedup, log scale", line
}

function bars(speedup,    i, line, reach, roof_mark, spec_mark) {
    reach = speedup == "NaN" ? 0 : place(speedup)
    roof_mark = roof == "NaN" ? 0 : place(roof) + 1
    spec_mark = spec == "NaN" ? 0 : place(spec) + 1
    if (spec_mark > 0 && spec_mark == roof_mark) # they often fall into one column
        spec_mark++
    line = ""
    for (i = 1; i <= bar_columns + 2; i++)
        line = line (i == roof_mark ? "|" : i == spec_mark ? ":" : i <= reach ? bar : " ")
    return line
}

function place(speedup) {
    return int((log10(speedup) - low) / (high - low) * bar_columns + 0.5)
}

function log10(x) {
    return log(x) / log(10)
}

function floor(x) {
    return x < int(x) ? int(x) - 1 : int(x)
}

# Three digits, never an exponent above.
function short_number(value) {
    return sprintf(value >= 1000 ? "%.0f" : "%.3g", value)
}
