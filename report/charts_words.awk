# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What each chart is called and what it says, in words and numbers: for charts.awk, which has them drawn. Titles are for
# people and go into the picture; descriptions go into the SVG (<desc>), and pages show them below a chart.

function heading_of(chart) {
    if (chart == "speedup")
        return "Speedup over one CPU thread" \
               (predicted_count ? "; hollow: " (predicted_whose == "" ? "your own steps" : clip(predicted_whose, 24)) ", predicted, not measured" : "")
    if (chart == "roof")
        return "Share of the measured bandwidth"
    if (chart == "roofline")
        return "Roofline: how much of the " (own_counted_count ? "predicted" : "measured") " time each unit alone would need"
    if (chart == "energy")
        return "Energy and time of a call"
    if (chart == "inputs")
        return "Time on each input, in % more or less than on " main_input
    return "Time by machine"
}

function description_of(chart,    text) {
    text = chart == "speedup" ? speedup_in_words() : chart == "roof" ? roof_in_sentences() : chart == "roofline" ? roofline_in_words() : \
           chart == "energy" ? energy_in_words() : chart == "inputs" ? inputs_in_words() : machines_in_words()
    if (own > 1 && !(chart == "roofline" && own_counted_count))
        text = "Measured times are those recorded on " gpu[own] ", not of this machine. " text
    sub(/ $/, "", text)
    return text
}

# ---- speedup, roof --------------------------------------------------------------------------------------

function speedup_in_words(    text, r, gained, gain) {
    r = best_step("speedup")
    text = "Each step's speedup over one CPU thread. "
    if (r)
        text = text named(r) " is the fastest: " times_of(num(r, "speedup")) (number["roof_speedup"] == "" ? "" : \
               ", where the memory allows " times_of(number["roof_speedup"])) ". "
    gained = best_gain()
    if (gained)
        text = text named(gained) " gains the most, " times_of(gain_of[gained]) " over the step before it. "
    return text baselines_in_words("speedup") predicted_words() without_time()
}

function times_of(value) {
    return significant(value, 3) " times"
}

function roof_in_sentences(    text, r, i, count, half) {
    r = best_step("roof_fraction")
    text = "How much of the bandwidth of a streaming read, " significant(number["roof_gbps"], 4) " GB/s, each step reaches. "
    for (i = 1; i <= n; i++)
        if (is_drawn_step(at[i]) && num(at[i], "roof_fraction") != "") {
            count++
            half += !below(num(at[i], "roof_fraction"), 0.5)
        }
    if (r)
        text = text named(r) " reaches the most, " share_words(r) "; " (half + 0) " of " count " steps reach half of it. "
    return text baselines_in_words("roof_fraction") without_time()
}

function share_words(r) {
    return percent(num(r, "roof_fraction")) " %"
}

function is_drawn_step(r) {
    return mine(r) && is_step(r)
}

function named(r) {
    return is_step(r) ? short_name(cell(r, "step")) : step_shown(r)
}

# The step with the largest number in that column, 0 for none.
function best_step(column,    i, best_row) {
    for (i = 1; i <= n; i++)
        if (is_drawn_step(at[i]) && num(at[i], column) != "" && (!best_row || above(num(at[i], column), num(best_row, column))))
            best_row = at[i]
    return best_row + 0
}

# The step that is faster by the most than the one before it in the chart; gain_of[it] is by how much.
function best_gain(    i, r, before, most) {
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (!is_drawn_step(r))
            continue
        if (before && num(r, "us") != "" && num(before, "us") != "") {
            gain_of[r] = num(before, "us") / num(r, "us")
            if (gain_of[r] > 1 && (!most || gain_of[r] > gain_of[most]))
                most = r
        }
        before = r
    }
    return most + 0
}

function baselines_in_words(column,    i, r, text) {
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (mine(r) && !is_step(r) && !is_reference_point(r) && num(r, column) != "" && cell(r, "step") !~ /^reference/)
            text = text (text == "" ? "" : ", ") step_shown(r) " " (column == "speedup" ? times_of(num(r, column)) : share_words(r))
    }
    return text == "" ? "" : "For comparison: " text ". "
}

function without_time(    i, text) {
    for (i = 1; i <= n; i++)
        if (is_drawn_step(at[i]) && cell(at[i], "verdict") != "pass")
            text = text (text == "" ? "" : ", ") named(at[i]) " (" cell(at[i], "verdict") ")"
    return text == "" ? "" : "Without a time: " text ". "
}

function predicted_words(    i, r, text) {
    for (i = 1; i <= predicted_count; i++) {
        r = predicted_rows[i]
        text = text (i > 1 ? ", " : "") named(r) " ~" significant(predicted_speedup(r, "predicted_us"), 3)
    }
    return text == "" ? "" : "Hollow, predicted for " predicted_gpu " and not measured: " text ". "
}

# ---- energy -------------------------------------------------------------------------------------------------

function energy_in_words(    i, r, text, others, later) {
    text = "What a call takes of the GPU's energy, the whole board's, against its time where one call follows the other without a pause. "
    if (energy_least)
        text = text "The step that takes the least is " energy_of(energy_least) ". "
    if (energy_fastest != energy_least)
        text = text "The fastest is " energy_of(energy_fastest) ". "
    text = text "On a diagonal power is the same: the upper one is the most that was measured, " significant(energy_watts, 3) " W" \
           (energy_idle ? ", the lower one what the GPU draws where nothing runs, " significant(energy_idle, 3) " W. " : ". ")
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (!has_energy(r))
            continue
        if (!is_step(r))
            others = others (others == "" ? "For comparison: " : "; ") energy_of(r)
        else if (energy_us(r) > 1.05 * num(r, "us"))
            later = later (later == "" ? "" : ", ") named(r) " by " sprintf("%.0f %%", 100 * energy_us(r) / num(r, "us") - 100)
    }
    if (later != "")
        text = text "Some take longer there than in their samples, as where a GPU lowers its clock before it draws more power than it may: " later ". "
    return text (others == "" ? "" : others ". ")
}

# "opt16 with 7.50 mJ at 515 W, 8.70 GB a joule"
function energy_of(r) {
    return named(r) " with " significant(millijoules(r), 3) " mJ at " significant(num(r, "energy_watts"), 3) " W" \
           (cell(r, "kind") == "empty" ? "" : ", " significant(num(r, "bytes") / 1e6 / millijoules(r), 3) " GB a joule")
}

# ---- the others ---------------------------------------------------------------------------------------------

# Steps with the same limit in one group, in the order in which the ladder meets them.
function roofline_in_words(    s, g, groups, group_of, name, members, low, high, list, text, share) {
    text = "How much of each step's " (own_counted_count ? "predicted" : "measured") " time the busiest unit alone would need. "
    for (s = 1; s <= roof_steps; s++) {
        if (!(roof_limit_words(s) in group_of)) {
            name[++groups] = roof_limit_words(s)
            group_of[name[groups]] = groups
        }
        g = group_of[roof_limit_words(s)]
        list[g, ++members[g]] = cell(roof_row[s], "step")
        share = 100 * roof_share[s, roof_largest[s]]
        low[g] = smaller(low[g], share)
        high[g] = larger(high[g], share)
    }
    for (g = 1; g <= groups; g++)
        text = text name[g] ", " significant(low[g], 2) (members[g] > 1 ? " to " significant(high[g], 2) : "") " %: " \
               group_in_short(list, g, members[g]) ". "
    return text
}

function roof_limit_words(s) {
    return below(roof_working[s], 1) ? sprintf("Work for %.0f of %d multiprocessors", roof_working[s] * roof_sms[s], roof_sms[s]) : \
           roof_limit[s] == "latency" ? "Waiting, under no roof" : "Under the roof of " roof_words[roof_largest[s]]
}

function group_in_short(list, g, count,    i, names) {
    for (i = 1; i <= count; i++)
        names[i] = list[g, i]
    return steps_in_short(names, count)
}

function inputs_in_words(    i, r, slowest, fastest, text) {
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (block[r] != own || !is_step(r) || was_disturbed(r) || over_main(r) == "")
            continue
        if (!slowest || above(over_main(r), over_main(slowest)))
            slowest = r
        if (!fastest || below(over_main(r), over_main(fastest)))
            fastest = r
    }
    text = "Each step's time on " input_series " inputs, against its time on " main_input ". "
    if (slowest && above(over_main(slowest), 1.005))
        text = text "The slowest against it is " named(slowest) " on " cell(slowest, "input") ", " signed_percent(over_main(slowest)) " %. "
    if (fastest && below(over_main(fastest), 0.995))
        text = text "The fastest is " named(fastest) " on " cell(fastest, "input") ", " signed_percent(over_main(fastest)) " %. "
    return text
}

# A time over another in per cent more or less: "+11", "-75", "0".
function signed_percent(ratio,    value) {
    value = sprintf("%.0f", 100 * (ratio - 1)) + 0
    return value > 0 ? "+" value : value ""
}

function machines_in_words(    i, r, b, fastest, text) {
    for (i = 1; i <= n; i++) {
        r = at[i]
        b = block[r]
        if (is_step(r) && cell(r, "input") == main_input && num(r, "us") != "" && (!(b in fastest) || below(num(r, "us"), num(fastest[b], "us"))))
            fastest[b] = r
    }
    text = "The time of one call on " machine_series " machines, and its share of each machine's own roof. "
    for (b = 1; b <= blocks; b++)
        if (b in fastest)
            text = text gpu[b] ": " named(fastest[b]) " is the fastest, " significant(num(fastest[b], "us"), 3) " us" \
                   (num(fastest[b], "roof_fraction") == "" ? "" : ", " percent(num(fastest[b], "roof_fraction")) " % of the roof") ". "
    return text
}
