# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# A file for Blackboard's Grade Center: Work Offline, Upload. Blackboard finds a person by Username, and a column by the number
# at the end of its title: "Lab 3 [Total Pts: 20 Score] |12345"; without a number it makes a new column, of text. Cells
# between commas stand in quotes (Blackboard Help, Work Offline with Grade Data). If the roster is what Work Offline, Download
# writes, it has that title; its encoding (UTF-16 with tabs, in a file .xls) stays, too.
include "gradebook";

def columns: [.login, .name, .grade];

def head: [["Username", "Name", .title]];

def quoted_file($name; $rows): csv_file($name; $rows | map(map("\(. // "")")));

def is_grade: test("\\|[0-9]+\\s*$") and (test("Total Pts: up to") | not);

def without_number: sub("\\s*(\\[Total Pts:[^\\]]*\\])?\\s*\\|[0-9]+\\s*$"; "");

def own:
    .own.head as $head
    | [range(0; $head | length) as $i | select($head[$i] | is_grade) | $i] as $grades
    | column_for_grades($grades; without_number) as $found
    | ([range(0; $head | length) as $i | select($head[$i] | test("\\|[0-9]+\\s*$")) | $i][0] // ($head | length)) as $people
    | ($found // ($head | length)) as $at
    | (if .own.separator == "\t" then "blackboard.xls" else "blackboard.csv" end) as $name
    | (.title | cell) as $title
    | own_file($name; [range(0; $people)] + [$at]; $title; {"\($at)": ("\(.grade)" | cell)}),
      (if $found == null then {minor: "\($name): Blackboard makes a new column of '\(.title)': for one that it has, give --title its name with the number, as Work Offline, Download writes it"}
       else {minor: "\($name): the grades are for '\($head[$at])'"},
            notice_of_total($head[$at] | capture("\\[Total Pts: (?<points>[0-9.,]+)").points // ""; "Blackboard") end);

(if has_columns(["Username"]) and (.own.head | any(IN("Last Name", "First Name"))) then own
 else quoted_file("blackboard.csv"; head + [matched | select(.login != "") | columns]),
      ([matched | select(.login == "") | .name] | select(. != [])
       | {notice: "blackboard.csv: without a user name, so Blackboard does not find them: \(join(", "))"}) end),
(select(any(unmatched; true))
 | quoted_file("blackboard-unmatched.csv"; head + [unmatched | columns]))
