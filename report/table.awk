# The table of report/table. Reads records through records.awk.

BEGIN {
    BEATS = 1.02 # of the measured roof: what two measurements of it differ by
}

END {
    if (bad_input)
        exit 2
    fill_gaps()
    collect_groups()
    for (g = 1; g <= groups; g++)
        print_group(g)
    print passed " of " steps " steps passed" (intended > 0 ? ", " intended " of them wrong as intended" : "")
}

# One group is one table. A step has passed if all its records say so.
function collect_groups(    i, key, step) {
    groups = 0
    for (i = 1; i <= count; i++) {
        sort_key[i] = field(i, "step")
        key = field(i, "submission") SUBSEP field(i, "device.name") SUBSEP field(i, "problem") SUBSEP \
              field(i, "input")
        if (!(key in group_of)) {
            group_of[key] = ++groups
            size[groups] = 0
        }
        members[group_of[key], ++size[group_of[key]]] = i
        if (!is_step(i))
            continue
        step = field(i, "submission") SUBSEP field(i, "step")
        if (!(step in failed)) {
            steps++
            failed[step] = 0
        }
        if (!as_intended(i))
            failed[step] = 1
        else if (field(i, "verdict") != "pass")
            intended_steps[step] = 1
    }
    steps += 0
    passed = steps
    for (step in failed) {
        passed -= failed[step]
        intended += !failed[step] && (step in intended_steps)
    }
}

function print_group(g,    i, n, list, baselines, marked, n_steps, n_timed) {
    name_width = 20
    marked = n_steps = baselines = n = with_errors = n_timed = 0
    for (i = 1; i <= size[g]; i++) {
        list[++n] = members[g, i]
        if (width(field(list[n], "step")) > name_width)
            name_width = width(field(list[n], "step"))
        if (field(list[n], "error") != "")
            with_errors = 1 # a problem whose outputs are not exact
        n_timed += field(list[n], "synced_s") != ""
        if (is_step(list[n]))
            n_steps++
        else
            baselines++
    }
    if (name_width > 34) # what 100 columns leave
        name_width = 34
    sort_ids(list, n, sort_key)
    print_header(list, n)
    if (n_steps > 0) {
        print_columns("Step")
        for (i = 1; i <= n; i++)
            if (is_step(list[i]))
                marked += print_row(list[i])
        print ""
    }
    if (baselines > 0) {
        print_columns("Baseline (not a step)")
        for (i = 1; i <= n; i++)
            if (!is_step(list[i]))
                marked += print_row(list[i])
        print ""
    }
    if (n_timed > 0 && !with_errors)
        print "synced: us a call with a synchronize after each, as the original journal measured\n"
    if (marked > 0)
        print "* too slow for " shown_iterations " calls: scaled up from fewer\n"
    if (field(list[1], "device.kind") == "cpu")
        print "The cpu device is an emulation: it checks correctness and not speed.\n"
}

# The facts that stand once for the whole table, from whichever record knows them.
function print_header(list, n,    id, spec, measured) {
    id = list[1]
    shown_iterations = first(list, n, "iterations")
    if (shown_iterations == "")
        shown_iterations = 1000
    if (first(list, n, "submission") != "")
        print_fact("Submission", first(list, n, "submission"))
    print_fact("Device", device_line(list, n))
    print_fact("Input", first(list, n, "problem") ": " input_line(list, n))
    if (field(id, "device.kind") == "cpu") {
        print ""
        return
    }
    print_fact("Reference", time_line(thousandths(first(list, n, "reference_s_1000")), "one CPU thread"))
    measured = first(list, n, "roof_gbps")
    spec = first(list, n, "device.spec_gbps")
    print_fact("Roof", time_line(roof_seconds(list, n, measured), \
               "measured streaming read, " significant(measured, 4) " GB/s"))
    print_fact("", time_line(roof_seconds(list, n, spec), \
               "the device's specified " significant(spec, 4) " GB/s"))
    print ""
}

function print_fact(name, text) {
    print pad(name, 11) clip(text, 89)
}

function time_line(seconds, what) {
    if (seconds == "")
        return "not measured (" what ")"
    return lpad(significant(seconds, 4), 8) " s for " shown_iterations " iterations (" what ")"
}

function device_line(list, n,    text) {
    text = first(list, n, "device.name") == "" ? "unknown" : first(list, n, "device.name")
    if (first(list, n, "device.driver") != "")
        text = text ", driver " first(list, n, "device.driver")
    if (first(list, n, "device.sms") + 0 > 0)
        text = text ", " first(list, n, "device.sms") " multiprocessors"
    if (first(list, n, "device.l2_bytes") + 0 > 0)
        text = text ", L2 " significant(first(list, n, "device.l2_bytes") / 1048576, 3) " MiB"
    return text
}

function input_line(list, n,    text) {
    text = first(list, n, "input") == "" ? "input unknown" : first(list, n, "input")
    if (first(list, n, "rows") != "")
        text = text ", " first(list, n, "rows") " x " first(list, n, "columns")
    if (first(list, n, "bytes") != "")
        text = text ", " significant(first(list, n, "bytes") / 1e6, 4) " MB a call"
    if (first(list, n, "when") != "")
        text = text ", " substr(first(list, n, "when"), 1, 10)
    return text
}

function first(list, n, name,    i) {
    for (i = 1; i <= n; i++)
        if (field(list[i], name) != "")
            return field(list[i], name)
    return ""
}

function thousandths(seconds) {
    return seconds == "" ? "" : seconds / 1000 * shown_iterations
}

function roof_seconds(list, n, gbps,    bytes) {
    bytes = first(list, n, "bytes")
    return (bytes == "" || gbps == "") ? "" : bytes * shown_iterations / gbps / 1e9
}

function print_columns(what) {
    print bold(pad(what, name_width) "  " pad("verdict", 16) lpad("s/" shown_iterations, 10) " " \
               lpad("us/call", 9) (with_errors ? "" : lpad("synced", 9)) lpad("speedup", 9) \
               lpad("GB/s", 8) lpad("% roof", 7) (with_errors ? lpad("rel. error", 11) : ""))
}

# Prints a row, and below it why it failed. Returns 1 if its time is scaled up.
function print_row(id,    seconds, mark, verdict, shown, row) {
    verdict = field(id, "verdict")
    shown = verdict == "" || verdict == "pass" || verdict == "flagged" # a wrong answer has no speed
    seconds = shown ? seconds_for(id, shown_iterations) : ""
    mark = " "
    if (seconds != "" && (field(id, "scaled") == "true" || field(id, "iterations") != shown_iterations))
        mark = "*"
    row = pad(clip(field(id, "step"), name_width), name_width) "  " verdict_colour(pad(verdict_shown(id), 16), \
                                                                  as_intended(id) ? "pass" : verdict)
    if (field(id, "device.kind") == "cpu")
        row = row lpad("not measured", with_errors ? 44 : 53)
    else
        row = row lpad(significant(seconds, 4), 10) mark \
              lpad(significant(seconds == "" ? "" : seconds / shown_iterations * 1e6, 4), 9) \
              (with_errors ? "" : lpad(shown ? synced_us(id) : "-", 9)) \
              lpad(seconds == "" || field(id, "speedup") == "" ? "-" : significant(field(id, "speedup"), 4) "x", 9) \
              lpad(seconds == "" ? "-" : significant(field(id, "gbps"), 4), 8) \
              lpad(seconds == "" || field(id, "roof_fraction") == "" ? "-" : percent(field(id, "roof_fraction")), 7)
    if (with_errors)
        row = row lpad(field(id, "error") == "" ? "-" : field(id, "error"), 11)
    print row
    if (verdict != "pass" && field(id, "detail") != "")
        print_wrapped(printable(field(id, "detail")), "    ", 96)
    if (verdict != "pass" && field(id, "diagnosis") != "")
        print_wrapped(printable(field(id, "diagnosis")), "    ", 96)
    if (field(id, "notes") != "" && field(id, "device.kind") != "cpu")
        print_wrapped("note: " printable(field(id, "notes")), "    ", 96)
    if (is_step(id) && verdict == "pass" && field(id, "roof_fraction") > BEATS)
        print_wrapped("note: faster than reading everything: " \
                      (step_header(field(id, "step"), "beats-roof") == "" ? "its step.md gives no reason" : \
                       step_header(field(id, "step"), "beats-roof")), "    ", 96)
    return mark == "*"
}

# Microseconds a call with a synchronize after each, as the journal measured.
function synced_us(id) {
    return field(id, "synced_s") == "" ? "-" : \
           significant(field(id, "synced_s") / field(id, "iterations") * 1e6, 4)
}

function percent(fraction) {
    return fraction + 0 < 0.01 ? significant(100 * fraction, 2) : sprintf("%.1f", 100 * fraction)
}
