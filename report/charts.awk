# Writes the data of one problem's charts into a directory, from the rows of report/tsv:
#
#     awk -v problem=opt_2dhisto -v submission=- -v out=DIRECTORY -f charts.awk mine.tsv [other.tsv ...]
#
# main.tsv      the steps on the problem's first input, then (as a second data set) the baselines
# main.gp       the numbers that are one for the whole chart: roofs, counts, names
# inputs.tsv    one data set for each input;    inputs.gp    how many
# machines.tsv  one data set for each file;     machines.gp  how many
# roofline.tsv  points with the place of their labels, so that no two overlap
#
# Only times of a GPU are drawn. The first file's rows are the charts' own; the others are only for
# machines.tsv.

BEGIN {
    FS = OFS = "\t"
}

FNR == 1 {
    file++
    for (i = 1; i <= NF; i++)
        at[$i] = i
    header = $0
    next
}

$at["problem"] != problem || $at["device_kind"] != "gpu" { next }

file > 1 && other_submission[file] == "" { other_submission[file] = "=" $at["submission"] }

$at["submission"] != (file == 1 ? submission : substr(other_submission[file], 2)) { next }

# One GPU for each file: a file that holds several is drawn with the first.
!(file in gpu) { gpu[file] = $at["device"] }
$at["device"] != gpu[file] { next }

main_input == "" { main_input = $at["input"] }

{
    rows++
    row[rows] = $0
    row_file[rows] = file
    date[file] = $at["when"]
    if (file == 1 && $at["kind"] == "step")
        rank[$at["step"]] = 0 # the steps of the charts
    if ($at["kind"] == "step" && $at["input"] == main_input)
        machine_rank[$at["step"]] = 0
}

END {
    steps = number_names(rank)
    number_names(machine_rank)
    write_main()
    write_series("inputs", "input", rank)
    write_series("machines", "", machine_rank)
    write_roofline()
}

# Give every name its place in alphabetical order: the ladder's. Returns how many there are.
function number_names(names,    name, other, n) {
    n = 0
    for (name in names) {
        n++
        names[name] = 1
        for (other in names)
            names[name] += (other "" < name "")
    }
    return n
}

function cell(r, name,    cells) {
    split(row[r], cells, FS)
    return cells[at[name]]
}

function mine(r) {
    return row_file[r] == 1 && cell(r, "input") == main_input
}

function write_main(    path, r, x, timed, slowest) {
    path = out "/main.tsv"
    print "x", header > path
    for (x = 1; x <= steps; x++)
        for (r = 1; r <= rows; r++)
            if (mine(r) && cell(r, "kind") == "step" && rank[cell(r, "step")] == x)
                print x, row[r] > path
    print "\n" > path
    print "x", header > path
    x = steps
    best = 0
    for (r = 1; r <= rows; r++) {
        if (!mine(r))
            continue
        note_numbers(r)
        if (cell(r, "kind") == "step" || cell(r, "us") == "NaN")
            continue
        if (cell(r, "kind") ~ /^(read|empty)$/) # the roof has a line of its own; an empty kernel reads nothing
            continue
        print ++x, row[r] > path
    }
    path = out "/main.gp"
    print "steps = " steps > path
    print "columns = " x > path
    print "main_input = '" quoted(main_input) "'" > path
    print "device = '" quoted(gpu[1]) "'" > path
    print "date = '" quoted(date[1]) "'" > path
    print "best = " best > path
    print "lowest = " lowest > path
    print "journal_steps = " (journal_steps + 0) > path
    print "journal_roof = " (ENVIRON["JOURNAL_ROOF"] + 0) > path
    print "journal_gbps = " (ENVIRON["JOURNAL_GBPS"] + 0) > path
    print "journal_name = '" quoted(ENVIRON["JOURNAL_NAME"]) "'" > path
    for (r = split("roof_gbps spec_gbps roof_speedup spec_speedup", names, " "); r >= 1; r--)
        print names[r] " = " (names[r] in number ? number[names[r]] : 0) > path
    close(path)
}

function note_numbers(r,    i, n, names) {
    n = split("roof_gbps spec_gbps roof_speedup spec_speedup", names, " ")
    for (i = 1; i <= n; i++)
        if (!(names[i] in number) && cell(r, names[i]) != "NaN")
            number[names[i]] = cell(r, names[i])
    if (cell(r, "speedup") != "NaN" && cell(r, "speedup") + 0 > best)
        best = cell(r, "speedup") + 0
    note_lowest(cell(r, "speedup"))
    note_lowest(cell(r, "journal_speedup"))
    if (cell(r, "journal_speedup") != "NaN")
        journal_steps++
}

function note_lowest(speedup) {
    if (speedup != "NaN" && (lowest == "" || speedup + 0 < lowest))
        lowest = speedup + 0
}

# The same steps several times: a data set for each input of the first file, or (by "") for each file.
function write_series(name, by, places,    path, r, s, n, series, seen, x, last) {
    path = out "/" name ".tsv"
    n = 0
    for (r = 1; r <= rows; r++) {
        if (by != "" && row_file[r] != 1 || by == "" && cell(r, "input") != main_input)
            continue
        s = by == "" ? gpu[row_file[r]] ", " date[row_file[r]] : cell(r, by)
        if (cell(r, "kind") == "step" && cell(r, "us") != "NaN" && !((s, row_file[r]) in seen)) {
            seen[s, row_file[r]] = 1
            series[++n] = s
            series_file[n] = row_file[r]
        }
    }
    last = 0
    for (x in places)
        last = places[x] > last ? places[x] : last
    for (s = 1; s <= n; s++) {
        print (s > 1 ? "\n\n" : "") "x", "step", series[s] > path
        for (x = 1; x <= last; x++)
            for (r = 1; r <= rows; r++)
                if (row_file[r] == series_file[s] && cell(r, "kind") == "step" && \
                    places[cell(r, "step")] == x && \
                    (by == "" ? cell(r, "input") == main_input : cell(r, by) == series[s]))
                    print x, cell(r, "step"), cell(r, "us"), over_main(r) > path
    }
    if (by == "" && journal_steps > 0) {
        print (n > 0 ? "\n\n" : "") "x", "step", ENVIRON["JOURNAL_NAME"] " (the journal)" > path
        for (x = 1; x <= last; x++)
            for (r = 1; r <= rows; r++)
                if (mine(r) && places[cell(r, "step")] == x && cell(r, "journal_seconds") != "NaN")
                    print x, cell(r, "step"), cell(r, "journal_seconds") * 1000 > path
    }
    print "series = " n "\ncolumns = " last "\njournal = " (by == "" && journal_steps > 0) \
          "\nmain_input = '" quoted(main_input) "'" > (out "/" name ".gp")
    close(path)
    close(out "/" name ".gp")
}

# A time over the same step's on the main input.
function over_main(r,    i) {
    for (i = 1; i <= rows; i++)
        if (mine(i) && cell(i, "step") == cell(r, "step") && cell(i, "us") != "NaN" && cell(r, "us") != "NaN")
            return cell(r, "us") / cell(i, "us")
    return "NaN"
}

# All points of a problem stand at the same intensity, some at almost the same height. Their labels
# are moved apart upwards, in steps of a fifteenth of the height; a thin line leads to each point.
function write_roofline(    path, r, n, i, j, t, y, label, side, low, high, gap, place) {
    path = out "/roofline.tsv"
    n = 0
    for (r = 1; r <= rows; r++)
        if (mine(r) && cell(r, "us") != "NaN" && cell(r, "elements") != "NaN" && cell(r, "kind") !~ /^(read|empty)$/) {
            n++
            y[n] = log(cell(r, "elements") / cell(r, "us") * 1e6)
            label[n] = cell(r, "step")
            side[n] = cell(r, "kind") == "step" ? 1 : -1
            intensity = cell(r, "elements") / cell(r, "bytes")
        }
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && y[j] < y[j - 1]; j--) {
            t = y[j]; y[j] = y[j - 1]; y[j - 1] = t
            t = label[j]; label[j] = label[j - 1]; label[j - 1] = t
            t = side[j]; side[j] = side[j - 1]; side[j - 1] = t
        }
    if (n == 0)
        return
    low = y[1]
    high = y[n]
    gap = (high - low + 3) / 22
    print "intensity", "rate", "label_x", "label_rate", "name", "side" > path
    # From the fastest downwards, so that the labels near the roof stay at their points.
    for (i = n; i >= 1; i--) {
        t = y[i]
        if (((side[i]) in place) && t > place[side[i]] - gap)
            t = place[side[i]] - gap
        place[side[i]] = t
        print intensity, exp(y[i]), intensity * (side[i] > 0 ? 2 : 0.5), exp(t), label[i], side[i] > path
    }
    close(path)
    print "intensity = " intensity "\nlowest_rate = " exp(low) > (out "/roofline.gp")
    close(out "/roofline.gp")
}

function quoted(value) {
    gsub(/'/, "''", value)
    return value
}
