# The rows of report/tsv. Reads records through records.awk, step headers through steps.awk.

END {
    if (bad_input)
        exit 2
    fill_gaps()
    OFS = "\t"
    print "submission", "device", "device_kind", "when", "problem", "input", "kind", "step", "title", \
          "verdict", "scaled", "seconds", "seconds_low", "seconds_high", "us", "gbps", "speedup", \
          "speedup_low", "speedup_high", "roof_fraction", "roof_gbps", "spec_gbps", "roof_speedup", \
          "spec_speedup", "reference", "bytes", "elements", "journal_seconds", "journal_speedup", "multiprocessors"
    for (i = 1; i <= count; i++) {
        list[i] = i
        order[i] = field(i, "submission") "\001" field(i, "problem") "\001" field(i, "device.name") "\001" \
                 !is_step(i) "\001" field(i, "step")
    }
    sort_ids(list, count, order)
    for (i = 1; i <= count; i++)
        print_tsv(list[i])
}

# A time counts where the step passed: a wrong answer has no speed. All seconds are for 1000 calls.
function print_tsv(id,    seconds, low, high, per_1000, reference, ci, journal) {
    seconds = low = high = ""
    if (field(id, "verdict") == "pass" || (!is_step(id) && field(id, "verdict") == ""))
        seconds = seconds_for(id, 1000)
    reference = field(id, "reference_s_1000")
    if (seconds != "" && split(field(id, "ci95_s"), ci, " ") == 2) {
        per_1000 = 1000 / field(id, "iterations")
        low = ci[1] * per_1000
        high = ci[2] * per_1000
    }
    journal = is_step(id) ? journal_seconds(field(id, "step")) : ""
    print(text(field(id, "submission")), text(field(id, "device.name")), field(id, "device.kind"), \
          substr(field(id, "when"), 1, 10), text(field(id, "problem")), text(field(id, "input")), \
          is_step(id) ? "step" : field(id, "kind"), text(field(id, "step")), \
          text(step_header(field(id, "step"), "title")), text(field(id, "verdict")), \
          field(id, "scaled") == "true" ? 1 : 0, number(seconds), number(low), number(high), \
          number(seconds == "" ? "" : seconds * 1000), \
          number(seconds == "" ? "" : field(id, "gbps")), ratio(reference, seconds), \
          ratio(reference, high), ratio(reference, low), \
          number(seconds == "" ? "" : field(id, "roof_fraction")), number(field(id, "roof_gbps")), \
          number(field(id, "device.spec_gbps")), \
          ratio(reference, seconds_at(id, field(id, "roof_gbps"), 1000)), \
          ratio(reference, seconds_at(id, field(id, "device.spec_gbps"), 1000)), number(reference), \
          number(field(id, "bytes")), \
          number(field(id, "rows") == "" ? "" : field(id, "rows") * field(id, "columns")), \
          number(journal), ratio(gtx680("reference"), journal), number(field(id, "device.sms")))
}

function number(value) {
    return value == "" ? "NaN" : sprintf("%.9g", value)
}

function ratio(over, under) {
    return over == "" || under + 0 == 0 ? "NaN" : sprintf("%.9g", over / under)
}

# No tab may stand in a cell, and gnuplot takes a quote for the begin of a text; an empty cell would
# make two tabs one.
function text(value) {
    value = printable(value)
    gsub(/["\\]/, "'", value)
    return value == "" ? "-" : value
}
