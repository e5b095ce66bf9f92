# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The data of one problem's charts, for charts.awk: of the rows at[1..n], into files that gnuplot reads.
# The files, each name behind PROBLEM-:
#
# main.tsv      the steps on the problem's first input, then (as a second data set) the baselines
# main.gp       the numbers that are one for the whole chart: roofs, counts, names
# inputs.tsv    one data set for each input;    inputs.gp    how many, and whether a time was disturbed
# machines.tsv  one data set for each file;     machines.gp  how many
# charts_counted.awk writes what counters tell: roofline.tsv, predicted.tsv.

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
            if (!predicted_count) # that chart leaves the GTX 680 out
                lowest = smaller(lowest, num(r, "gtx680_speedup"))
            gtx680_steps++
        }
    }
    for (i = 1; i <= predicted_count; i++) {
        best = larger(best, predicted_speedup(predicted_rows[i], "predicted_low_us"))
        lowest = smaller(lowest, predicted_speedup(predicted_rows[i], "predicted_high_us"))
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
    return x "\t" tick_name(r, x) "\t" text_for_gnuplot(cell(r, "verdict")) "\t" \
           number_or_nan(num(r, "speedup")) "\t" number_or_nan(num(r, "speedup_low")) "\t" \
           number_or_nan(num(r, "speedup_high")) "\t" number_or_nan(num(r, "roof_fraction")) "\t" \
           number_or_nan(num(r, "gtx680_speedup"))
}

# A row's name below its column x: the first ones have less room to their left.
function tick_name(r, x) {
    return text_for_gnuplot(clip(step_shown(r), x < 3 ? 24 : 28))
}

function write_numbers(path,    name) {
    print "predicted = " predicted_count > path
    print "gain_range = " gain_range() > path
    print "predicted_name = " gnuplot_text(predicted_gpu) > path
    print "steps = " steps > path
    print "columns = " columns > path
    print "device = " gnuplot_text(clip(gpu[own], 40)) > path
    print "best = " (best + 0) > path
    print "lowest = " lowest > path
    print "gtx680_steps = " gtx680_steps > path
    print "gtx680_roof = " gtx680("reference") / gtx680("roof") > path
    print "gtx680_gbps = " gtx680("gbps") > path
    print "gtx680_name = " gnuplot_text(gtx680("name")) > path
    for (name in number)
        print name " = " (number[name] + 0) > path
    close(path)
}

# ---- the same steps several times ------------------------------------------------------------------------

# A data set for each input of our own block: the main one first, since the others are held against it, and the warm ones last.
function write_inputs(prefix,    i, r, path, input, key, met, has_time, names, disturbed) {
    path = prefix "inputs.tsv"
    input_series = 0
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (block[r] != own || !is_step(r))
            continue
        input = cell(r, "input")
        disturbed += was_disturbed(r)
        if (!(input in key))
            key[input] = (input == main_input ? 0 : input ~ /, warm$/ ? 2000 : 1000) + ++met
        if (num(r, "us") != "" && !has_time[input]++)
            names[++input_series] = input
    }
    sort_by(names, input_series, key, 1)
    for (i = 1; i <= input_series; i++)
        write_series(path, i, names[i], own, names[i], rank)
    close(path)
    write_counts(prefix "inputs.gp", input_series, steps)
    print "disturbed = " disturbed + 0 >> (prefix "inputs.gp")
    printf "array input_names[" (input_series + !input_series) "] = [" >> (prefix "inputs.gp")
    for (i = 1; i <= input_series; i++)
        printf "%s%s", (i > 1 ? ", " : ""), gnuplot_text(names[i]) >> (prefix "inputs.gp")
    print (input_series ? "" : "''") "]" >> (prefix "inputs.gp")
    close(prefix "inputs.gp")
}

# A data set for each block, and one of the GTX 680.
function write_machines(prefix,    i, r, b, path, seen, of_block, rank, seconds) {
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
        write_series(path, i, clip(gpu[b], 40) ", " date[b], b, main_input, machine_rank)
    }
    if (gtx680_steps > 0) {
        print_series_head(path, machine_series + 1, gtx680("name") " (the journal)")
        for (i = 1; i <= n; i++)
            if (mine(at[i]) && num(at[i], "gtx680_seconds") != "") {
                rank = machine_rank[cell(at[i], "step")]
                seconds = num(at[i], "gtx680_seconds")
                print rank, tick_name(at[i], rank), seconds * 1000, "NaN", 100 * gtx680("roof") / seconds > path
            }
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
            print places[cell(r, "step")], tick_name(r, places[cell(r, "step")]), number_or_nan(num(r, "us")), \
                  number_or_nan(over_main(r)), number_or_nan(scaled_share(num(r, "roof_fraction"))), text_for_gnuplot(cell(r, "verdict")), was_disturbed(r) ? "*" : "-" > path
    }
}

function scaled_share(share) {
    return share == "" ? "" : 100 * share
}

function write_counts(path, series, last) {
    print "series = " series "\ncolumns = " last "\ngtx680 = " (gtx680_steps > 0) \
          "\nmain_input = " gnuplot_text(main_input) > path
    close(path)
}

# A time over the same step's on the main input.
function over_main(r,    i) {
    for (i = 1; i <= n; i++)
        if (mine(at[i]) && cell(at[i], "step") == cell(r, "step"))
            return ratio_of(num(r, "us"), num(at[i], "us"))
    return ""
}

# A text of gnuplot's.
function gnuplot_text(text) {
    text = text_for_gnuplot(text)
    gsub(/'/, "''", text)
    return "'" text "'"
}
