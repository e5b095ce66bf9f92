# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The rows of report/rows, from the files that are its arguments. rows_of() in lib/views.sh names what it needs of lib.
# -v all=1, flagged=1, newest=1, skip_broken=1, steps=" NAME  NAME ": see report/rows --help.
#
# rec[id, field] is a field of a record, as json.awk gives it; ids[1..count] are the records to print.

BEGIN {
    MOST_NAMED = 10 # broken lines that are named one by one
    records = broken = left_out = 0
    for (a = 1; a < ARGC; a++)
        read_records(ARGV[a])
    if (broken > MOST_NAMED)
        complain(program ": " (broken - MOST_NAMED) " more lines are no records")
    if (records > 0 || left_out > 0 || skip_broken) {
        choose()
        fill_gaps()
        print_rows()
    }
    exit status
}

# awk itself would take a file's name that holds = for an assignment.
function read_records(path,    line, number, wrong, before) {
    before = records + broken + left_out
    number = 0
    while ((getline line < path) > 0) {
        number++
        if (line !~ /[^ \t\r]/)
            continue
        if (steps != "" && step_in(line) != "" && !index(steps, " " step_in(line) " ") && ++left_out)
            continue
        wrong = parse_record(line, fields)
        if (wrong == "")
            wrong = what_is_wrong(fields)
        if (wrong == "")
            keep_record(path, number)
        else if (!skip_broken)
            name_broken(path ":" number ": not a record: " wrong "; a line must be one JSON object as " \
                        "report/README.md says. It is passed over: remove the line, or grade again.")
    }
    close(path)
    if (records + broken + left_out == before && !skip_broken)
        complain(program ": '" path "' holds no records. `make grade` writes some")
}

function name_broken(what) {
    status = 2
    if (++broken <= MOST_NAMED)
        complain(what)
}

function complain(what) {
    status = 2
    print printable(what) > "/dev/stderr"
}

# A later harness may write fields that nobody here knows; what is computed here has no other source.
function keep_record(path, number,    name, key) {
    records++
    pack_lists(fields)
    for (name in is_field)
        rec[records, name] = index(ZERO_IS_NONE, " " name " ") && fields[name] + 0 == 0 ? "" : fields[name]
    rec[records, "file"] = path
    rec[records, "line"] = number
    if (field(records, "kind") == "")
        rec[records, "kind"] = "step"
    if (field(records, "intended") == "")
        rec[records, "intended"] = "pass"
    # Where the same was graded twice, the later record counts, in the earlier one's place.
    key = joined(records, "submission step kind problem input device.name" same_size())
    if (!(key in latest)) {
        key_at[++keys] = key
        latest[key] = records
    } else if (!newest || field(records, "when") >= field(latest[key], "when"))
        latest[key] = records
}

# Files of several gradings may be of several sizes.
function same_size() {
    return newest ? " rows columns" : ""
}

function choose(    i) {
    for (i = 1; i <= keys; i++)
        rec[latest[key_at[i]], "counts"] = 1
    count = all ? records : keys
    for (i = 1; i <= count; i++)
        ids[i] = all ? i : latest[key_at[i]]
}

function field(id, name) {
    return ((id, name) in rec) ? rec[id, name] "" : ""
}

# The same as a number, "" where it is null or missing.
function figure(id, name) {
    return field(id, name) == "" ? "" : rec[id, name] + 0
}

function joined(id, names_list,    names, n, i, key) {
    n = split(names_list, names, " ")
    key = ""
    for (i = 1; i <= n; i++)
        key = key field(id, names[i]) SUBSEP
    return key
}

# ---- what one record leaves out and others know ----------------------------------------------------

function fill_gaps(    i, id) {
    # A step that failed before it ran (a compile error) may know neither its input nor its device.
    fill_from_others("input rows columns bytes written_bytes iterations device.kind device.name", "submission problem")
    # A streaming read is measured before the roof is known, a baseline may not know the reference.
    for (i = 1; i <= count; i++)
        rec[ids[i], "reference"] = for_1000_calls(ids[i], figure(ids[i], "reference_s"))
    fill_from_others("reference roof_gbps", "submission problem device.name input" same_size())
    one_reference()
    for (i = 1; i <= count; i++)
        measure(ids[i])
}

# Give a record that lacks a field (null, or 0 where 0 says nothing) the first value that another
# record with the same `common` fields has.
function fill_from_others(fields_list, common,    i, names, n, name, who, value, lacking, lacks, from, usual) {
    n = split(fields_list, names, " ")
    for (i = 1; i <= count; i++) {
        who = joined(ids[i], common)
        for (name = 1; name <= n; name++) {
            value = field(ids[i], names[name])
            if (value == "" || value == "0") {
                lacks[++lacking] = ids[i] SUBSEP names[name]
                from[lacking] = who SUBSEP names[name]
            } else if (!((who, names[name]) in usual))
                usual[who, names[name]] = value
        }
    }
    for (i = 1; i <= lacking; i++)
        if (from[i] in usual)
            rec[lacks[i]] = usual[from[i]]
}

# Recorded results may come from several runs, each with a reference of its own. What stands in one
# table or chart is held against one: that of the reference's own record, the latest.
function one_reference(    i, id, group, latest_reference) {
    for (i = 1; i <= count; i++)
        if (field(ids[i], "kind") == "baseline" && field(ids[i], "step") ~ /^reference/)
            latest_reference[reference_group(ids[i])] = field(ids[i], "reference")
    for (i = 1; i <= count; i++) {
        group = reference_group(ids[i])
        if (group in latest_reference)
            rec[ids[i], "reference"] = latest_reference[group]
    }
}

function reference_group(id) {
    return joined(id, "submission problem device.name input" same_size())
}

# ---- what was measured -----------------------------------------------------------------------------

# Only a right answer has a speed, and no emulated time is ever shown as a GPU's.
function has_speed(id,    verdict) {
    verdict = field(id, "verdict")
    return field(id, "device.kind") != "cpu" && \
           (verdict == "pass" || (verdict == "flagged" && flagged) || (verdict == "" && field(id, "kind") != "step"))
}

function for_1000_calls(id, seconds) {
    return seconds == "" || figure(id, "iterations") + 0 == 0 ? "" : seconds / figure(id, "iterations") * 1000
}

# The columns of figures that are not a field as it stands.
function measure(id,    ends, seconds) {
    if (field(id, "written_bytes") != "")
        rec[id, "bytes"] = figure(id, "bytes") + figure(id, "written_bytes")
    seconds = has_speed(id) && above(figure(id, "median_s"), 0) ? for_1000_calls(id, figure(id, "median_s")) : ""
    if (seconds == "")
        rec[id, "energy.joules"] = rec[id, "energy.low"] = rec[id, "energy.high"] = rec[id, "energy.watts"] = ""
    if (seconds == "")
        rec[id, "gbps"] = rec[id, "roof_fraction"] = rec[id, "samples_s"] = rec[id, "synced_s"] = rec[id, "whole_s"] = ""
    else if (field(id, "roof_fraction") == "" && field(id, "kind") != "empty")
        rec[id, "roof_fraction"] = ratio_of(figure(id, "gbps"), figure(id, "roof_gbps"))
    rec[id, "seconds"] = seconds
    rec[id, "us"] = scaled_by(seconds, 1000)
    if (seconds != "" && split(field(id, "ci95_s"), ends, " ") == 2) {
        rec[id, "us_low"] = for_1000_calls(id, ends[1]) * 1000
        rec[id, "us_high"] = for_1000_calls(id, ends[2]) * 1000
    }
    rec[id, "synced_us"] = scaled_by(for_1000_calls(id, figure(id, "synced_s")), 1000)
    rec[id, "whole_us"] = scaled_by(for_1000_calls(id, figure(id, "whole_s")), 1000)
    measure_speedups(id, seconds)
    predict(id)
}

# What a step's counters foretell of a GPU. It is no measured time, and nothing that is measured is computed of it.
function predict(id,    ends) {
    if (field(id, "kind") != "step" || !(is_success(id) || (field(id, "verdict") == "flagged" && flagged))) {
        rec[id, "predicted_gpu"] = rec[id, "predicted_limit"] = rec[id, "predicted_shares"] = rec[id, "predicted_with"] = ""
        return
    }
    rec[id, "predicted_us"] = scaled_by(for_1000_calls(id, figure(id, "predicted_s")), 1000)
    if (rec[id, "predicted_us"] != "" && split(field(id, "predicted_ci90_s"), ends, " ") == 2) {
        rec[id, "predicted_low_us"] = for_1000_calls(id, ends[1]) * 1000
        rec[id, "predicted_high_us"] = for_1000_calls(id, ends[2]) * 1000
    }
}

function is_success(id) {
    return field(id, "verdict") == "pass" || field(id, "verdict") == field(id, "intended")
}

function measure_speedups(id, seconds,    reference) {
    reference = figure(id, "reference")
    rec[id, "roof_speedup"] = ratio_of(reference, seconds_at(id, figure(id, "roof_gbps")))
    rec[id, "spec_speedup"] = ratio_of(reference, seconds_at(id, figure(id, "device.spec_gbps")))
    if (seconds == "" || field(id, "kind") == "empty") # that one computes nothing, so it is no faster than anything
        rec[id, "speedup"] = ""
    else if (reference != "") {
        rec[id, "speedup"] = ratio_of(reference, seconds)
        rec[id, "speedup_low"] = scaled_by(ratio_of(reference, figure(id, "us_high")), 1000)
        rec[id, "speedup_high"] = scaled_by(ratio_of(reference, figure(id, "us_low")), 1000)
    }
}

function scaled_by(value, factor) {
    return value == "" ? "" : value * factor
}

# Seconds that the bytes of 1000 calls take at a bandwidth in GB/s.
function seconds_at(id, gbps) {
    return scaled_by(ratio_of(figure(id, "bytes"), gbps), 1e-6)
}

# ---- printing --------------------------------------------------------------------------------------

function print_rows(    i, c, line) {
    name_fields()
    for (c = 1; c <= column_count; c++)
        line = line (c > 1 ? "\t" : "") column_name[c]
    print line
    for (i = 1; i <= count; i++) {
        add_titles(ids[i])
        add_idea(ids[i])
        line = ""
        for (c = 1; c <= column_count; c++)
            line = line (c > 1 ? "\t" : "") cell_text(rec[ids[i], field_of[c]] "", column_name[c])
        print line
    }
}

# field_of[1..column_count]: which field stands in a column.
function name_fields(    c, names) {
    for (c = 1; c <= column_count; c++) {
        field_of[c] = column_name[c]
        if (column_name[c] ~ /^(counted|energy)_/)
            sub(/_/, ".", field_of[c])
        if (column_name[c] ~ /^(uuid|driver|sms|l2_bytes|spec_gbps)$/)
            field_of[c] = "device." column_name[c]
        names[column_name[c]] = c
    }
    field_of[names["device"]] = "device.name"
    field_of[names["device_kind"]] = "device.kind"
    field_of[names["samples"]] = "samples_s"
    field_of[names["cub"]] = "build.cub"
}

# What the record does not hold: whether it counts, and what stands in step.md.
function add_titles(id,    step) {
    step = field(id, "step")
    rec[id, "counts"] += 0
    rec[id, "success"] = is_success(id)
    rec[id, "elements"] = field(id, "rows") == "" ? "" : figure(id, "rows") * figure(id, "columns")
    rec[id, "title"] = step_header(step, "title")
    if (field(id, "kind") == "step") {
        rec[id, "gtx680_seconds"] = gtx680_seconds(step)
        rec[id, "gtx680_speedup"] = ratio_of(gtx680("reference"), gtx680_seconds(step))
    }
}

# Whether the step's idea is in it, as far as its counters tell: lib/idea.awk.
function add_idea(id,    elements) {
    if (field(id, "kind") != "step" || field(id, "launches") == "")
        return
    take_counters(field(id, "launches"), field(id, "accesses"))
    elements = figure(id, "counted.rows") * figure(id, "counted.columns")
    rec[id, "idea"] = idea_of(field(id, "step"), field(id, "counted.gpu"), \
                              scaled_by(ratio_of(figure(id, "bytes") - figure(id, "written_bytes"), figure(id, "elements")), elements))
}

function cell_text(value, column) {
    if (type_of[column] == "text")
        return escaped(value)
    return value == "true" ? 1 : value == "false" ? 0 : value
}
