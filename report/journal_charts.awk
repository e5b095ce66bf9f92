# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The records that the journal's charts show: of the device and size of its figures, on every input, and only of
# sources that were graded last; and predicted times of these. Run with journal_rows.awk.

END {
    choose_submission()
    for (p = 1; p <= problem_count; p++) {
        choose_members(problems[p])
        for (r = 1; r <= rows; r++)
            if (belongs(r, problems[p]) && is_drawn_here(r))
                print record_of(r)
    }
}

function is_drawn_here(r,    here) {
    here = n ? members[1] : steps[1]
    if (is_step(r) && r != predicted_row[cell(r, "step")] && !same_source(r, row_of_step[cell(r, "step")]))
        return 0
    return r == predicted_row[cell(r, "step")] || key_of(r, "device rows columns") == key_of(here, "device rows columns")
}
