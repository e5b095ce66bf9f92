# Writes what report/plot draws. The rows come in blocks: of the results, of `others` files to compare machines
# with, then of each recorded file. -v wanted (a submission or ""), results (its name), how, out (a folder),
# others.
#
# Prints a line for each thing to do, with tabs between: `say TEXT`, or `draw CHART PROBLEM TITLE`. Only times
# of a GPU are drawn: the results' own, or where they hold none those of the first recorded file that does.
# The data of a problem's charts, in the folder, each name behind PROBLEM-:
#
# main.tsv      the steps on the problem's first input, then (as a second data set) the baselines
# main.gp       the numbers that are one for the whole chart: roofs, counts, names
# inputs.tsv    one data set for each input;    inputs.gp    how many
# machines.tsv  one data set for each file;     machines.gp  how many
# roofline.tsv  points with the place of their labels, so that no two overlap

BEGIN {
    OFS = "\t"
}

END {
    for (r = 1; r <= rows; r++)
        order[r] = r
    sort_rows(order, rows, "submission problem device")
    choose_block()
    if (!own)
        print "say", "No charts: " results " holds no times of a GPU, and report/recorded holds none either. " \
                     "Grade on a machine with an NVIDIA GPU, then: report/plot RESULTS.jsonl OUTDIR"
    for (i = 1; i <= problem_count; i++)
        write_problem(problems[i])
}

# ---- which rows ----------------------------------------------------------------------------------------

# Sets own, the block whose times are drawn (0: none), the submission, and problems[1..problem_count], those of
# the results: recorded charts of others say nothing here.
function choose_block(    b, i, r, graded, seen) {
    own = find_times(1, wanted == "-" ? "" : wanted, wanted != "")
    for (b = 2 + others; b <= blocks && !own; b++)
        own = find_times(b, "", 0)
    if (!own)
        return
    r = first_timed
    submission = cell(r, "submission")
    if (own > 1) {
        how = "recorded"
        print "say", results " holds no times of a GPU: the charts show those recorded in " base_name(cell(r, "file")) "."
    }
    for (i = 1; i <= rows; i++)
        if (block[i] == 1)
            graded[cell(i, "problem")] = 1
    for (i = 1; i <= rows; i++)
        if (block[order[i]] == own && is_timed(order[i]) && !seen[cell(order[i], "problem")]++ && \
            (cell(order[i], "problem") in graded))
            problems[++problem_count] = cell(order[i], "problem")
}

# The block if it holds times of the submission (of any, unless it must be that one); sets first_timed.
function find_times(b, name, must_be,    i, r) {
    for (i = 1; i <= rows; i++) {
        r = order[i]
        if (block[r] == b && is_timed(r) && (!must_be || cell(r, "submission") == name)) {
            first_timed = r
            return b
        }
    }
    return 0
}

function is_timed(r) {
    return is_step(r) && cell(r, "device_kind") == "gpu" && num(r, "us") != ""
}

function is_reference_point(r) {
    return cell(r, "kind") ~ /^(read|empty)$/ # the roof has a line of its own; an empty kernel reads nothing
}

# at[1..n]: the problem's rows, of one submission and one GPU (the first) for each block.
# rank, machine_rank: the place of each step that is drawn, in the ladder's order.
function select_rows(problem,    i, r, b, step) {
    n = 0
    main_input = ""
    split("", gpu)
    split("", date)
    split("", rank)
    split("", machine_rank)
    split("", whose)
    for (i = 1; i <= rows; i++) {
        r = order[i]
        b = block[r]
        if (cell(r, "problem") != problem || cell(r, "device_kind") != "gpu" || !(b == own || (b > 1 && b <= 1 + others)))
            continue
        if (!(b in whose))
            whose[b] = b == own ? submission : cell(r, "submission")
        if (cell(r, "submission") != whose[b])
            continue
        if (!(b in gpu))
            gpu[b] = cell(r, "device")
        if (cell(r, "device") != gpu[b])
            continue
        at[++n] = r
        date[b] = substr(cell(r, "when"), 1, 10)
    }
    for (i = 1; i <= n; i++)
        if (block[at[i]] == own && main_input == "")
            main_input = cell(at[i], "input")
    for (i = 1; i <= n; i++) {
        step = cell(at[i], "step")
        if (is_step(at[i]) && block[at[i]] == own)
            rank[step] = 0
        if (is_step(at[i]) && cell(at[i], "input") == main_input)
            machine_rank[step] = 0
    }
    steps = number_names(rank)
    machine_steps = number_names(machine_rank)
}

# Give every name its place in alphabetical order. Returns how many there are.
function number_names(names,    name, count, list, i) {
    count = 0
    for (name in names)
        list[++count] = name
    sort_list(list, count)
    for (i = 1; i <= count; i++)
        names[list[i]] = i
    return count
}

function mine(r) {
    return block[r] == own && cell(r, "input") == main_input
}

# ---- one problem ---------------------------------------------------------------------------------------

function write_problem(problem,    prefix, what, where, on_input) {
    select_rows(problem)
    prefix = out "/" problem "-"
    find_numbers()
    write_main(prefix "main.tsv")
    write_numbers(prefix "main.gp")
    write_inputs(prefix)
    write_machines(prefix)
    write_roofline(prefix)
    what = (submission == "" ? "" : submission ": ") problem
    where = gpu[own] ", " how " on " date[own]
    on_input = what ", input " main_input
    if (best != "")
        draw("speedup", problem, on_input ", " where)
    if (number["roof_gbps"] != "") {
        draw("roof", problem, on_input ", " where)
        draw("roofline", problem, on_input ", " where)
    }
    if (input_series > 1)
        draw("inputs", problem, what ", " where)
    if (machine_series > 1)
        draw("machines", problem, on_input)
}

function draw(chart, problem, title) {
    title = printable(title)
    gsub(/'/, "", title)
    print "draw", chart, problem, title
}

# The chart's range leaves room for all of the speedups, the roofs and the GTX 680.
function find_numbers(    i, j, r, count, names) {
    best = lowest = ""
    gtx680_steps = 0
    count = split("roof_gbps spec_gbps roof_speedup spec_speedup", names, " ")
    for (j = 1; j <= count; j++)
        number[names[j]] = ""
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (!mine(r))
            continue
        for (j = 1; j <= count; j++)
            if (number[names[j]] == "")
                number[names[j]] = num(r, names[j])
        if (over_reference(r) != "") {
            best = larger(best, over_reference(r))
            lowest = smaller(lowest, over_reference(r))
        }
        if (num(r, "gtx680_speedup") != "") {
            lowest = smaller(lowest, num(r, "gtx680_speedup"))
            gtx680_steps++
        }
    }
}

function write_main(path,    i, x, header) {
    header = "x\tstep\tverdict\tspeedup\tspeedup_low\tspeedup_high\troof_fraction\tgtx680_speedup"
    print header > path
    for (i = 1; i <= n; i++)
        if (mine(at[i]) && is_step(at[i]))
            print main_line(rank[cell(at[i], "step")], at[i]) > path
    print "\n" > path
    print header > path
    columns = steps
    for (i = 1; i <= n; i++)
        if (mine(at[i]) && !is_step(at[i]) && num(at[i], "us") != "" && !is_reference_point(at[i]))
            print main_line(++columns, at[i]) > path
    close(path)
}

function main_line(x, r) {
    return x "\t" text_for_gnuplot(cell(r, "step")) "\t" text_for_gnuplot(cell(r, "verdict")) "\t" \
           number_or_nan(num(r, "speedup")) "\t" number_or_nan(num(r, "speedup_low")) "\t" \
           number_or_nan(num(r, "speedup_high")) "\t" number_or_nan(num(r, "roof_fraction")) "\t" \
           number_or_nan(num(r, "gtx680_speedup"))
}

function write_numbers(path,    name) {
    print "steps = " steps > path
    print "columns = " columns > path
    print "device = " quoted(gpu[own]) > path
    print "best = " (best + 0) > path
    print "lowest = " lowest > path
    print "gtx680_steps = " gtx680_steps > path
    print "gtx680_roof = " gtx680("reference") / gtx680("roof") > path
    print "gtx680_gbps = " gtx680("gbps") > path
    print "gtx680_name = " quoted(gtx680("name")) > path
    for (name in number)
        print name " = " (number[name] + 0) > path
    close(path)
}

# ---- the same steps several times ------------------------------------------------------------------------

# A data set for each input of our own block.
function write_inputs(prefix,    i, r, path, seen, names) {
    path = prefix "inputs.tsv"
    input_series = 0
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (block[r] == own && is_step(r) && num(r, "us") != "" && !seen[cell(r, "input")]++)
            names[++input_series] = cell(r, "input")
    }
    for (i = 1; i <= input_series; i++)
        write_series(path, i, names[i], own, names[i], rank)
    close(path)
    write_counts(prefix "inputs.gp", input_series, steps)
}

# A data set for each block, and one of the GTX 680.
function write_machines(prefix,    i, r, b, path, seen, of_block) {
    path = prefix "machines.tsv"
    machine_series = 0
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (cell(r, "input") == main_input && is_step(r) && num(r, "us") != "" && !seen[block[r]]++)
            of_block[++machine_series] = block[r]
    }
    sort_blocks(of_block, machine_series)
    for (i = 1; i <= machine_series; i++) {
        b = of_block[i]
        write_series(path, i, gpu[b] ", " date[b], b, main_input, machine_rank)
    }
    if (gtx680_steps > 0) {
        print_series_head(path, machine_series + 1, gtx680("name") " (the journal)")
        for (i = 1; i <= n; i++)
            if (mine(at[i]) && num(at[i], "gtx680_seconds") != "")
                print machine_rank[cell(at[i], "step")], text_for_gnuplot(cell(at[i], "step")), \
                      num(at[i], "gtx680_seconds") * 1000 > path
    }
    close(path)
    write_counts(prefix "machines.gp", machine_series, machine_steps)
}

# Our own block first, then the others as they were named.
function sort_blocks(list, count,    i, key) {
    for (i = 1; i <= count; i++)
        key[list[i]] = list[i] == own ? 0 : list[i]
    sort_by(list, count, key, 1)
}

function print_series_head(path, s, title) {
    print (s > 1 ? "\n\n" : "") "x", "step", text_for_gnuplot(title) > path
}

function write_series(path, s, title, b, input, places,    i, r) {
    print_series_head(path, s, title)
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (block[r] == b && is_step(r) && cell(r, "input") == input)
            print places[cell(r, "step")], text_for_gnuplot(cell(r, "step")), number_or_nan(num(r, "us")), \
                  number_or_nan(over_main(r)) > path
    }
}

function write_counts(path, series, last) {
    print "series = " series "\ncolumns = " last "\ngtx680 = " (gtx680_steps > 0) \
          "\nmain_input = " quoted(main_input) > path
    close(path)
}

# A time over the same step's on the main input.
function over_main(r,    i) {
    for (i = 1; i <= n; i++)
        if (mine(at[i]) && cell(at[i], "step") == cell(r, "step"))
            return ratio_of(num(r, "us"), num(at[i], "us"))
    return ""
}

# ---- roofline ------------------------------------------------------------------------------------------

# All points of a problem stand at the same intensity, some at almost the same height. Their labels
# are moved apart downwards, from the fastest on, so that those near the roof stay at their points.
function write_roofline(prefix,    path, i, r, count, list, rate, gap, height, place, side, intensity) {
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (mine(r) && num(r, "us") != "" && num(r, "elements") != "" && !is_reference_point(r)) {
            list[++count] = r
            rate[r] = log(num(r, "elements") / num(r, "us") * 1e6)
            intensity = num(r, "elements") / num(r, "bytes")
        }
    }
    if (count == 0)
        return
    sort_by(list, count, rate, 1)
    gap = (rate[list[count]] - rate[list[1]] + 3) / 22
    path = prefix "roofline.tsv"
    print "intensity", "rate", "label_x", "label_rate", "name", "side" > path
    for (i = count; i >= 1; i--) {
        r = list[i]
        side = is_step(r) ? 1 : -1 # of the point: the baselines' labels stand on the left
        height = (side in place) ? smaller(rate[r], place[side] - gap) : rate[r]
        place[side] = height
        print intensity, exp(rate[r]), intensity * (side > 0 ? 2 : 0.5), exp(height), \
              text_for_gnuplot(cell(r, "step")), side > path
    }
    close(path)
    path = prefix "roofline.gp"
    print "intensity = " intensity "\nlowest_rate = " exp(rate[list[1]]) > path
    close(path)
}

# A text of gnuplot's.
function quoted(text) {
    text = text_for_gnuplot(text)
    gsub(/'/, "''", text)
    return "'" text "'"
}
