# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What of a recorded file is no longer what would be measured today. -v schema, timing: today's versions; graded, other: the
# protocols of the graded input cold, which is a problem's first, and of all else: calls, samples, budget.

END {
    for (r = 1; r <= rows; r++) {
        check_source(r)
        check_timing(r)
    }
    tell("older", (older_schema ? "have schema " older_schema ", and now there is " schema : "are from before records had a schema") \
                  ": they do not say all that records say today")
    tell("timed", "were timed by other code (" other_timing ", now " timing ")")
    tell("protocol", "follow another protocol (" in_words(other_protocol) ", now " in_words(asked_protocol) ")")
    exit source_changed
}

function check_source(r,    path, key) {
    key = key_of(r, "step source_sha256")
    if (!is_step(r) || checked[key]++)
        return
    path = cell(r, "step") "/" cell(r, "problem") ".cu"
    if (is_source(ENVIRON["LABS"] "/" path, cell(r, "source_sha256")))
        return
    source_changed = 1
    print "labs/" path " is not what was recorded in " base_name(cell(r, "file")) ": " \
          (is_readable(ENVIRON["LABS"] "/" path) ? "it has changed" : "there is no such file now") \
          ". To do: `make record` on the GPU, then commit"
}

# One reason for each record: a record without a schema does not know the others.
function check_timing(r,    protocol) {
    protocol = protocol_of(r)
    if (num(r, "schema") + 0 < schema + 0) {
        count["older"]++
        older_schema = num(r, "schema") + 0
    } else if (cell(r, "timing") != timing) {
        count["timed"]++
        other_timing = cell(r, "timing") == "" ? "unknown" : cell(r, "timing")
    } else if (num(r, "samples_asked") != "" && protocol != asked_of(r)) {
        count["protocol"]++
        other_protocol = protocol
        asked_protocol = asked_of(r)
    }
}

function protocol_of(r) {
    return num(r, "iterations") " " num(r, "samples_asked") " " num(r, "budget_s")
}

function asked_of(r,    input, problem) {
    input = cell(r, "input")
    if (sub(/, warm$/, "", input))
        return other
    problem = cell(r, "problem")
    if (!(problem in graded_input))
        graded_input[problem] = input
    return input == graded_input[problem] ? graded : other
}

function in_words(protocol,    part) {
    split(protocol, part, " ")
    return part[1] " calls, " part[2] " samples, a budget of " part[3] " s"
}

function tell(why, text) {
    if (count[why])
        print base_name(cell(1, "file")) ": " count[why] " of " rows " records " text ". `make record` on that GPU renews them"
}
