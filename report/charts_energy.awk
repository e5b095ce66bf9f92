# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The chart of energy against time, for charts.awk: the files that gnuplot reads, each name behind PROBLEM-:
#
# energy.tsv                       the steps and then, as a second data set, the baselines
# energy-near.tsv, energy-far.tsv  the labels of the two panels, which charts_labels.awk finds places for
# energy.gp                        the numbers: powers, and each panel's place, range and tics
#
# Times are those of the calls whose energy was measured, in us, since only they lie on the diagonal of their power; energies are in mJ.

# The panel `far` shows all, the panel `near` the fastest step and what lies about it: the others may lie orders of magnitude away.
function write_energy(prefix,    i, r) {
    energy_points = energy_fastest = energy_least = energy_idle = energy_watts = 0
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (!has_energy(r))
            continue
        energy_row[++energy_points] = r
        energy_idle = larger(energy_idle, num(r, "energy_idle_watts") + 0)
        energy_watts = larger(energy_watts, num(r, "energy_watts"))
        if (!is_step(r))
            continue
        if (!energy_fastest || energy_us(r) < energy_us(energy_fastest))
            energy_fastest = r
        if (!energy_least || millijoules(r) < millijoules(energy_least))
            energy_least = r
    }
    if (energy_points < 2)
        return
    find_near()
    write_energies(prefix "energy.tsv")
    print "idle = " energy_idle "\nwatts = " energy_watts "\npanels = '" (any_far ? "near far" : "near") "'" > (prefix "energy.gp")
    write_panel(prefix, "near", any_far ? 400 : 90, 970, 55, 35)
    if (any_far)
        write_panel(prefix, "far", 75, 345, 25, 30)
    close(prefix "energy.gp")
}

function has_energy(r) {
    return mine(r) && num(r, "us") != "" && above(num(r, "energy_joules"), 0) && above(num(r, "energy_watts"), 0)
}

function millijoules(r) {
    return 1000 * num(r, "energy_joules")
}

function energy_us(r) {
    return 1e6 * num(r, "energy_joules") / num(r, "energy_watts")
}

# energy_row[near_first..near_last], by their times, of which no two neighbours are GAP times apart: those about the fastest step, or
# where no step has an energy, the slowest.
function find_near(    i, key) {
    GAP = 2
    for (i = 1; i <= energy_points; i++)
        key[energy_row[i]] = energy_us(energy_row[i])
    sort_by(energy_row, energy_points, key, 1)
    near_first = energy_points
    for (i = 1; i <= energy_points; i++)
        if (energy_row[i] == energy_fastest)
            near_first = i
    near_last = near_first
    while (near_first > 1 && key[energy_row[near_first]] < GAP * key[energy_row[near_first - 1]])
        near_first--
    while (near_last < energy_points && key[energy_row[near_last + 1]] < GAP * key[energy_row[near_last]])
        near_last++
    if (near_last - near_first < 2) { # too few for a panel of their own
        near_first = 1
        near_last = energy_points
    }
    any_far = near_first > 1 || near_last < energy_points
}

function write_energies(path,    steps, i, r) {
    for (steps = 1; steps >= 0; steps--) {
        print (steps ? "" : "\n\n") "us\tmillijoules" > path
        for (i = 1; i <= energy_points; i++)
            if (is_step(energy_row[i]) == steps)
                print number_or_nan(energy_us(energy_row[i])), number_or_nan(millijoules(energy_row[i])) > path
    }
    close(path)
}

# ---- panels -------------------------------------------------------------------------------------

# A panel between so many thousandths of the chart's width, with that much room around its points.
function write_panel(prefix, name, left, right, beside, above_it,    i, low_us, high_us, low_mj, high_mj, path) {
    path = prefix "energy.gp"
    low_us = high_us = low_mj = high_mj = ""
    for (i = 1; i <= energy_points; i++)
        if (name == "far" || is_near(i)) {
            low_us = smaller(low_us, energy_us(energy_row[i]))
            high_us = larger(high_us, energy_us(energy_row[i]))
            low_mj = smaller(low_mj, millijoules(energy_row[i]))
            high_mj = larger(high_mj, millijoules(energy_row[i]))
        }
    if (name == "far") { # it shows the other's frame
        low_us = smaller(low_us, near_low_us)
        high_us = larger(high_us, near_high_us)
        low_mj = smaller(low_mj, near_low_mj)
        high_mj = larger(high_mj, near_high_mj)
    } else if (!any_far && energy_idle) # no other panel shows its line
        low_mj = smaller(low_mj, energy_idle * sqrt(low_us * high_us) / 1000)
    panel_wide = right - left
    panel_high = 620 * (0.785 - 0.12) # the chart's height, and the margins in energy.gp
    x_span = set_range(low_us, high_us, beside / panel_wide)
    x_low = range_low
    print name "_left = " left / 1000 "\n" name "_right = " right / 1000 > path
    print_range(path, name "_x", panel_wide)
    y_span = set_range(low_mj, high_mj, above_it / panel_high)
    y_low = range_low
    print_range(path, name "_y", panel_high)
    begin_labels(panel_wide, panel_high)
    add_lines(name)
    write_labels(prefix "energy-" name ".tsv", name)
}

function is_near(i) {
    return i >= near_first && i <= near_last
}

# Sets range_low and range_high, from low to high and that share of the axis beyond both. Returns how long it is, as a logarithm.
function set_range(low, high, margin,    middle, span) {
    middle = log(low * high) / 2
    span = log(high / low)
    span = (span < 0.4 ? 0.4 : span) / (1 - 2 * margin)
    range_low = exp(middle - span / 2)
    range_high = exp(middle + span / 2)
    return span
}

function print_range(path, name, long) {
    printf "%s_low = %.9g\n%s_high = %.9g\n%s_tics = '%s'\n", name, range_low, name, range_high, name, \
           tics_between(range_low, range_high, long) > path
}

# Tics for an axis of so many pixels, as gnuplot takes them: the coarsest of some series of round numbers that has one in 90 pixels, or
# five in all. Of powers of ten every second or third where there are too many.
function tics_between(low, high, long,    sets, set, digits, count, j, exponent, value, list, found, enough, stride) {
    enough = long < 450 ? int(long / 90) : 5
    split("1;1 2 5;1 1.5 2 3 4 5 6 8;1 1.2 1.4 1.6 2 2.5 3 4 5 6 8;1 1.1 1.2 1.3 1.4 1.5 1.6 1.8 2 2.2 2.5 2.8 3 3.5 4 4.5 5 5.5 6 7 8 9", sets, ";")
    stride = 1 + int(35 * log(high / low) / log(10) / long)
    for (set = 1; set <= 5 && found < enough && (set == 1 || stride == 1); set++) {
        list = found = ""
        count = split(sets[set], digits, " ")
        for (exponent = -30; exponent <= 30; exponent++)
            for (j = 1; j <= count; j++) {
                value = digits[j] * 10 ^ exponent
                if (value >= low && value <= high && exponent % stride == 0)
                    list = list (found++ ? ", " : "") "\"" (set == 1 ? "10^{" exponent "}" : sprintf("%.6g", value)) "\" " value
            }
    }
    return "(" list ")"
}

function x_of(us) {
    return panel_wide * log(us / x_low) / x_span
}

function y_of(mj) {
    return panel_high * log(mj / y_low) / y_span
}

# What labels should rather not lie on: the lines of constant power, and in the panel of all the frame of the other.
function add_lines(name,    end, i, powers, x0, y0, x1, y1) {
    end = x_low * exp(x_span)
    powers[1] = energy_idle
    powers[2] = energy_watts
    for (i = 1; i <= 2; i++)
        if (powers[i] > 0)
            add_line(0, y_of(powers[i] * x_low / 1000), panel_wide, y_of(powers[i] * end / 1000))
    if (name == "near") {
        near_low_us = x_low
        near_high_us = end
        near_low_mj = y_low
        near_high_mj = y_low * exp(y_span)
        return
    }
    x0 = x_of(near_low_us)
    x1 = x_of(near_high_us)
    y0 = y_of(near_low_mj)
    y1 = y_of(near_high_mj)
    add_line(x0, y0, x0, y1)
    add_line(x1, y0, x1, y1)
    add_line(x0, y0, x1, y0)
    add_line(x0, y1, x1, y1)
}

# ---- labels -------------------------------------------------------------------------------------

# The labels of one panel: the text, its colour (a step's and a baseline's are those of their marks), where it begins or ends or has its
# middle, and where the line to it starts and how far it leads (NaN without one). What `near` labels has none in `far`.
function write_labels(path, name,    i, list, count, key, g, groups, order, p, text) {
    for (i = 1; i <= energy_points; i++) {
        p = add_point(x_of(energy_us(energy_row[i])), y_of(millijoules(energy_row[i])))
        if (is_near(i) == (name == "near")) {
            list[++count] = i
            key[i] = !is_step(energy_row[i]) " " step_shown(energy_row[i])
        }
    }
    sort_by(list, count, key, 0)
    groups = group_energies(list, count)
    for (g = 1; g <= groups; g++) {
        order[g] = g
        key[g] = -crowd_around(group_first[g])
    }
    sort_by(order, groups, key, 1)
    print "x\ty\talign\ttext\tcolour\tus\tmillijoules\tmore_us\tmore_millijoules" > path
    for (i = 1; i <= groups; i++) {
        g = order[i]
        text = group_text(g)
        if (place_label(group_first[g], width(text)))
            print label_line_of(energy_row[group_first[g]], text) > path
    }
    close(path)
}

# Sets group_first[] and group_size[] of list[1..count]: what lies on one point has one label, unless that gets too long. Returns how many
# groups there are.
function group_energies(list, count,    i, g, groups, name) {
    for (i = 1; i <= count; i++) {
        name = step_shown(energy_row[list[i]])
        for (g = groups; g > 0; g--)
            if (shares_label(group_first[g], list[i]) && joins_group(g, name))
                break
        if (!g) {
            group_first[++groups] = list[i]
            group_size[groups] = 1
            group_name[groups, 1] = name
        }
    }
    return groups + 0
}

function joins_group(g, name) {
    group_name[g, ++group_size[g]] = name
    if (width(group_text(g)) <= 36)
        return 1
    group_size[g]--
    return 0
}

function shares_label(p, q) {
    return is_step(energy_row[p]) == is_step(energy_row[q]) && apart(p, q) <= POINT
}

# Steps by their numbers: "05-07, 11". What baselines' names begin with stands once: "cub_sum-3.0.1, -3.5.0".
function group_text(g,    i, names, text, stem) {
    for (i = 1; i <= group_size[g]; i++)
        names[i] = group_name[g, i]
    if (is_step(energy_row[group_first[g]])) {
        text = steps_in_short(names, group_size[g])
        gsub(/[a-z]/, "", text)
        return text
    }
    text = clip(names[1], 28)
    stem = names[1]
    sub(/-[0-9.]*$/, "", stem)
    for (i = 2; i <= group_size[g]; i++)
        text = text ", " clip(index(names[i], stem) == 1 ? substr(names[i], length(stem) + 1) : names[i], 28)
    return text
}

# A line of the file, of the label that was placed last.
function label_line_of(r, text,    middle, x, us, mj) {
    middle = (label_left[labels] + label_right[labels]) / 2
    x = label_end_x[labels]
    us = energy_us(r)
    mj = millijoules(r)
    return us_at(x) "\t" mj_at((label_bottom[labels] + label_top[labels]) / 2) "\t" \
           (x > middle + 1 ? "right" : x < middle - 1 ? "left" : "centre") "\t\"" text_for_gnuplot(text) "\"\t" \
           (is_step(r) ? "0x000000" : "0x0072b2") "\t" us "\t" mj "\t" \
           (label_is_far[labels] ? us_at(x) - us "\t" mj_at(label_end_y[labels]) - mj : "NaN\tNaN")
}

function us_at(x) {
    return x_low * exp(x_span * x / panel_wide)
}

function mj_at(y) {
    return y_low * exp(y_span * y / panel_high)
}
