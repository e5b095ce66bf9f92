# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What charts show from counters, for charts.awk: predicted times in the speedup chart, and the roofline. Files:
#
# predicted.tsv  predicted speedups of the results' own steps: x, low and high of the 90 % interval, and these three
#                divided by the step's recorded speedup
# roofline.tsv   a data set for each of ROOFS: x is its share of a step's time in per cent. The last one is about each
#                step as a whole: y, its name, the largest share, what limits it in words
# roofline.gp    names, how many steps, where the axis begins

BEGIN {
    # The units of predicted_shares that are a roof, or cost time of their own. Latency is none: a step that waits
    # for it is under no roof.
    ROOFS = "dram l2 shared shared-atomics global-atomics one-address issue barriers launches"
    # Each multiprocessor has these (or sends them): the share is of those that work, and becomes one of all.
    OF_EACH = " shared shared-atomics global-atomics issue barriers "
    roof_words["dram"] = "DRAM"
    roof_words["l2"] = "L2"
    roof_words["shared"] = "L1, shared memory"
    roof_words["shared-atomics"] = "shared atomics"
    roof_words["global-atomics"] = "global atomics"
    roof_words["one-address"] = "one address"
    roof_words["issue"] = "instructions"
    roof_words["barriers"] = "barriers"
    roof_words["launches"] = "launches"
}

# ---- which rows ------------------------------------------------------------------------------------------

function is_predicted(r) {
    return is_step(r) && num(r, "predicted_us") != ""
}

# Sets predicted_whose and predicted_gpu: the submission of the results whose predicted times are drawn; "" for none.
function find_predicted(    i, r) {
    for (i = 1; i <= rows && predicted_gpu == ""; i++) {
        r = order[i]
        if (block[r] == 1 && is_predicted(r) && (wanted == "" || cell(r, "submission") == (wanted == "-" ? "" : wanted))) {
            predicted_whose = cell(r, "submission")
            predicted_gpu = cell(r, "predicted_gpu")
            predicted_row = r
        }
    }
}

# predicted_rows[1..predicted_count]: those that can stand beside the recorded ones, of the same input and size.
# own_counted[1..own_counted_count]: all of the submission on the first of its inputs, for the roofline.
function select_predicted(problem,    i, r, other, input) {
    predicted_count = own_counted_count = 0
    if (predicted_gpu == "" || own == 1)
        return
    for (i = 1; i <= rows; i++) {
        r = order[i]
        if (block[r] != 1 || !is_predicted(r) || cell(r, "problem") != problem || cell(r, "submission") != predicted_whose)
            continue
        if (own_counted_count == 0)
            input = key_of(r, "input")
        if (key_of(r, "input") == input)
            own_counted[++own_counted_count] = r
        if (cell(r, "input") != main_input || predicted_size(r) != main_size())
            other = r
        else
            predicted_rows[++predicted_count] = r
    }
    if (own_counted_count && !predicted_count)
        print "say", "What was predicted is of input " cell(other, "input") ", " predicted_size(other) ", and stands beside no " \
                     "recorded time: those are of input " main_input ", " main_size() ". Grade with that --input and --size."
}

function main_size(    i) {
    for (i = 1; i <= n; i++)
        if (mine(at[i]))
            return num(at[i], "rows") " x " num(at[i], "columns")
    return ""
}

# ---- predicted times -------------------------------------------------------------------------------------

# Over the same reference as the recorded ones.
function predicted_speedup(r, column,    i) {
    for (i = 1; i <= n; i++)
        if (mine(at[i]) && num(at[i], "reference") != "")
            return ratio_of(num(at[i], "reference") * 1000, num(r, column))
    return ""
}

function write_predicted(path,    i, r) {
    print "x", "step", "speedup", "speedup_low", "speedup_high", "gain", "gain_low", "gain_high" > path
    for (i = 1; i <= predicted_count; i++) {
        r = predicted_rows[i]
        print rank[cell(r, "step")], text_for_gnuplot(cell(r, "step")), number_or_nan(predicted_speedup(r, "predicted_us")), \
              number_or_nan(predicted_speedup(r, "predicted_high_us")), number_or_nan(predicted_speedup(r, "predicted_low_us")), \
              number_or_nan(over_recorded(r, "predicted_us")), number_or_nan(over_recorded(r, "predicted_high_us")), \
              number_or_nan(over_recorded(r, "predicted_low_us")) > path
    }
    close(path)
}

# From the least to the most that an interval reaches of it.
function gain_range(    i, least, most) {
    least = most = 1
    for (i = 1; i <= predicted_count; i++) {
        least = smaller(least, over_recorded(predicted_rows[i], "predicted_high_us"))
        most = larger(most, over_recorded(predicted_rows[i], "predicted_low_us"))
    }
    return most - least
}

function over_recorded(r, column,    i) {
    for (i = 1; i <= n; i++)
        if (mine(at[i]) && is_step(at[i]) && cell(at[i], "step") == cell(r, "step"))
            return ratio_of(num(at[i], "us"), num(r, column))
    return ""
}

# ---- roofline --------------------------------------------------------------------------------------------

# Sets roof_steps, and roof_title where the steps are not those of the other charts.
function write_roofline(prefix, problem,    i, r) {
    roof_steps = 0
    roof_title = ""
    roof_least = 0.1
    split("", roof_share)
    for (i = 1; i <= own_counted_count; i++)
        add_roofs(own_counted[i], own_counted[i], 1)
    if (roof_steps) {
        r = own_counted[1]
        roof_title = (predicted_whose == "" ? "" : clip(predicted_whose, 24) ": ") problem ", input " cell(r, "input") ", " predicted_size(r) \
                     ", predicted for " predicted_gpu ", not measured"
    }
    for (i = 1; i <= n && !own_counted_count; i++)
        if (mine(at[i]) && is_step(at[i]) && num(at[i], "us") != "" && counted_row(at[i]))
            add_roofs(at[i], counted_row(at[i]), ratio_of(num(counted_row(at[i]), "predicted_us"), num(at[i], "us")))
    if (roof_steps)
        write_roofs(prefix)
}

# The row with counters of what a GPU measured in row r; 0 for none.
function counted_row(r,    c, key) {
    key = key_of(r, "step problem input source_sha256")
    for (c = rows; c >= 1; c--)
        if (num(c, "predicted_us") != "" && cell(c, "predicted_shares") != "" && key_of(c, "step problem input source_sha256") == key && \
            predicted_size(c) == num(r, "rows") " x " num(r, "columns") && is_named_gpu(cell(r, "device"), cell(c, "predicted_gpu")))
            return c
    return 0
}

# One more step: the shares of the predicted time, times `scale` those of the measured one.
function add_roofs(r, counted, scale,    names, count, i, share, largest, s) {
    read_shares(counted, share)
    count = split(ROOFS, names, " ")
    s = roof_steps + 1
    roof_sms[s] = sms_of(counted)
    roof_working[s] = working_share(counted, roof_sms[s])
    for (i = 1; i <= count; i++)
        if ((names[i] in share) && above(share[names[i]], 0)) {
            roof_share[s, names[i]] = share[names[i]] * scale * (index(OF_EACH, " " names[i] " ") ? roof_working[s] : 1)
            if (largest == "" || above(roof_share[s, names[i]], roof_share[s, largest]))
                largest = names[i]
        }
    if (largest == "")
        return
    roof_steps = s
    roof_row[s] = r
    roof_largest[s] = largest
    roof_limit[s] = cell(counted, "predicted_limit")
    roof_least = smaller(roof_least, roof_share[s, largest])
}

# Which share of the multiprocessors has a block of the largest launch; 1 where it is not known.
function working_share(r, sms,    launches, count, i, blocks) {
    if (sms == "")
        return 1
    count = read_list(r, "launches", launches)
    for (i = 1; i <= count; i++)
        blocks = larger(blocks, launches[i, "blocks"])
    return count ? smaller(1, blocks / sms) : 1
}

# Of the GPU that a row is predicted for, as far as a record that it measured says.
function sms_of(r,    i) {
    for (i = 1; i <= n; i++)
        if (above(num(at[i], "sms"), 0) && is_named_gpu(cell(at[i], "device"), cell(r, "predicted_gpu")))
            return num(at[i], "sms")
    return ""
}

function write_roofs(prefix,    path, names, count, i, s) {
    path = prefix "roofline.tsv"
    count = split(ROOFS, names, " ")
    for (i = 1; i <= count; i++) {
        print (i > 1 ? "\n\n" : "") "share", "y", "name" > path
        for (s = 1; s <= roof_steps; s++)
            print roof_cell(s, names[i]), s, "-" > path
    }
    print "\n\nshare", "y", "name", "limit" > path
    for (s = 1; s <= roof_steps; s++)
        print roof_cell(s, roof_largest[s]), s, text_for_gnuplot(clip(cell(roof_row[s], "step"), 28)), roof_in_words(s) > path
    close(path)
    path = prefix "roofline.gp"
    print "steps = " roof_steps "\nleast = " 100 * roof_least "\nroofs = " count > path
    printf "array roof_names[" count "] = [" > path
    for (i = 1; i <= count; i++)
        printf "%s'%s'", (i > 1 ? ", " : ""), roof_words[names[i]] > path
    print "]\nof_time = '" (own_counted_count ? "predicted" : "measured") " time'" > path
    close(path)
}

function roof_cell(s, name) {
    return number_or_nan(((s, name) in roof_share) ? 100 * roof_share[s, name] : "")
}

# Which roof a step is under and how far below: "DRAM: 98 %", "waits (latency); DRAM: 41 %".
function roof_in_words(s,    waits) {
    waits = roof_limit[s] == "latency"
    if (below(roof_working[s], 1))
        return sprintf("%.0f of %d multiprocessors: ", roof_working[s] * roof_sms[s], roof_sms[s]) \
               (waits ? "waits (latency)" : (roof_limit[s] in roof_words) ? roof_words[roof_limit[s]] : roof_limit[s])
    return (waits ? "waits (latency); " : "") roof_words[roof_largest[s]] ": " significant(100 * roof_share[s, roof_largest[s]], 2) " %"
}
