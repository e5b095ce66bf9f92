# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How far somebody is with the steps. ENVIRON STEPS has the names of all steps in order, with blanks between; TICKS three
# letters, with blanks between: passed, tried, not yet.
#
# read_progress() looks at all rows of steps outside of recorded results: the newest row of a step decides. Then
# progress_row[step] is that row (0: none), and progress_of(ladder) says in a line how far a ladder is.

function read_progress(    r, i, name, names, n) {
    n = split(ENVIRON["STEPS"], names, " ")
    for (i = 1; i <= n; i++) {
        name = ladder_prefix(names[i])
        if (!(name in ladder_steps))
            progress_ladder[++progress_ladders] = name
        ladder_step[name, ++ladder_steps[name]] = names[i]
        progress_row[names[i]] = 0
    }
    for (r = 1; r <= rows; r++)
        if (block[r] == blocks && is_step(r) && cell(r, "submission") == "" && (cell(r, "step") in progress_row) && \
            !is_older(r, progress_row[cell(r, "step")]))
            progress_row[cell(r, "step")] = r
}

function ladder_prefix(name) {
    sub(/[0-9].*/, "", name)
    return name
}

function has_passed(name) {
    return progress_row[name] && num(progress_row[name], "success")
}

function is_begun(name) {
    return progress_row[name] && cell(progress_row[name], "verdict") != "not-started"
}

function count_passed(ladder,    i, n) {
    n = 0
    for (i = 1; i <= ladder_steps[ladder]; i++)
        n += has_passed(ladder_step[ladder, i])
    return n
}

function count_begun(ladder,    i, n) {
    n = 0
    for (i = 1; i <= ladder_steps[ladder]; i++)
        n += is_begun(ladder_step[ladder, i])
    return n
}

# "opt   ✓✓✓✓✗············ 4 of 17 passed"
function progress_of(ladder,    i, line, name, ticks) {
    split(ENVIRON["TICKS"], ticks, " ")
    for (i = 1; i <= ladder_steps[ladder]; i++) {
        name = ladder_step[ladder, i]
        line = line (has_passed(name) ? ticks[1] : is_begun(name) ? ticks[2] : ticks[3])
    }
    return pad(ladder, 5) " " line " " count_passed(ladder) " of " ladder_steps[ladder] " passed"
}

# The first step after `name` in its ladder that has not passed, else the first before it; "" where all have.
function next_step(name,    ladder, i, after, first) {
    ladder = ladder_prefix(name)
    for (i = 1; i <= ladder_steps[ladder]; i++) {
        if (!has_passed(ladder_step[ladder, i]) && ladder_step[ladder, i] != name) {
            if (after)
                return ladder_step[ladder, i]
            if (first == "")
                first = ladder_step[ladder, i]
        }
        after = after || ladder_step[ladder, i] == name
    }
    return first
}
