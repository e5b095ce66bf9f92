# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Two CSVs for Moodle. moodle.csv is for the grade book: Grades, Import, CSV file; there, map Email address or ID number, the
# grade, and Feedback (grade/import/csv of moodle/moodle). moodle-worksheet.csv is for the assignment: View all submissions,
# Upload grading worksheet. Moodle finds a person by the number in Identifier, and wants the columns Grade and Last modified
# (grade), in English (mod/assign/feedback/offline/importgradeslib.php). If the roster is the grading worksheet that Moodle
# wrote, its rows stay as they are.
include "gradebook";

def columns: [.name, .number, .email, .grade, (.feedback | html_line)];

def head: [["Full name", "ID number", "Email address", .title, "Feedback"]];

def own:
    column("Grade") as $grade | column("Feedback comments") as $feedback
    | own_file("moodle-worksheet.csv"; [range(0; .own.head | length)]; "";
        {"\($grade)": "\(.grade)"} + if $feedback then {"\($feedback)": (.feedback | html_line | cell)} else {} end),
      (column("Maximum Grade") as $at | select($at) | notice_of_total([.own.rows[] | .text[$at]][0] // ""; "Moodle"));

def worksheet:
    [matched | select(.canvas | test("^[0-9]+$"))]
    | select(. != [])
    | csv_file("moodle-worksheet.csv"; [["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]]
        + map(["Participant \(.canvas)", .name, .grade, "-", (.feedback | html_line)]));

csv_file("moodle.csv"; head + [matched | columns]),
(if has_columns(["Identifier", "Grade", "Last modified (grade)"]) then own else worksheet end),
(select(any(unmatched; true))
 | csv_file("moodle-unmatched.csv"; head + [unmatched | columns]))
