# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/table prints.

BEGIN {
    BEATS = 1.02 # of the measured roof: what two measurements of it differ by
}

END {
    page_columns = 100
    page_gap = 0 # the columns' widths hold it
    page_spaced = 1
    page_label_width = 11
    page_colour = colour
    open_page("text", "")
    collect_groups()
    for (g = 1; g <= groups; g++)
        print_group(members[g])
    if (not_started)
        paragraph("not started: " steps_in_short(unbegun, not_started))
    paragraph(passed " of " (steps + not_started) " steps passed" (intended > 0 ? ", " intended " of them wrong as intended" : "") \
              (not_started ? ", " not_started " not started" : ""))
    close_pages()
}

# members[1..groups]: the rows of one table, as a list of numbers. A step has passed if all its rows say so.
function collect_groups(    r, key, step, group_of, failed, intended_steps) {
    groups = steps = intended = not_started = 0
    for (r = 1; r <= rows; r++) {
        if (cell(r, "verdict") == "not-started") { # all of them are one line, below the tables
            unbegun[++not_started] = cell(r, "step")
            continue
        }
        key = key_of(r, "submission device problem input")
        if (!(key in group_of))
            group_of[key] = ++groups
        members[group_of[key]] = members[group_of[key]] " " r
        if (!is_step(r))
            continue
        step = key_of(r, "submission step")
        if (!(step in failed)) {
            steps++
            failed[step] = 0
        }
        if (!num(r, "success"))
            failed[step] = 1
        else if (cell(r, "verdict") != "pass")
            intended_steps[step] = 1
    }
    sort_groups()
    passed = steps
    for (step in failed) {
        passed -= failed[step]
        intended += !failed[step] && (step in intended_steps)
    }
}

# Submissions stay in the order of their records; within each, its ladders have their own.
function sort_groups(    g, i, first, seen, submission, order, key, old) {
    for (g = 1; g <= groups; g++) {
        first = members[g] + 0
        submission = cell(first, "submission")
        if (!(submission in seen))
            seen[submission] = first
        order[g] = g
        key[g] = sprintf("%09d", seen[submission]) ladder_place(cell(first, "problem"))
        old[g] = members[g]
    }
    sort_by(order, groups, key)
    for (i = 1; i <= groups; i++)
        members[i] = old[order[i]]
}

function print_group(numbers,    i, n, list, marked, n_steps, n_timed) {
    n = split(numbers, list, " ")
    name_room = 20
    marked = n_steps = n_timed = with_errors = with_energy = 0
    for (i = 1; i <= n; i++) {
        name_room = larger(name_room, width(step_shown(list[i])))
        with_errors += num(list[i], "error") != "" # a problem whose outputs are not exact
        n_timed += num(list[i], "synced_us") != ""
        with_energy += num(list[i], "energy_joules") != ""
        n_steps += is_step(list[i])
    }
    name_room = smaller(name_room, 34) # what 100 columns leave
    sort_rows(list, n, "problem")
    print_header(list, n)
    if (n_steps > 0)
        marked += print_table("Step", list, 1, n_steps)
    if (n_steps < n)
        marked += print_table("Baseline (not a step)", list, n_steps + 1, n)
    if (n_timed > 0 && !with_errors)
        paragraph("synced: us a call with a synchronize after each, as the original journal measured")
    if (first_num(list, n, "roof_fraction") != "")
        paragraph("roof: what a plain read of the input takes, at the speed that this GPU's memory reached")
    if (with_energy > 0)
        paragraph("mJ: energy of a call, the whole GPU's" (first_num(list, n, "energy_idle_watts") == "" ? "" : \
                  "; it draws " significant(first_num(list, n, "energy_idle_watts"), 3) " W where nothing runs"))
    if (marked > 0)
        paragraph("* too slow for " shown_calls " calls: scaled up from fewer")
    if (cell(list[1], "device_kind") == "cpu")
        paragraph("The cpu device is an emulation: it checks correctness and not speed." \
                  (first_num(list, n, "predicted_us") == "" ? "" : " Predicted times are listed by: make ladder"))
}

# ---- the facts that stand once for the whole table, from whichever row knows them -------------------------

function print_header(list, n,    measured, specified, reference) {
    shown_calls = first_num(list, n, "iterations")
    if (shown_calls == "")
        shown_calls = 1000
    if (first_cell(list, n, "submission") != "")
        fact("Submission", first_cell(list, n, "submission"))
    fact("Device", device_line(list, n))
    fact("Input", first_cell(list, n, "problem") ": " input_line(list, n))
    if (cell(list[1], "device_kind") == "cpu")
        return
    reference = first_num(list, n, "reference")
    measured = first_num(list, n, "roof_gbps")
    specified = first_num(list, n, "spec_gbps")
    fact("Reference", time_line(reference == "" ? "" : reference / 1000 * shown_calls, "one CPU thread" interval_of_reference(list, n)))
    fact("Roof", time_line(roof_seconds(list, n, measured), \
                           "measured streaming read, " significant(measured, 4) " GB/s"))
    fact("", time_line(roof_seconds(list, n, specified), \
                       "the device's specified " significant(specified, 4) " GB/s"))
}

# On processors that others use, too, it says how far the speedups can be trusted. The latest counts, as in report/rows.
function interval_of_reference(list, n,    i, r) {
    for (i = 1; i <= n; i++)
        if (cell(list[i], "kind") == "baseline" && cell(list[i], "step") ~ /^reference/)
            r = list[i]
    if (!r || !above(num(r, "us_high"), num(r, "us_low")))
        return ""
    return "; 95 % between " significant(num(r, "us_low") / 1e6 * shown_calls, 4) " and " significant(num(r, "us_high") / 1e6 * shown_calls, 4)
}

function time_line(seconds, what) {
    if (seconds == "")
        return "not measured (" what ")"
    return lpad(significant(seconds, 4), 8) " s for " shown_calls " iterations (" what ")"
}

function device_line(list, n,    text, known) {
    known = first_cell(list, n, "device")
    text = known == "" ? "unknown" : known
    known = first_cell(list, n, "driver")
    text = text (known == "" ? "" : ", driver " known)
    known = first_num(list, n, "sms")
    text = text (above(known, 0) ? ", " known " multiprocessors" : "")
    known = first_num(list, n, "l2_bytes")
    return text (above(known, 0) ? ", L2 " significant(known / 1048576, 3) " MiB" : "")
}

function input_line(list, n,    text, known) {
    known = first_cell(list, n, "input")
    text = known == "" ? "input unknown" : known
    known = first_num(list, n, "rows")
    text = text (known == "" ? "" : ", " whole_number(known) " x " whole_number(first_num(list, n, "columns")))
    known = first_num(list, n, "bytes")
    text = text (known == "" ? "" : ", " significant(known / 1e6, 4) " MB a call")
    known = first_cell(list, n, "when")
    return text (known == "" ? "" : ", " substr(known, 1, 10))
}

function roof_seconds(list, n, gbps,    bytes) {
    bytes = first_num(list, n, "bytes")
    return bytes == "" || gbps == "" ? "" : ratio_of(bytes * shown_calls, gbps * 1e9)
}

# ---- the table -----------------------------------------------------------------------------------------

# Returns how many times are scaled up.
function print_table(title, list, from, to,    i, marked) {
    begin_table()
    table_column(title, "left", name_room + 2)
    table_column("verdict", "left", 16)
    if (cell(list[from], "device_kind") == "cpu")
        table_column("time", "right", 14)
    else
        time_columns()
    if (with_errors)
        table_column("rel. error", "right", 11)
    for (i = from; i <= to; i++)
        marked += put_record(list[i])
    end_table()
    return marked
}

function time_columns() {
    table_column("s/" shown_calls " ", "right", 11)
    table_column("us/call", "right", 9)
    if (!with_errors)
        table_column("synced", "right", 9)
    table_column("speedup", "right", 9)
    table_column("GB/s", "right", 8)
    table_column("% roof", "right", 7)
    if (with_energy)
        table_column("mJ", "right", 8)
}

# One row, and below it why it failed. Returns 1 if its time is scaled up.
function put_record(r,    us, is_scaled) {
    us = num(r, "us")
    is_scaled = us != "" && (num(r, "scaled") || num(r, "iterations") != shown_calls)
    row()
    put(clip(step_shown(r), name_room))
    put(coloured(verdict_shown(r), verdict_colour(r)))
    if (cell(r, "device_kind") == "cpu")
        put("not measured")
    else {
        put(significant(us == "" ? "" : us / 1e6 * shown_calls, 4) (is_scaled ? "*" : " "))
        put(significant(us, 4))
        if (!with_errors)
            put(significant(num(r, "synced_us"), 4))
        put(with_unit(num(r, "speedup"), 4, "x"))
        put(significant(num(r, "gbps"), 4))
        put(percent(num(r, "roof_fraction")))
        if (with_energy)
            put(significant(num(r, "energy_joules") == "" ? "" : 1000 * num(r, "energy_joules"), 4))
    }
    if (with_errors)
        put(num(r, "error") == "" ? "-" : sprintf("%.3g", num(r, "error")))
    put_notes(r)
    return is_scaled
}

function put_notes(r,    reason) {
    if (cell(r, "verdict") != "pass" && cell(r, "detail") != "")
        row_note(cell(r, "detail"))
    if (cell(r, "verdict") != "pass" && cell(r, "diagnosis") != "")
        row_note(cell(r, "diagnosis"))
    if (cell(r, "notes") != "" && cell(r, "device_kind") != "cpu")
        row_note("note: " cell(r, "notes"))
    reason = step_header(cell(r, "step"), "beats-roof")
    if (is_step(r) && above(num(r, "roof_fraction"), BEATS))
        row_note("note: faster than reading everything: " (reason == "" ? "its step.md gives no reason" : reason))
}

function verdict_colour(r) {
    if (num(r, "success"))
        return "green"
    return cell(r, "verdict") ~ /^(flagged|harness-error)$/ ? "yellow" : "red"
}
