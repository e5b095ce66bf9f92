# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Which steps of a class have not succeeded: a view of the rows of results.jsonl (report/lib/views.sh, --all). Prints
# a line for each pair of WHO and step in the file WANTED (an environment variable) whose last record is neither a
# pass nor what the step is there to show: WHO, step, verdict. A step without a record counts as a harness-error.

END {
    for (r = 1; r <= rows; r++)
        if (is_step(r))
            last[who_of(r), cell(r, "step")] = r
    while ((getline line < ENVIRON["WANTED"]) > 0) {
        split(line, pair, " ")
        r = last[pair[1], pair[2]] + 0
        if (!r || !num(r, "success"))
            print line, r ? cell(r, "verdict") : "harness-error"
    }
}

function who_of(r) {
    if (cell(r, "submission") != "")
        return cell(r, "submission")
    return "-" (cell(r, "uuid") == "" ? "cpu" : cell(r, "uuid"))
}
