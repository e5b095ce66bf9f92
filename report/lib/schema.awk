# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What a record is, besides JSON: which fields it has (report/README.md says what they mean) and what may stand in
# them. A line that breaks this is no record. So whoever reads rows may rely on numbers that are numbers, and on names
# that are names of a step's directory and of a function.

BEGIN {
    add_fields("submission step kind problem input verdict intended outcome detail diagnosis seed source_sha256 harness timing " \
               "machine when notes device.kind device.name device.driver device.uuid build.cub counted.gpu predicted_gpu " \
               "predicted_limit predicted_with", "text")
    add_fields("schema samples_asked budget_s rows columns bytes written_bytes iterations calls processes median_s overhead_s synced_s whole_s reference_s speedup gbps " \
               "roof_gbps sm_mhz memory_mhz more_hazards device.sms device.l2_bytes device.spec_gbps counted.rows " \
               "counted.columns predicted_s", "number")
    add_fields("error roof_fraction", "fraction")
    add_fields("samples_s audit_s ci95_s predicted_ci90_s", "numbers")
    add_fields("scaled", "truth")
    add_fields("calls joules low high watts idle_watts call_s sm_mhz", "number", "energy.")
    add_fields("temperature_c", "numbers", "energy.")
    add_fields("uuid", "text", "energy.")
    add_fields("hazards launches accesses", "objects")
    add_fields("kind severity array note", "text", "hazards.")
    add_fields("index", "integer", "hazards.")
    add_fields("bytes", "number", "hazards.")
    add_fields("places", "objects", "hazards.")
    add_fields("file source does", "text", "hazards.places.")
    add_fields("line", "number", "hazards.places.")
    add_fields("block thread", "numbers", "hazards.places.")
    add_fields("host", "truth", "hazards.places.")
    add_fields("kernel grid block", "text", "launches.")
    add_fields("op line blocks threads registers shared_bytes counted_blocks barriers read_bytes written_bytes hot_adds", \
               "number", "launches.")
    add_fields("waves occupancy", "fraction", "launches.")
    add_fields("overlaps", "truth", "launches.")
    add_fields("kernel source kind space", "text", "accesses.")
    add_fields("op line bytes requests lanes sectors lines wavefronts conflicts same most", "number", "accesses.")
    add_fields(UNITS, "fraction", "predicted_shares.")
    # What takes no time was not measured, and nothing is divided by it.
    ZERO_IS_NONE = " median_s predicted_s synced_s whole_s reference_s speedup gbps roof_gbps device.spec_gbps energy.joules "
    LARGEST = 1e60 # above, and below its inverse, what is computed of a number would be none any more
}

function add_fields(list, type, prefix,    names, n, i) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++)
        field_type[prefix names[i]] = type
}

# "", or what is wrong with the fields of a record. Sets is_field[name] of those that a record has. json_path has
# their names without the numbers of objects in arrays, as they stand in field_type.
function what_is_wrong(fields,    name, type, wrong, first) {
    split("", is_field)
    for (name in fields) {
        if (!(json_path[name] in field_type))
            continue
        type = field_type[json_path[name]]
        is_field[name] = 1
        if (!fits(fields[name], json_kind[name], type)) {
            wrong = "\"" in_short(name) "\" is not " in_words[type]
            if (first == "" || wrong < first) # in any awk's order of names
                first = wrong
        }
    }
    if (first == "" && (fields["step"] ~ /\// || fields["step"] ~ /^[.]+$/))
        first = "\"step\" is no directory's name"
    if (first == "" && fields["problem"] !~ /^[A-Za-z0-9_]*$/)
        first = "\"problem\" is no function's name"
    return first
}

BEGIN {
    in_words["text"] = "a text"
    in_words["number"] = "a number from 0 on that a record can have"
    in_words["fraction"] = "a number from 0 on"
    in_words["integer"] = "a whole number"
    in_words["numbers"] = "an array of numbers"
    in_words["truth"] = "true or false"
    in_words["objects"] = "an array of objects"
}

# null fits all, an array of nothing every array. A number will do as a text.
function fits(value, kind, type,    list, n, i) {
    if (type == "text")
        return kind == "text" || kind == "word"
    if (type == "objects")
        return kind == "objects" || (kind != "text" && value == "")
    if (type == "numbers") {
        n = split(value, list, " ")
        for (i = 1; i <= n; i++)
            if (!is_plain_number(list[i]))
                return 0
        return kind == "words" || (kind == "word" && value == "")
    }
    if (kind != "word")
        return 0
    if (value == "")
        return 1
    if (type == "truth")
        return value == "true" || value == "false"
    return type == "integer" ? value ~ /^-?[0-9]+$/ : is_plain_number(value, type == "fraction")
}

# Of those that JSON knows.
function is_plain_number(text, may_be_tiny) {
    return text ~ /^[0-9]/ && text + 0 <= LARGEST && (may_be_tiny || text + 0 == 0 || text + 0 >= 1 / LARGEST)
}
