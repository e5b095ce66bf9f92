# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# A CSV for Canvas: Grades, Import. The row Points Possible says what the maximum is. Canvas finds a person by ID, else by SIS
# User ID, SIS Login ID or name, and the assignment by the number in its title: "Lab 3 (12345)"; without a number it makes a
# new assignment. (lib/gradebook_importer.rb and lib/gradebook_exporter.rb of instructure/canvas-lms.) If the roster is what
# Canvas exports (Grades, Export), it has that title.
include "gradebook";

def columns: [.name, .canvas, .number, .login, .section, .grade];

def head: [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", .title], ["    Points Possible", "", "", "", "", .total]];

def without_number: sub("\\s*\\([0-9]+\\)\\s*$"; "");

def own:
    column("Section") as $section
    | .own.head as $head
    | [range($section + 1; $head | length) as $i | select($head[$i] | test("\\([0-9]+\\)\\s*$")) | $i] as $assignments
    | column_for_grades($assignments; without_number) as $found
    | ($found // ($head | length)) as $at
    | (.title | cell) as $title | .total as $total
    | (.own.rows |= map(if $found == null and (.text[0] | test("points possible"; "i")) then .raw[$at] = ($total | tostring) else . end))
    | own_file("canvas.csv"; [range(0; $section + 1)] + [$at]; $title; {"\($at)": "\(.grade)"}),
      (if $found == null
       then select(.title | test("\\([0-9]+\\)$") | not) | {minor: "canvas.csv: Canvas makes a new assignment of '\(.title)': for one that it has, give --title its name with the number, as Grades, Export writes it"}
       else {minor: "canvas.csv: the grades are for '\($head[$at])'"} end),
      (if $found == null then empty else
       notice_of_total([.own.rows[] | select(.text[0] | test("points possible"; "i")) | .text[$at]][0] // ""; "Canvas") end);

(if has_columns(["ID", "Section"]) and (.own.head[0] | IN("Student", "LastName")) then own
 else csv_file("canvas.csv"; head + [matched | columns]) end),
(select(any(unmatched; true))
 | csv_file("canvas-unmatched.csv"; head + [unmatched | columns]))
