# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of report/one-step's page that says how far the student is, and what to type next.

function print_progress() {
    if ((step in progress_row) && cell(now, "verdict") ~ /^(pass|not-started)$/)
        preformatted(progress_of(ladder_prefix(step)))
}

function print_next(    verdict, short) {
    verdict = cell(now, "verdict")
    short = short_name(step)
    page_margin = ""
    if (verdict == "not-started")
        paragraph("Next: read the task at the top of " ENVIRON["SOURCE"] ", write what is marked TODO, then: make " short)
    else if (verdict == "harness-error")
        paragraph("Next: make doctor")
    else if (verdict != "pass")
        paragraph(next_after_failure(verdict, short))
    else if (cell(now, "idea") !~ /^(there)?$/)
        paragraph("Next: find where the idea is missing: " joined_by(", ", "make access-" short " (which thread reads what)", \
                  profile_of(short), diff_of(short)))
    else
        paragraph("Next: " next_after_pass() ". Or: " joined_by(", ", profile_of(short), "make ladder (your steps so far)"))
}

function next_after_pass(    after) {
    after = next_step(step)
    return after == "" ? "make journal" : "make " short_name(after) " (" step_header(after, "title") ")"
}

function next_after_failure(verdict, short,    text) {
    text = "Edit " ENVIRON["SOURCE"] ", then: make " short ". Or: " \
           joined_by(", ", tells_elements() ? "make access-" short " (which thread reads which element)" : "", \
                     "make watch STEP=" short " (at each save)", verdict == "build-failed" ? "" : diff_of(short))
    if (cell(now, "device_kind") == "gpu" && verdict ~ /^(crashed|nondeterministic|wrong)$/)
        text = text ", make sanitize-" short " (faults of memory, races)"
    return text
}

# Whether the diagnosis is about elements that are missed, or used more than once: a picture shows those.
function tells_elements() {
    return cell(now, "verdict") == "wrong" && cell(now, "diagnosis") ~ /left out| used/
}

function profile_of(short) {
    return cell(now, "device_kind") == "gpu" ? "make profile-" short " (where the time goes)" : \
           cell(now, "launches") != "" ? "make profile-" short " (what each line costs; see guides/counters.md)" : ""
}

function diff_of(short) {
    return step_header(step, "builds-on") ~ /^(none)?$/ ? "" : "make diff-" short " (what changes from the step before)"
}

# Those of the texts that are not empty.
function joined_by(between, a, b, c) {
    a = a (a != "" && b != "" ? between : "") b
    return a (a != "" && c != "" ? between : "") c
}
