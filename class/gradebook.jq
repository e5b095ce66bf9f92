# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The grade book that class/export makes of points, people and feedback, and what the formats share.

# The grade book, from the list of what class/points says of each submission. entries: a person's share in a submission,
# {submission, name, number, canvas, login, email, section, why, likely, grade, feedback, late, steps}; a group is several.
# A grade is out of .total, after lateness; null where nothing counts, or nothing has been graded.
def book:
    ($people[0] | group_by(.submission) | map({(.[0].submission): .}) | add) as $of
    | map(.feedback = ($feedback[0][.name] // "")) as $submissions
    | {$title, title_given: ($title_given == "1"), total: .[0].total, roster: ($roster[0] != null), own: $roster[0], $submissions,
       absent: ($of[""] // []),
       entries: [$submissions[] as $s | ($of[$s.submission] // [{name: $s.submission, why: ""}])[]
           | {submission: $s.submission, number: "", canvas: "", login: "", email: "", section: "", why: "", likely: ""} + .
           | . + ($s | {grade, feedback, late, steps})]};

# ---- for the formats -------------------------------------------------------------------------------

# The entries that fit one person. Without a roster a submission's name stands for its person's login and number, where the
# learning platform's files say nothing else.
def matched:
    .roster as $roster
    | .entries[]
    | select(.why == "")
    | if $roster or .number + .canvas + .login + .email != "" then .
      else .number = .submission | .login = .submission | .email = (.submission | if test("@") then . else "" end) end;

def unmatched: .entries[] | select(.why != "");

# Names of the steps whose points for speed come of predicted times.
def predicted: .steps | map(select(.predicted) | .step);

# Names of the steps that are still to be graded.
def pending: .steps | map(select(.pending != "") | .step);

def without_controls: if test("[\u0001-\u0009\u000b-\u001f\u007f]") then gsub("[\u0001-\u0009\u000b-\u001f\u007f]"; " ") else . end;

# A cell of CSV: all that is written into one goes through here. A text that a spreadsheet would take for a formula gets an
# apostrophe before it; wide signs are the same to some.
def cell:
    if type == "string" then without_controls | if test("\\A[\\s\ufeff]*[=+@\uff1d\uff0b\uff20\uff0d-](?!\\z)") then "'" + . else . end else . end
    | [.] | @csv;

def row: map(cell) | join(",") + "\r\n";

def csv_file($name; $rows): {file: $name, text: ($rows | map(row) | join(""))};

def replace($old; $new): split($old) | join($new); # gsub takes a hundred times as long

def html: replace("&"; "&amp;") | replace("<"; "&lt;") | replace(">"; "&gt;") | replace("\""; "&quot;");

# One line of HTML that shows the text as it stands: what reads it may make paragraphs of line breaks.
def html_line: "<pre>" + (html | replace("\n"; "<br>")) + "</pre>";

def status: if .left_out + .pending != "" then "skipped" elif .verdict == "pass" or (.verdict == "flagged" and .points > 0) then "passed" else "failed" end;

# A step in words, for one line or one box.
def in_words: [.verdict, (.detail | select(. != "")), .how] | join(": ") | without_controls;

# ---- a learning platform's own file ----------------------------------------------------------------

# These are for a roster that the platform exported itself: its rows, order and columns stay as they are, byte for byte,
# so that its import finds everybody. `own` is what class/roster/rows.pl says of it.

def has_columns($names): .own != null and ($names - .own.head == []);

def column($name): .own.head | index($name);

# The one of these columns that the grades go to: it is called like the assignment, with or without what `bare` takes off,
# or it is the only one. null where there is none at all.
def column_for_grades($columns; bare):
    .own.head as $head | .title as $title
    | ($columns | map(select($head[.] == $title or ($head[.] | bare) == $title))) as $named
    | if ($named | length) == 1 then $named[0]
      elif $columns == [] then null
      elif ($columns | length) == 1 and (.title_given | not) then $columns[0]
      else error("the roster has \(if $named == [] then "no" else "more than one" end) column for '\($title)': say which one with --title: \($columns | map("'" + $head[.] + "'") | join(", "))") end;

# By what a row of the roster and an entry are one person: the first of these that the row has.
def keys_of_person: . as $p | ["canvas", "number", "login", "email", "name"] | map(select(($p[.] // "") != "") | . + ":" + $p[.]);

# own_file(name; columns; cells): those columns of the roster's rows. For a person with a grade, `cells` gives, from the
# entry, the raw cells that are new: {"5": "8.5"}. A column beyond the last one is new; `new` is its title.
def own_file($name; $columns; $new; cells):
    .own as $own
    | ([matched | select(.grade != null)] | reduce .[] as $e ({}; reduce ($e | keys_of_person[]) as $k (.; .[$k] = $e))) as $entry
    | def line: join($own.separator) + $own.newline;
      {file: $name, encoding: $own.encoding, text: ($own.begin
        + ([$columns[] | $own.raw_head[.] // $new] | line)
        + ([$own.rows[] | .raw as $raw
            | (if .person then $entry[.person | keys_of_person[0]] else null end | if . then cells else {} end) as $cells
            | [$columns[] | $cells["\(.)"] // $raw[.] // ""] | line] | join("")))};

# What the platform says the maximum is, if that is another number than ours.
def notice_of_total($said; $where):
    ($said | gsub(","; ".") | tonumber? // null) as $theirs
    | select($theirs != null and $theirs != .total)
    | {notice: "\($where) says that the assignment is worth \($theirs) points, and here it is worth \(.total): make them the same (total in the assignment)"};
