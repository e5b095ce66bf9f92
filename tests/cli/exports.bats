#!/usr/bin/env bats
# class/export: the grade book in the forms that learning platforms import. Over made-up records: no GPU ever measured them.
#
# tests/fixtures/lms/ holds what each platform exports, in its own form, for a class of thirteen with names from eleven scripts,
# one of whom handed in nothing: Canvas's Grades, Export (lib/gradebook_exporter.rb of instructure/canvas-lms), Moodle's
# grading worksheet (mod/assign/gradingtable.php of moodle/moodle), Gradescope's Download Grades, Blackboard's Work Offline,
# Download (UTF-16 with tabs, and with commas). lms_import.pl reads exports back by the rules of their imports.

load failed
bats_require_minimum_version 1.5.0 # run !
load records

setup() {
    root='' class='' dir='' results='' # new_class sets them
    new_class
    stderr='' # run --separate-stderr sets them
}

lms=$BATS_TEST_DIRNAME/../fixtures/lms

# enrolled COLUMN...: those columns of who is enrolled.
enrolled() {
    grep -v '^#' "$lms/enrolled.tsv" | LC_ALL=C awk -F '\t' -v columns="$*" '
        BEGIN { n = split(columns, want, " "); split("canvas participant sis login email last first", name, " "); for (i in name) at[name[i]] = i }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], i < n ? "\t" : "\n" }'
}

# class_of NAME: twelve of the thirteen have handed in s01, s02, ...: s01 has 6 of 10 points in each of two steps, and each
# has a little more than the one before. NAME is a program for awk that prints, from the columns of enrolled.tsv, how the
# platform called that person's file.
class_of() {
    ours
    record '' opt06_builtin_min pass 0.1
    record x opt05_multiblock pass 1
    jq -c 'select(.submission == "x")' "$results" >"$dir/one"
    jq -c 'select(.submission == "")' "$results" >"$dir/both"
    jq -nc --slurpfile one "$dir/one" 'range(1; 13) as $i | ("s0\($i)" | .[-3:] | if test("^0") then "s" + .[-2:] else . end) as $id
        | ("opt05_multiblock", "opt06_builtin_min") as $step
        | $one[0] | .submission = $id | .step = $step | .source_sha256 = $id + $step | .median_s /= pow(1.2; $i - 1) | .ci95_s = [.median_s, .median_s]' \
        | cat "$dir/both" - >"$results"
    enrolled canvas participant sis login email last first | head -n 12 |
        LC_ALL=C awk -F '\t' '{ printf "s%02d\t", NR } '"$1" >"$dir/submissions.tsv"
}

# The grades that class/points gives, as "login, tab, grade", in the order of logins.
grades() {
    "$class/points" "$dir" | awk '/^[^ #]/ { if (NR > 1) print grade; match($0, / [0-9.]+ of /); grade = substr($0, RSTART + 1, RLENGTH - 5) }
        /^  grade:/ { grade = $2 } END { print grade }' | paste <(enrolled login | head -n 12) - | LC_ALL=C sort
}

# found PLATFORM FILE [ENROLLED]: what the platform finds in the export, without who has no grade.
found() {
    perl "$BATS_TEST_DIRNAME/lms_import.pl" "$1" "$dir/exports/$2" <"${3-$lms/enrolled.tsv}" | awk -F '\t' '$2 != ""' | LC_ALL=C sort
}

# assignment TOTAL: total and due date; s01 to s03 were late.
assignment() {
    printf '%s\n' 'title Lab 3: histograms' 'steps opt05_multiblock opt06_builtin_min' "total $1" >"$dir/assignment"
}

# A CSV file as JSON arrays, read strictly.
csv() {
    perl -I "$class/roster" -MText=slurp,text_of,csv_rows -MJSON::PP -e 'print JSON::PP->new->utf8->encode(csv_rows(text_of(slurp($ARGV[0]))))' "$1"
}

roster() {
    printf '\xef\xbb\xbfname,id,login,email\r\n"O'\''Neil, Zoë",100,zoe,zoe@example.edu\r\n=cmd,200,calc,calc@example.edu\r\nNo Show,300,noshow,n@example.edu\r\n' \
        >"$BATS_TEST_TMPDIR/roster.csv"
}

@test "export: CSV is a row for each submission, and no cell is a formula" {
    odd_class
    for name in +1 -2 @3; do record "$name" opt05_multiblock pass 0.1; done
    run -1 "$class/export" csv "$dir" # not all of them are final
    csv "$dir/exports/csv.csv" | jq -e '
        .[0][0:2] == ["submission", "name"] and length == 8
        and (flatten | all(test("^[=+@-].") | not))
        and ([.[][0]] | index(["'\''=cmd()|x"]))
        and (map(select(.[0] == "plain.one"))[0] | .[9] == "0" and .[10] == "20" and .[13] == "" and .[14] == "opt06_builtin_min")'
}

@test "export: no cell of any format's CSV is a formula, in the columns of people and titles" {
    odd_class
    printf '%s\n' 'login,name,id,email' '=cmd()|x,@SUM(A1),-2+3,+x@example.edu' 'plain.one,"  =HYPERLINK(""a"")",7,p@example.edu' \
        'third,＝cmd()|x,8,t@example.edu' 'no show,"=\n1",9,n@example.edu' >"$BATS_TEST_TMPDIR/roster.csv"
    for name in +1 -2 @3 third; do record "$name" opt05_multiblock pass 0.1; done
    formats=$(cd "$class/exports" && echo *.c | sed 's/\.c//g; s/ /,/g')
    run -1 "$class/export" "$formats" "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv" --title '=cmd'
    files=("$dir"/exports/*.csv)
    [ "${#files[@]}" -ge 3 ]
    for file in "${files[@]}"; do
        csv "$file" | jq -e --arg file "$file" '(flatten | map(strings | select(test("\\A\\s*[=+@＝＋＠－-](?!\\z)"))) | select(. != []) | ($file, .) | halt_error) // true'
    done
}

@test "export: canvas and moodle match people through the roster; nobody is dropped, all of them listed" {
    ours
    record zoe opt05_multiblock pass 0.1
    record calc_200_9_lab opt05_multiblock pass 1
    record stranger opt05_multiblock pass 1
    record 'O_Neil__Zo__77_assignsubmission_file' opt05_multiblock wrong null
    roster
    run --separate-stderr "$class/export" canvas,moodle "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv" --title 'Lab, "3"'
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"submission stranger: nobody in the roster fits"* ]]
    [[ "$stderr" == *"No Show (300, noshow, n@example.edu): handed in nothing"* ]]
    [[ "$stderr" == *"submission zoe ("*"): one person handed in several: "* ]]
    csv "$dir/exports/canvas.csv" | jq -e '.[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab, \"3\""]
        and .[1] == ["    Points Possible", "", "", "", "", "10"]
        and .[2] == ["'\''=cmd", "200", "200", "calc", "", "6"] and length == 3'
    csv "$dir/exports/moodle.csv" | jq -e '.[0] == ["Full name", "ID number", "Email address", "Lab, \"3\"", "Feedback"]
        and (.[1] | .[1:4] == ["200", "calc@example.edu", "6"] and (.[4] | test("^<pre>Feedback for =cmd")) and (.[4] | test("\n") | not))'
}

@test "export: a roster as Canvas or Moodle exports it; one that cannot be read is refused with its line" {
    ours
    record 'doejane_4711_99_lab3' opt05_multiblock pass 0.1
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Doe, Jane",4711,u1,jdoe,A\n' >"$BATS_TEST_TMPDIR/roster.csv"
    run "$class/export" canvas "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
    [ "$status" -eq 0 ]
    csv "$dir/exports/canvas.csv" | jq -e '.[2] == ["Doe, Jane", "4711", "u1", "jdoe", "A", "10"]'
    printf 'First name;Last name;Email address\nJane;Doe;jane@example.edu\n' >"$BATS_TEST_TMPDIR/roster.csv"
    sed -i 's/doejane_4711_99_lab3/Jane_Doe_5_assignsubmission_file/' "$results"
    run "$class/export" moodle "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
    csv "$dir/exports/moodle.csv" | jq -e '.[1][0:3] == ["Jane Doe", "", "jane@example.edu"]'
    for bad in 'name,id\n"Jane,1\n' 'name,id\nJane\n' 'name,id\n"Jane"x,1\n' 'a,b\nJane,1\n' '' "name,id\\nJane,$(printf '%10001s' x)\\n"; do
        # shellcheck disable=SC2059  # they are formats
        printf "$bad" >"$BATS_TEST_TMPDIR/roster.csv"
        run "$class/export" canvas "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
        [ "$status" -eq 2 ]
        [[ "$output" == *roster.csv:* ]]
        [ "${#lines[@]}" -eq 1 ]
    done
}

@test "export: a part that was left out is scaled up to the class's maximum; where nothing counts there is no grade" {
    ours
    record '' opt06_builtin_min pass 0.1
    record whole opt05_multiblock pass 0.1
    record whole opt06_builtin_min pass 0.1
    record '' opt06_builtin_min crashed null '.device.uuid = "GPU-2"'
    record part opt05_multiblock pass 1 # 6 of 10
    record part opt06_builtin_min wrong null '.device.uuid = "GPU-2"'
    record lost opt05_multiblock harness-error null
    record lost opt06_builtin_min harness-error null
    run "$class/export" csv,gradescope "$dir"
    [ "$status" -eq 1 ]
    [[ "$output" == *"submission lost: no grade"* ]]
    csv "$dir/exports/csv.csv" | jq -e 'map(.[0] + "=" + .[9] + "/" + .[10] + "=" + .[11]) | .[1:] == ["lost=0/20=", "part=6/10=12", "whole=20/20=20"]'
    [ ! -e "$dir/exports/gradescope/lost.json" ]
}

@test "export: Gradescope's results.json has the keys and types that its format asks for" {
    odd_class
    run -1 "$class/export" gradescope "$dir" # one is not final
    [ "$(find "$dir/exports/gradescope" -name '*.json' | wc -l)" -eq 4 ]
    for file in "$dir"/exports/gradescope/*.json; do
        jq -e '(.score | type == "number") and (.output | type == "string")
            and (.visibility, .stdout_visibility | IN("hidden", "after_due_date", "after_published", "visible"))
            and (.output_format | IN("text", "html", "simple_format", "md", "ansi"))
            and (.tests | length == 2)
            and all(.tests[]; (.name, .output | type == "string") and (.score, .max_score | type == "number")
                and .score <= .max_score and (.status // "passed" | IN("passed", "failed")) and (.output_format | IN("text", "md")))
            and (keys - ["score", "output", "output_format", "visibility", "stdout_visibility", "tests"] == [])' "$file"
    done
    # A step that is not right has failed, with its verdict; one that is not decided has no status, and the page says so.
    [ "$(jq -r '.tests[] | "\(.status) \(.score) \(.output[0:12])"' "$dir"/exports/gradescope/{Zo*,_b*,_cmd*}.json)" = "failed 0 build-failed
failed 0 missing: the
null 0 flagged: a t
passed 6.42 pass: 6 of 6
passed 10 pass: 6 of 6
failed 0 wrong: call " ]
    jq -e '.output | test("not final")' "$dir"/exports/gradescope/_b*.json
    run ! grep -rE '1234567890123456789|/home|prof' "$dir/exports"
    # each has its own page of feedback, under the name that class/feedback gave it
    jq -se 'all(.output | test("^Feedback for "))' "$dir"/exports/gradescope/*.json
}

@test "export: unknown formats and options are refused, --help lists the formats there are" {
    ours
    record alice opt05_multiblock pass 0.1
    run "$class/export" csv,excel "$dir"
    [ "$status" -eq 2 ]
    [[ "$output" == *"'excel'"*canvas* ]]
    for options in "--roster" "--roster /nowhere" "--colour x"; do
        # shellcheck disable=SC2086  # an option and its value
        run "$class/export" csv "$dir" $options
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
    run "$class/export" --help
    [[ "$output" == *"$(cd "$class/exports" && echo *.c | sed 's/\.c//g')"* ]]
}

@test "export: pages of feedback are made anew where points have changed" {
    ours
    record alice opt05_multiblock flagged 0.1
    run -1 "$class/export" csv "$dir" # it waits for a decision
    touch -d '1 hour ago' "$dir"/feedback/* "$results" "$RUBRIC"
    echo 'alice opt05_multiblock clear fine' >"$dir/flags"
    "$class/export" moodle "$dir"
    grep -F '10 of 10 points' "$dir/feedback/alice.txt"
    touch -d '1 hour ago' "$dir"/feedback/* "$dir/flags"
    printf 'login,name\nalice,Alice Liddell\n' >"$BATS_TEST_TMPDIR/roster.csv"
    "$class/export" csv "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
    touch -d '30 minutes ago' "$dir/stamp"
    [ "$dir/feedback/alice.txt" -nt "$dir/stamp" ]
}

@test "export: a page of feedback that no platform asks for is told, and none goes by a number of another platform's" {
    ours
    record alice opt05_multiblock pass 0.1
    run -1 "$class/export" feedback "$dir"
    [[ "$output" == *"export: feedback: not written for 1 of 1 people: only a download by Moodle or Canvas"*"All pages are in $dir/feedback/" ]]
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\nAlice Liddell,4711,001,alice,A\n' >"$BATS_TEST_TMPDIR/roster.csv"
    run -1 "$class/export" feedback "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
    [[ "$output" == *'feedback: not written for 1 of 1 people'* ]]
    [ ! -e "$dir/exports/feedback" ]
    printf 'Identifier,Full name,Email address,Grade,Last modified (grade)\nParticipant 12,Alice,alice@example.edu,,\n' >"$BATS_TEST_TMPDIR/roster.csv"
    run -0 "$class/export" feedback "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
    [ -s "$dir/exports/feedback/moodle/Alice_12_assignsubmission_file_feedback.html" ]
    grep -E '^"?alice@example.edu"?,"?Alice"?,"?10"?,"?../feedback/alice.html' "$dir/exports/feedback-mail.csv"
}

# ---- every platform finds everybody ----------------------------------------------------------------

canvas_names='{ name = tolower($6 $7); gsub(/[ "'"'"'.,-]/, "", name); print "/x/" name (NR < 4 ? "_LATE" : "") "_" $1 "_99" NR "_lab3.zip" }'
moodle_names='{ print "/x/" $7 " " $6 "_" $2 "_assignsubmission_file" }'
blackboard_names='{ print "/x/Lab 3_" $4 "_attempt_2026-11-20-18-12-26_lab3.zip" }'
handed_in_names='{ print "/x/handed-in/submission_" 128746828 + NR }'

# What intake writes of Gradescope's submission_metadata.yml.
gradescope_metadata() {
    printf 'key\tname\tnumber\temail\thanded_in\n' >"$dir/handed-in.tsv"
    enrolled first last sis email | head -n 12 |
        LC_ALL=C awk -F '\t' '{ print "submission_" 128746828 + NR "\t" $1 " " $2 "\t" $3 "\t" $4 "\t2026-11-20T17:12:26Z" }' >>"$dir/handed-in.tsv"
}

@test "export: Canvas finds everybody in its own export with the grades in it, rows and identifiers as they were" {
    class_of "$canvas_names"
    assignment 20
    run -1 --separate-stderr "$class/export" canvas "$dir" --roster "$lms/canvas-grades.csv"
    [[ "$stderr" == *"Show, No (020252, nshow): handed in nothing"* && "$stderr" != *"submission s"* ]]
    [[ "$stderr" == *"the grades are for 'Lab 3: histograms (880042)'"* ]]
    [ "$(found canvas canvas.csv)" = "$(grades)" ]
    [ "$(grades | wc -l)" -eq 12 ]
    # of every row all up to the section, to the byte
    up_to_section='s/^(.*,Section|,,,,|    Points Possible,,,,|.*,"CS 101, Section A and B"),.*/\1/'
    cmp <(sed -E "$up_to_section" "$dir/exports/canvas.csv") <(sed -E "$up_to_section" "$lms/canvas-grades.csv")
    grep -qxF '    Points Possible,,,,,20.00' "$dir/exports/canvas.csv"
    # another total there, or no such column: said
    assignment 10
    run -1 "$class/export" canvas "$dir"
    [[ "$output" == *"Canvas says that the assignment is worth 20 points, and here it is worth 10"* ]]
    run -2 "$class/export" canvas "$dir" --title Homework
    [[ "${lines[-1]}" == *"no column for 'Homework'"*"'Midterm (880001)', 'Lab 3: histograms (880042)'"* && ! -e $dir/exports/canvas.csv ]]
}

@test "export: Moodle finds everybody in its grading worksheet, and by e-mail in the grade book's import" {
    class_of "$moodle_names"
    assignment 20
    run -1 --separate-stderr "$class/export" moodle "$dir" --roster "$lms/moodle-worksheet.csv"
    [[ "$stderr" != *"submission s"* ]]
    [ "$(found moodle moodle.csv)" = "$(grades)" ]
    [ "$(found moodle-worksheet moodle-worksheet.csv)" = "$(grades)" ]
    # without grade and comments it is Moodle's own file again
    sed -E 's/,[0-9.]+,20.00,/,,20.00,/; s/,-,"<pre>.*<\/pre>"$/,-,/' "$dir/exports/moodle-worksheet.csv" | cmp - "$lms/moodle-worksheet.csv"
    # without it there is no worksheet to upload
    rm "$dir/roster.csv"
    run -0 "$class/export" moodle "$dir"
    [ ! -e "$dir/exports/moodle-worksheet.csv" ]
}

@test "export: Gradescope's own table is a roster, and each submission has its results.json" {
    class_of "$handed_in_names"
    gradescope_metadata
    assignment 15
    run -1 --separate-stderr "$class/export" gradescope "$dir" --roster "$lms/gradescope-grades.csv"
    [[ "$stderr" != *"submission s"* ]]
    [ "$(jq -s 'map(.score) | max' "$dir"/exports/gradescope/*.json)" = "$(grades | cut -f 2 | sort -n | tail -n 1)" ]
}

@test "export: Blackboard finds everybody in its own file, with tabs in UTF-16 and with commas in UTF-8" {
    class_of "$blackboard_names"
    assignment 20
    for end in csv xls; do
        run -1 --separate-stderr "$class/export" blackboard "$dir" --roster "$lms/blackboard-grades.$end" --title 'Lab 3'
        [[ "$stderr" != *"submission s"* ]]
        [ "$(found blackboard "blackboard.$end")" = "$(grades)" ]
    done
    [ ! -e "$dir/exports/blackboard.csv" ]
    # to the byte, without the grades
    cmp -n 2 "$lms/blackboard-grades.xls" "$dir/exports/blackboard.xls"
    without_grades() { iconv -f UTF-16 -t UTF-8 "$1" | cut -f "1-6,$2"; }
    cmp <(without_grades "$dir/exports/blackboard.xls" 7 | sed -E 's/"[0-9.]+"(.?)$/""\1/' | tr -d '\r') <(without_grades "$lms/blackboard-grades.xls" 8 | tr -d '\r')
    # Another roster has no column that it would know.
    printf 'id,login,name\n1,jdoe,Jane Doe\n' >"$BATS_TEST_TMPDIR/roster.csv"
    run -1 "$class/export" blackboard,csv "$dir" --roster "$BATS_TEST_TMPDIR/roster.csv"
    [[ $output == *'export: blackboard: nothing is written: it needs --roster FILE, which'* ]]
    [[ -e $dir/exports/csv.csv && ! -e $dir/exports/blackboard.csv ]]
}

@test "export: without a roster Canvas finds everybody by the number in the file's name; the title has to have one" {
    class_of "$canvas_names"
    run -0 "$class/export" canvas "$dir" --title 'Lab 3 (880042)'
    [[ "$output" == *"no --roster"* ]]
    [ "$(found canvas canvas.csv)" = "$(grades)" ]
}

@test "export: two who handed in together both have the grade" {
    ours
    record s1 opt05_multiblock pass 1
    printf 's1\t/x/handed-in/submission_9\n' >"$dir/submissions.tsv"
    printf 'key\tname\tnumber\temail\n' >"$dir/handed-in.tsv"
    enrolled first last sis email | head -n 2 | LC_ALL=C awk -F '\t' '{ print "submission_9\t" $1 " " $2 "\t" $3 "\t" $4 }' >>"$dir/handed-in.tsv"
    run -1 "$class/export" gradescope,canvas,csv "$dir" --roster "$lms/canvas-grades.csv" --title 'Lab 3: histograms'
    [ "$(found canvas canvas.csv)" = $'epapa\t6\nzmueller\t6' ]
    [ "$(csv "$dir/exports/csv.csv" | jq length)" -eq 3 ]
}

# thirty PLATFORM: grades what lms-download makes: 30 people with names in every script, some of them late, some with several
# attempts or loose files, on Gradescope two together. Each submission has another grade; the file graded has them by login.
thirty() {
    "$root/tests/class/lms-download" "$1" "$BATS_TEST_TMPDIR/$1"
    rm -rf "$dir" && mkdir "$dir"
    perl "$class/lms/take.pl" "$dir" "$BATS_TEST_TMPDIR/$1/download" | tr '\0' '\n' | awk -F / '{ print $NF "\t" $0 "\t" }' >"$dir/submissions.tsv"
    ours
    record x opt05_multiblock pass 1
    cut -f 1 "$dir/submissions.tsv" | jq -Rc --slurpfile records "$results" '$records[1] + {submission: ., source_sha256: .}
        | .median_s = 0.2 + input_line_number / 100 | .ci95_s = [.median_s, .median_s]' >"$dir/theirs"
    { head -n 1 "$results" && cat "$dir/theirs"; } >"$dir/both" && mv "$dir/both" "$results"
    "$class/people" "$dir" --roster "$BATS_TEST_TMPDIR/$1/roster.csv"
    "$class/points" "$dir" | sed -nE 's/^([^ #].*[^ ]) +([0-9.]+) of [0-9.]+ points.*/\1\t\2/p' | LC_ALL=C sort >"$dir/points"
    tail -n +2 "$dir/people.tsv" | cut -f 1,3 | LC_ALL=C sort | LC_ALL=C join -t $'\t' - "$dir/points" | cut -f 2,3 | LC_ALL=C sort |
        LC_ALL=C join -t $'\t' -o 2.2,1.2 - <(awk -F '\t' 'NR > 1 { print $5 "\t" $3 }' "$lms/people.tsv" | LC_ALL=C sort) | LC_ALL=C sort >"$dir/graded"
    [ "$(wc -l <"$dir/graded")" -eq 30 ]
}

@test "export: of 30 as each platform's download has them, with names in every script, every grade goes back to its person" {
    everybody=$BATS_TEST_TMPDIR/everybody
    awk -F '\t' 'NR > 1 { print $4 "\t" $4 + 700000 "\t" $5 "\t" $3 "\t" $3 "@example.edu\t" $2 "\t" $1 }' "$lms/people.tsv" >"$everybody"
    thirty canvas
    run -0 "$class/export" canvas "$dir"
    NUMBER=99 found canvas canvas.csv "$everybody" | diff - "$dir/graded"
    # pages of feedback go back by the names that Canvas gave
    run -0 "$class/export" feedback "$dir"
    [ "$(find "$dir"/exports/feedback/canvas -name '*_feedback.html' | wc -l)" -eq 30 ]
    (cd "$dir/exports/feedback/canvas" && printf '%s\n' *) | sed -E 's/.*(_[0-9]+_[0-9]+_)feedback.html$/\1/' | while read -r numbers; do compgen -G "$BATS_TEST_TMPDIR/canvas/download/*$numbers*"; done | wc -l | grep -x 30
    [ -s "$dir/exports/feedback-canvas.zip" ] || ! command -v zip
    thirty moodle
    run -0 "$class/export" moodle,feedback "$dir"
    [ "$(find "$dir"/exports/feedback/moodle -regex '.*/[^_/]*_[0-9]+_assignsubmission_file_feedback.html' | wc -l)" -eq 30 ]
    grep -qF "Feedback for" "$dir"/exports/feedback/moodle/*
    found moodle moodle.csv "$everybody" | diff - "$dir/graded"
    thirty gradescope
    run -0 "$class/export" gradescope "$dir"
    [ "$(find "$dir/exports/gradescope" -name '*.json' | wc -l)" -eq 29 ]
    thirty blackboard
    run -0 "$class/export" blackboard "$dir" --title 'Lab 3 [Total Pts: 20 Score] |664617'
    found blackboard blackboard.xls "$everybody" | diff - "$dir/graded"
}
