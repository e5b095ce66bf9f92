# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The chart of energy against time, for charts.awk: what gnuplot reads (energy.tsv, the steps and then, as a second data set, the
# baselines; energy.gp) and what pages say of it.

# Times in us, energies in mJ. A panel of its own shows what takes between NEAR_FROM and NEAR_TO times as long as the fastest step:
# the others lie orders of magnitude away.
function write_energy(prefix,    i) {
    NEAR_FROM = 0.7
    NEAR_TO = 4
    energy_steps = energy_fastest = energy_least = energy_idle = energy_watts = any_far = 0
    near_fastest = near_slowest = near_least = near_most = ""
    for (i = 1; i <= n; i++)
        if (has_energy(at[i]) && is_step(at[i])) {
            energy_steps++
            if (!energy_fastest || below(num(at[i], "us"), num(energy_fastest, "us")))
                energy_fastest = at[i]
            if (!energy_least || below(millijoules(at[i]), millijoules(energy_least)))
                energy_least = at[i]
        }
    for (i = 1; i <= n; i++)
        if (has_energy(at[i]))
            see_energy(at[i])
    write_energies(prefix "energy.tsv", 1)
    write_energies(prefix "energy.tsv", 0)
    close(prefix "energy.tsv")
    print "idle = " energy_idle "\nwatts = " energy_watts "\nnear_fastest = " near_fastest + 0 "\nnear_slowest = " near_slowest + 0 \
          "\nnear_least = " near_least + 0 "\nnear_most = " near_most + 0 "\nany_far = " any_far > (prefix "energy.gp")
    close(prefix "energy.gp")
}

function has_energy(r) {
    return mine(r) && num(r, "us") != "" && num(r, "energy_joules") != ""
}

function millijoules(r) {
    return 1000 * num(r, "energy_joules")
}

function is_near(r,    times) {
    times = num(r, "us") / num(energy_fastest, "us")
    return times >= NEAR_FROM && times <= NEAR_TO
}

function see_energy(r) {
    energy_idle = larger(energy_idle, num(r, "energy_idle_watts") + 0)
    energy_watts = larger(energy_watts, num(r, "energy_watts"))
    if (!energy_fastest || !is_near(r)) {
        any_far = 1
        return
    }
    near_fastest = smaller(near_fastest, num(r, "us"))
    near_slowest = larger(near_slowest, num(r, "us"))
    near_least = smaller(near_least, millijoules(r))
    near_most = larger(near_most, millijoules(r))
}

function write_energies(path, steps,    i, r, near, far) {
    print (steps ? "" : "\n\n") "us\tmillijoules\tnear\tfar" > path
    label_energies(steps, 1, steps ? 0.08 : 0.3, 0.05, near)
    label_energies(steps, 0, 0.8, 0.8, far)
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (has_energy(r) && is_step(r) == steps)
            print number_or_nan(num(r, "us")), number_or_nan(millijoules(r)), "\"" near[r] "\"", "\"" far[r] "\"" > path
    }
}

# label[r] of the steps or baselines of one panel, within gnuplot's quotes. A step's is its number: names would cover each other. What
# would lie on another label, as near as wide and high say in logarithms, joins the nearest. Labels stand to the right of steps and to
# the left of baselines, and so at the last or the first of them.
function label_energies(steps, near, wide, high, label,    i, r, text, other, list, key) {
    for (i = 1; i <= n; i++) {
        list[i] = at[i]
        key[at[i]] = (steps ? -1 : 1) * num(at[i], "us")
    }
    sort_by(list, n, key, 1)
    for (i = 1; i <= n; i++) {
        r = list[i]
        if (!has_energy(r) || is_step(r) != steps || !energy_fastest || is_near(r) != near)
            continue
        text = text_for_gnuplot(steps ? short_name(cell(r, "step")) : clip(cell(r, "step"), 24))
        if (steps)
            sub(/^[a-z]*/, "", text)
        other = nearest_label(list, i, label, wide, high)
        if (other)
            label[other] = steps ? text " " label[other] : label[other] "\\n" text
        else
            label[r] = text
    }
}

# Of list[1..i-1] those that have a label; 0 for none.
function nearest_label(list, i, label, wide, high,    j, x, y, best, least) {
    least = 1
    for (j = 1; j < i; j++) {
        if (label[list[j]] == "")
            continue
        x = log(num(list[i], "us") / num(list[j], "us")) / wide
        y = log(millijoules(list[i]) / millijoules(list[j])) / high
        if (x * x < 1 && y * y < 1 && x * x + y * y < 2 * least) {
            least = (x * x + y * y) / 2
            best = list[j]
        }
    }
    return best + 0
}

# ---- in words -----------------------------------------------------------------------------------

function energy_in_words(    i, r, text, others) {
    text = "What a call takes of the GPU's energy, the whole board's, against its time. The step that takes the least is " \
           energy_of(energy_least) ". "
    if (energy_fastest != energy_least)
        text = text "The fastest is " energy_of(energy_fastest) ". "
    text = text "On a diagonal power is the same: the upper one is the most that was measured, " significant(energy_watts, 3) " W" \
           (energy_idle ? ", the lower one what the GPU draws where nothing runs, " significant(energy_idle, 3) " W. " : ". ")
    for (i = 1; i <= n; i++) {
        r = at[i]
        if (has_energy(r) && !is_step(r))
            others = others (others == "" ? "For comparison: " : "; ") energy_of(r)
    }
    return text (others == "" ? "" : others ". ")
}

# "opt16 with 7.50 mJ at 515 W, 8.70 GB a joule"
function energy_of(r) {
    return named(r) " with " significant(millijoules(r), 3) " mJ at " significant(num(r, "energy_watts"), 3) " W" \
           (cell(r, "kind") == "empty" ? "" : ", " significant(num(r, "bytes") / 1e6 / millijoules(r), 3) " GB a joule")
}
