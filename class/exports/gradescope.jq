# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# For Gradescope: results.json, one for each submission, as an autograder writes it (Gradescope's documentation, Autograder
# Specifications); and gradescope.csv, with the columns of its own Download Grades, for what reads these. If the roster is
# such a file, its rows stay as they are.
include "gradebook";

def results: {
    score: .grade,
    output: .feedback, output_format: "text",
    visibility: "visible", stdout_visibility: "hidden",
    tests: (.steps | map({name: .step, score: .points, max_score: .max,
        output: in_words, output_format: "text", visibility: "visible"}
        + if status == "skipped" or .max == 0 then {} else
            {status: (if status == "passed" then "passed" else "failed" end)} end)),
    leaderboard: ([{name: "points", value: .grade, order: "desc"}]
        + (.steps | map(select(.seconds_a_call and status == "passed")
            | {name: "\(.step), us a call", value: (.seconds_a_call * 1e6), order: "asc"})))};

def own:
    column("Total Score") as $score | column("Max Points") as $max | column("Status") as $status
    | ([column("Submission Count", "View Count", "Lateness (H:M:S)", "Submission Time", "Submission ID", "Status", "Max Points") | values] | max) as $last
    | .total as $total
    | own_file("gradescope.csv"; [range(0; $last + 1)]; ""; {"\($score)": "\(.grade)", "\($max)": "\($total)", "\($status // -1)": "Graded"});

(.submissions[] | select(.grade != null) | {file: "gradescope/\(.name).json", text: (results | tojson + "\n")}),
(if has_columns(["Email", "Total Score", "Max Points"]) then own
 else .total as $total
    | csv_file("gradescope.csv"; [["Name", "SID", "Email", "Total Score", "Max Points", "Status", "Submission ID"]]
        + [matched | [.name, .number, .email, .grade, $total, (if .grade == null then "Ungraded" else "Graded" end), .canvas]]) end),
(select(any(unmatched; true))
 | csv_file("gradescope-unmatched.csv"; [["Name", "SID", "Email", "Total Score"]] + [unmatched | [.name, .number, .email, .grade]]))
