# The results of README.md: a Markdown table for each problem of a recorded file, on its first input.
# A line "stale ..." names a step whose source is not the one that was measured.

END {
    if (bad_input)
        exit 2
    fill_gaps()
    for (i = 1; i <= count; i++) {
        step_order[i] = !is_step(i) " " field(i, "step")
        list[i] = i
        check_source(i)
        if (!(field(i, "problem") in input_of)) {
            input_of[field(i, "problem")] = field(i, "input")
            problems[++problem_count] = field(i, "problem")
        }
    }
    sort_ids(list, count, step_order)
    for (p = 1; p <= problem_count; p++)
        print_table(problems[p])
}

function check_source(id,    path, key) {
    path = ENVIRON["LABS"] "/" field(id, "step") "/" field(id, "problem") ".cu"
    key = field(id, "step") SUBSEP field(id, "source_sha256")
    if (!is_step(id) || (key in checked))
        return
    checked[key] = 1
    if (!is_source(path, field(id, "source_sha256")))
        print "stale labs/" field(id, "step") "/" field(id, "problem") ".cu, recorded in " base_name(source) \
              (is_readable(path) ? "" : ": there is no such file now")
}

function base_name(path) {
    sub(/.*\//, "", path)
    return path
}

function print_table(problem,    i, id, journal, shown) {
    shown = 0
    for (i = 1; i <= count; i++) {
        id = list[i]
        if (field(id, "problem") != problem || field(id, "input") != input_of[problem])
            continue
        if (!shown++) {
            # Folded, so that the README stays one screen.
            print "<details><summary>" problem " on one " field(id, "device.name") ", input " \
                  field(id, "input") ", " field(id, "rows") " x " field(id, "columns") ", recorded on " \
                  substr(field(id, "when"), 1, 10) "</summary>\n"
            print "| step | | us a call | speedup over one CPU thread | % of the measured roof | the journal's GTX 680 |"
            print "|---|---|--:|--:|--:|--:|"
        }
        journal = is_step(id) ? journal_seconds(field(id, "step")) : ""
        print "| " (is_step(id) ? "`" field(id, "step") "`" : field(id, "kind") ": " field(id, "step")) " | " \
              (is_step(id) ? step_header(field(id, "step"), "title") : "") " | " result(id) " | " \
              (journal == "" ? "" : significant(gtx680("reference") / journal, 3) "x") " |"
    }
    if (shown)
        print "\n</details>\n"
}

function result(id,    seconds) {
    seconds = field(id, "verdict") == "pass" || !is_step(id) ? seconds_for(id, 1000) : ""
    if (seconds == "")
        return (field(id, "verdict") == "pass" ? "not measured" : field(id, "verdict")) " | | "
    return significant(seconds * 1000, 4) " | " \
           (field(id, "speedup") == "" ? "" : significant(field(id, "speedup"), 4) "x") " | " \
           (field(id, "roof_fraction") == "" ? "" : significant(100 * field(id, "roof_fraction"), 3))
}
