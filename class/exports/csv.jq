# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Plain CSV: a row for each submission and person of it. A step that was left out of the maximum or is still to be graded is an
# empty cell; those that are still to be graded are named in the last.
include "gradebook";

([.submissions[0].steps[].step]) as $steps
| (.submissions | any(predicted != [])) as $predicted
| (.submissions | INDEX(.submission)) as $of
| csv_file("csv.csv"; [["submission", "name", "id", "platform id", "login", "email", "section", "days late", "per cent off", "points", "maximum", "grade of \(.total)"]
        + $steps + ["not final"] + (if $predicted then ["speed predicted, not measured"] else [] end)]
    + [.entries[] | $of[.submission] as $s | (.why == "") as $matched
        | [.submission, .name] + (if $matched then [.number, .canvas, .login, .email, .section] else [null, null, null, null, null] end)
        + [.late.days, .late.percent, $s.points, $s.max, .grade]
        + (.steps | map(if status == "skipped" then null else .points end)) + [pending | join(" ")]
        + if $predicted then [predicted | join(" ")] else [] end])
