# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The words of a failed check, for those who meet them for the first time. Part of report/one_step.awk.

# Where the step failed in the check this time, and not in its last run. "check (edges, 47 x 1301): call 0, ..."
function print_words(    key, input) {
    key = place(now, step)
    if (!failed_in_check(now) || ((key in last_run) && failed_in_check(last_run[key])))
        return
    input = cell(now, "detail")
    sub(/^check \(/, "", input)
    sub(/,.*/, "", input)
    paragraph("The check is a small trial before the large one, and " input " is its input. A call is one run of " \
              cell(now, "problem") "().")
}

function failed_in_check(r) {
    return cell(r, "verdict") !~ /^(pass|harness-error)$/ && cell(r, "detail") ~ /^check \([^,]*, /
}
