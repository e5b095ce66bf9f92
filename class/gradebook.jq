# The grade book that class/export makes of points, feedback and roster, and what the formats share.

# Names are compared without case, and with every run of other characters as one _: as ids are made.
def comparable: ascii_downcase | gsub("[^a-z0-9.@+-]+"; "_") | gsub("^_|_$"; "");

# ---- roster --------------------------------------------------------------------------------------

# Rows of CSV as people, by the names that learning platforms give the columns.
def people:
    def column($header; $names): first($names[] as $name | $header | index($name) | values) // null;
    if length == 0 then error("it is empty: its first line has to name the columns") else . end
    | (.[0] | map(ascii_downcase | gsub("^\\s+|\\s+$"; ""))) as $header
    | column($header; ["sis user id", "id number", "idnumber", "student id", "sid"]) as $number
    | column($header; ["id"]) as $id
    | column($header; ["sis login id", "login", "username", "user name", "login id"]) as $login
    | column($header; ["email", "email address", "e-mail", "mail"]) as $email
    | column($header; ["name", "student", "full name", "fullname", "student name"]) as $name
    | column($header; ["first name", "firstname", "given name"]) as $first
    | column($header; ["last name", "lastname", "surname", "family name"]) as $last
    | column($header; ["section"]) as $section
    | if [$number, $id, $login, $email, $name, $first, $last] | all(. == null)
      then error("its first line names no column that tells who is who: id, login, email, name") else . end
    | .[1:]
    | map(def cell($at): if $at == null then "" else .[$at] | gsub("^\\s+|\\s+$"; "") end;
        # Canvas calls its own number ID, beside the school's SIS User ID; elsewhere id is the school's.
        {number: (if $number != null then cell($number) else cell($id) end),
         canvas: (if $number != null then cell($id) else "" end),
         login: cell($login), email: cell($email), first: cell($first), last: cell($last), section: cell($section)}
        + {name: (if $name != null then cell($name) else [cell($first), cell($last)] | map(select(. != "")) | join(" ") end)})
    | map(select(.number + .canvas + .login + .email + .name != "" and (.name | test("^\\s*points possible"; "i") | not)));

def keys_of_person:
    [.number, .canvas, .login, .email, (.email | sub("@.*"; "")), .name, (.last + .first), (.last + " " + .first),
     (.name | select(test(",")) | split(",") | .[1] + " " + .[0] | gsub("^\\s+"; ""))]
    | map(select(gsub("\\s"; "") != "") | comparable) | unique;

# A submission's file name as it is, or as Canvas (doejane_123_456_lab.zip: 123 is the person's number)
# or Moodle (Jane Doe_123_assignsubmission_file) wrote it.
def keys_of_submission:
    (comparable) as $whole
    | [$whole,
       ($whole | capture("^[a-z0-9.-]+(_late)?_(?<number>[0-9]+)_[0-9]+_").number),
       ($whole | capture("^(?<name>.+)_[0-9]+_assignsubmission_").name)]
    | unique;

# Who handed in what. Gives each submission its person, or why it has none; and who handed in nothing.
def with_roster($roster):
    if $roster == null then {submissions: map(. + {person: null, unmatched: null}), absent: []} else
        ($roster | people) as $people
        | (reduce ($people | to_entries[]) as $p ({}; reduce ($p.value | keys_of_person[]) as $k (.; .[$k] += [$p.key]))) as $index
        | map(. + {fits: ([.submission | keys_of_submission[] | $index[.] // [] | .[]] | unique)})
        | (reduce (.[] | select(.fits | length == 1)) as $s ({}; .["\($s.fits[0])"] += [$s.submission])) as $handed_in
        | {submissions: map(
              (.fits | length) as $n
              | (if $n == 1 then $handed_in["\(.fits[0])"] else [] end) as $same
              | . + {person: (if $n == 1 and ($same | length) == 1 then $people[.fits[0]] else null end),
                     unmatched: (if $n == 0 then "nobody in the roster fits"
                                 elif $n > 1 then "several in the roster fit: " + (.fits | map($people[.].name) | join(", "))
                                 elif ($same | length) > 1 then "one person handed in several: " + ($same | join(", "))
                                 else null end)}
              | del(.fits)),
           absent: ($people | to_entries | map(select(($handed_in["\(.key)"] // []) == []) | .value))}
    end;

# The grade book, from the list of what class/points says of each submission.
def book:
    .[0].full as $full
    | map(.feedback = ($feedback[0][.name] // ""))
    | with_roster($roster[0])
    | . + {$title, full: $full, roster: ($roster[0] != null)};

# ---- for the formats -------------------------------------------------------------------------------

def hundredths: . * 100 + 0.5 | floor / 100;

# Names of the steps whose points for speed come of predicted times.
def predicted: .steps | map(select(.predicted) | .step);

# Names of the steps that are still to be graded.
def pending: .steps | map(select(.pending != "") | .step);

# Points out of the class's one maximum; null where nothing counts, or nothing has been graded. A flagged step has been.
def grade: if .max > 0 and (.steps | any(.left_out == "" and (.pending == "" or .verdict == "flagged"))) then .points / .max * .full | hundredths else null end;

def without_controls: if test("[\u0001-\u0009\u000b-\u001f\u007f]") then gsub("[\u0001-\u0009\u000b-\u001f\u007f]"; " ") else . end;

# A row of CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it.
def row: map(if type != "string" then . else without_controls | if test("^[=+@\\-]") then "'" + . else . end end) | @csv + "\r\n";

def csv_file($name; $rows): {file: $name, text: ($rows | map(row) | join(""))};

def replace($old; $new): split($old) | join($new); # gsub takes a hundred times as long

def html: replace("&"; "&amp;") | replace("<"; "&lt;") | replace(">"; "&gt;") | replace("\""; "&quot;");

# One line of HTML that shows the text as it stands: what reads it may make paragraphs of line breaks.
def html_line: "<pre>" + (html | replace("\n"; "<br>")) + "</pre>";

def status: if .left_out + .pending != "" then "skipped" elif .verdict == "pass" or (.verdict == "flagged" and .correct > 0) then "passed" else "failed" end;

# A step in words, for one line or one box.
def in_words: [.verdict, (.detail | select(. != "")), .how] | join(": ") | without_controls;
