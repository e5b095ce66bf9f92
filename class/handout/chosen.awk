# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# A view of the rows of recorded results. Prints the records, as they stand in their file, of the steps named in
# ENVIRON["CHOSEN"], and of what these steps' problems are compared with.

END {
    chosen = " " ENVIRON["CHOSEN"] " "
    for (r = 1; r <= rows; r++)
        if (is_chosen(r))
            problems[cell(r, "problem")] = 1
    for (r = 1; r <= rows; r++)
        if (is_step(r) ? is_chosen(r) : cell(r, "problem") in problems)
            print record_of(r)
}

function is_chosen(r) {
    return is_step(r) && index(chosen, " " cell(r, "step") " ")
}
