#!/usr/bin/env bats
# The assignment: its reader, lateness, what is scaled and what counts. Over made-up records: nothing is graded here.

load failed
bats_require_minimum_version 1.5.0 # run !
load records

setup() {
    root='' class='' dir='' results='' # new_class sets them
    new_class
    file=$BATS_TEST_TMPDIR/lab3
    unset RUBRIC
    mkdir "$LABS/opt07_check_before_add"
    cp "$LABS/opt05_multiblock/opt_2dhisto.cu" "$LABS/opt07_check_before_add"
    stderr='' # run --separate-stderr sets it
}

# assignment LINE...: the file, as DIR/assignment.
assignment() {
    printf '%s\n' "$@" >"$dir/assignment"
}

# people LINE...: DIR/people.tsv, each line: submission, name, number, login, email, handed_in; blanks stand for tabs.
people() {
    printf 'submission\tname\tnumber\tcanvas\tlogin\temail\tsection\thanded_in\tlate_flag\tattempts\twhy\tlikely\n' >"$dir/people.tsv"
    local id name number login email when
    while read -r id name number login email when; do
        printf '%s\t%s\t%s\t\t%s\t%s\t\t%s\t\t1\t\t\n' "${id#-}" "${name//_/ }" "${number#-}" "${login#-}" "${email#-}" "${when#-}" >>"$dir/people.tsv"
    done < <(printf '%s\n' "$@")
}

# graded ID...: each has 10 of 10 in opt05.
graded() {
    local id
    record '' opt05_multiblock pass 0.1
    for id; do record "$id" opt05_multiblock pass 0.1; done
}

# grade WHO: grade, total and lateness, as class/points says: "90/100 1 0 10".
grade() {
    local text days=0 free=0 off=0
    text=$("$class/points" "$dir" | awk -v who="$1" '/^[^ ]/ { on = $1 == who } on && (/^[^ ]/ || /^  grade:/)' | paste -sd ' ')
    [[ $text =~ (grade:\ |^[^\ ]*\ +)([0-9.]+)\ of\ ([0-9.]+)\ points ]]
    [[ $text != *'grade: '* ]] || [[ $text =~ (grade:\ )([0-9.]+)\ of\ ([0-9.]+)\ points ]]
    local grade=${BASH_REMATCH[2]}/${BASH_REMATCH[3]}
    [[ ! $text =~ handed\ in\ ([0-9]+)\ day ]] || days=${BASH_REMATCH[1]}
    [[ ! $text =~ ,\ ([0-9]+)\ of\ them\ free ]] || free=${BASH_REMATCH[1]}
    [[ $text != *'all of them free'* && $text != *'that day is free'* ]] || free=$days
    [[ ! $text =~ :\ ([0-9.]+)\ %\ taken ]] || off=${BASH_REMATCH[1]}
    echo "$grade $days $free $off"
}

due='due 2026-10-20 23:59' zone='zone UTC'

# ---- the file ------------------------------------------------------------------------------------

@test "assignment: what it says is printed, all of it or by key" {
    printf '%s\r\n' '# a comment' 'title  Lab 3: histograms # the third' '' 'steps opt05 opt0[67]*' 'device cpu' 'due 2026-10-20 23:59' \
        'zone Europe/Berlin' 'grace 3' 'late 12.5' 'extension Jane Doe 2 was ill' 'total 100' 'rubric * correct=6 speed=4 full=1.2 none=10' >"$file"
    run -0 "$class/assignment" "$file"
    [[ $output == *'title      Lab 3: histograms'$'\n'* && $output == *'extension  Jane Doe 2 was ill'* ]]
    [[ $output == *'rubric     * correct=6 speed=4 full=1.2 none=10' ]]
    [ "$("$class/assignment" "$file" title)" = 'Lab 3: histograms' ]
    [ "$("$class/assignment" "$file" steps | paste -sd ' ')" = 'opt05* opt0[67]*' ]
    [ "$("$class/assignment" "$file" roster)" = '' ]
    run -2 "$class/assignment" "$file" colour
    [[ $output == *"no key 'colour'"* ]]
}

@test "assignment: a line of its rubric that fits no step is told" {
    printf '%s\n' 'steps opt05' 'rubric * correct=6' 'rubric otp05* speed=4 full=1.2 none=10' >"$file"
    run -0 --separate-stderr "$class/assignment" "$file"
    [[ $stderr == "$file:3: 'otp05*' fits no step that counts" ]]
}

@test "assignment: a bad line is refused with its file and number, in one line that says what to write" {
    while IFS='|' read -r line want; do
        printf '%s\n' 'handed-in Bob 2026-10-20 10:00' 'zone UTC' 'due 2026-10-20 23:59' "$line" >"$file"
        run --separate-stderr "$class/assignment" "$file"
        echo "$line: $stderr"
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ $stderr == "$file:4: "*"$want"* && $stderr != *$'\n'* ]]
    done <<'END'
duo 2026-10-20 23:59|did you mean due
Extention alice 2|did you mean extension
grave 3|did you mean grace
title|it takes a text
zone Europe/Berlin|'zone' stands a second time: the first is
device tpu|it is gpu or cpu
grace -1|whole days
grace 1.5|whole days
late 101|per cent a day
late ten|per cent a day
total 0|above 0
extension alice|extension alice 2 illness
extension 2|extension alice 2 illness
extension alice 0|extension alice 2 illness
handed-in alice|handed-in alice 2026-11-21 10:00
handed-in alice 2026-11-31 10:00|handed-in alice 2026-11-21 10:00
handed-in 2026-11-21 10:00|handed-in alice 2026-11-21 10:00
handed-in bob 2026-10-21 10:00|leave one of them out
steps opt05 opt0[5|no pattern of step names
steps opt5_multiblock|no step under labs/ fits 'opt5_multiblock'; did you mean opt05_multiblock
rubric opt05* sped=4|is none of correct=N
rubric * speed=4 full=2 none=1|none above full
END
    for line in 'due 2026-02-29 10:00' 'due 2026-10-20 24:00' 'due 20.10.2026 10:00' 'due 2026-10-20'; do
        printf '%s\n' 'zone UTC' "$line" >"$file"
        run -2 "$class/assignment" "$file"
        [[ $output == "$file:2: "*"such as 2026-11-20 23:59" ]]
    done
    # What means nothing alone.
    for line in 'due 2026-10-20 10:00' 'late 10' 'grace 3' 'extension alice 2' 'zone UTC'; do
        echo "$line" >"$file"
        run -2 "$class/assignment" "$file"
        [[ $output == "$file:1: "*"add a line such as"* ]]
    done
    printf '%s\n' 'due 2026-10-20 10:00' 'zone Europe/Berlim' >"$file"
    run -2 "$class/assignment" "$file"
    [[ $output == *"knows no time zone 'Europe/Berlim'"* ]]
    printf '%s\n' 'due 2026-03-29 02:30' 'zone Europe/Berlin' >"$file"
    run -2 "$class/assignment" "$file"
    [[ $output == *"no clock in Europe/Berlin ever shows"* ]]
    run -2 "$class/assignment" "$BATS_TEST_TMPDIR/nowhere"
    [[ $output == *"cannot read"* ]]
}

@test "assignment: a template is one, and so is each of its examples" {
    run -0 "$class/assignment" --template opt05_multiblock opt06_builtin_min
    printf '%s\n' "$output" >"$file"
    run -0 "$class/assignment" "$file"
    [ "$output" = $'title      Lab\nsteps      opt05_multiblock*\nsteps      opt06_builtin_min*' ]
    sed -i -E 's/^# (device|due|zone|late|late-most|cutoff|tolerance|adjust|comment|file|grace|extension|handed-in|absent|anonymous|total|rubric|roster|handed-out|earlier) /\1 /; s/opt01/opt05/' "$file"
    run -2 "$class/assignment" "$file"
    [[ $output == *"$file:"[0-9]*": cannot read the file of its key 'roster', '$BATS_TEST_TMPDIR/roster.csv'" ]]
    mkdir -p "$BATS_TEST_TMPDIR"/{common,../2025/results}
    touch "$BATS_TEST_TMPDIR"/{roster.csv,common/handed-out}
    run -0 --separate-stderr "$class/assignment" "$file"
    [ "$(wc -l <<<"$output")" -eq 26 ]
}

# ---- what counts ----------------------------------------------------------------------------------

@test "points: without an assignment the grade is the points, and nobody is late" {
    graded alice
    [ "$(grade alice)" = '10/10 0 0 0' ]
    run -0 "$class/points" "$dir"
    [[ $output != *grade:* ]]
}

@test "points: a person's rulings change a step's points and say why, never below nothing; a comment stands beside them" {
    graded alice
    graded bob
    printf '%s\n' 'adjust alice opt05 -3.5 of a kind' 'adjust bob opt05 -99 copied' 'comment bob opt05 see me' 'adjust nobody opt05 +1 x' >"$file"
    export ASSIGNMENT=$file
    run -0 --separate-stderr "$class/points" "$dir"
    [[ $output == *"alice "*" 6.5 of 10 points"*"; -3.5 by hand: of a kind"*"bob "*" 0 of 10 points"*"; -99 by hand: copied; comment: see me"* ]]
    # shellcheck disable=SC2154  # run sets it
    [[ $stderr == "$file:4: 'nobody' is nobody whose opt05_multiblock counts: this line changes nothing" ]]
    # Who has taken another's name, which no platform forbids, has the points as well, and not unseen.
    printf 'submission\tname\nalice\tAlice\nbob\talice\n' >"$dir/people.tsv"
    printf '%s\n' 'adjust alice opt05 +1 for the answer' 'comment bob opt05 see me' >"$file"
    run -0 --separate-stderr "$class/points" "$dir"
    [[ $stderr == "$file:1: 'alice' is several submissions, and this line holds for all of them: alice, bob" ]]
    rm "$dir/people.tsv"
    for line in 'adjust alice opt05 3 why' 'adjust alice opt05 +3' 'adjust alice +3 why' 'comment alice opt05' 'file alice opt99 x.cu'; do
        echo "$line" >"$file"
        run -2 "$class/points" "$dir"
        [[ $output == "$file:1: "*" does not fit "* ]]
    done
}

@test "points: scaled to the assignment's total, rounded once to hundredths" {
    graded alice
    record bob opt05_multiblock wrong null
    record carol opt05_multiblock pass 0.2 # 6.28 of 10
    assignment 'title Lab <3>' 'total 25'
    run -0 "$class/pages" "$dir"
    [[ $output == 'Lab <3>: 3 submissions, 1 step'* ]]
    [ "$(head -n 1 "$dir/feedback/bob.txt")" = 'Lab <3>: Feedback for bob' ]
    grep -q '<h1>Lab &lt;3&gt;: Feedback for bob</h1>' "$dir/feedback/bob.html"
    [ "$(grade alice)" = '25/25 0 0 0' ]
    [ "$(grade bob)" = '0/25 0 0 0' ]
    [ "$(grade carol)" = '15.7/25 0 0 0' ]
    run -0 "$class/points" "$dir"
    [[ $output == *'carol '*'6.28 of 10 points'$'\n''  grade: 15.7 of 25 points'* ]]
}

@test "points: the assignment says which steps count, and by which rubric; RUBRIC=FILE goes before it" {
    graded alice
    record '' opt06_builtin_min pass 0.1
    record alice opt06_builtin_min wrong null
    [ "$(grade alice)" = '10/20 0 0 0' ]
    assignment 'steps opt05'
    [ "$(grade alice)" = '10/10 0 0 0' ]
    assignment 'rubric * correct=1' 'rubric opt05* correct=3'
    [ "$(grade alice)" = '3/4 0 0 0' ]
    [[ $(class_page) == *opt06_builtin_min* ]]
    echo '* correct=50' >"$BATS_TEST_TMPDIR/rubric"
    [ "$(RUBRIC=$BATS_TEST_TMPDIR/rubric grade alice)" = '50/100 0 0 0' ]
    # A bad line stops every view, with its number.
    assignment 'total 10' 'late 5 %'
    for command in points pages feedback; do
        run --separate-stderr "$class/$command" "$dir"
        [ "$status" -eq 2 ]
        [[ $stderr == "$dir/assignment:2: "* ]]
    done
}

@test "points: idea=N is for the step's idea by its counters; who keeps it from being counted does not gain" {
    local cpu='.device = {kind: "cpu", name: "emulated"}'
    echo '* correct=6 idea=4' >"$BATS_TEST_TMPDIR/rubric"
    export RUBRIC=$BATS_TEST_TMPDIR/rubric
    printf 'title: T\ncounters: blocks >= 2\n' >"$LABS/opt05_multiblock/step.md"
    launch() { echo "$cpu"' | .counted = {gpu: "h200", rows: 8, columns: 8, calls: 1} | .launches = [{op: 1, kernel: "h", line: 3, grid: "1", block: "64",
        blocks: '"$1"', threads: 64, registers: null, shared_bytes: 0, waves: 1, occupancy: 1, counted_blocks: 1, barriers: 0, read_bytes: 64,
        written_bytes: 64, hot_adds: 0, overlaps: false}]'; }
    record '' opt05_multiblock pass null "$(launch 4)"
    record has opt05_multiblock pass null "$(launch 2)"
    record lacks opt05_multiblock pass null "$(launch 1)"
    record uncounted opt05_multiblock pass null "$cpu"
    record wrong opt05_multiblock wrong null "$(launch 2)"
    [ "$(grade has)" = '10/10 0 0 0' ]
    [ "$(grade lacks)" = '6/10 0 0 0' ]
    [ "$(grade uncounted)" = '6/10 0 0 0' ]
    [ "$(grade wrong)" = '0/10 0 0 0' ]
    run -0 "$class/points" "$dir"
    [[ $output == *'lacks '*'6 of 6 for the answer (pass); 0 of 4 for the idea: the step asks for at least 2 blocks'* ]]
    page=$(class_page)
    [[ $(tr -s ' \n' ' ' <"$dir/feedback/lacks.txt") == *'missing, as far as counters tell (it costs 4 of 10 points): opt05 asks'* ]]
    [[ $page == *'passes without its idea, as far as counters tell (it costs 4 of 10 points): lacks'* ]]
    [[ $page != *'eft out of the maximum'* ]]
    # Of a step whose counters tell no idea it is worth nothing.
    sed -i 's/^counters:.*//' "$LABS/opt05_multiblock/step.md"
    [ "$(grade has)" = '6/6 0 0 0' ]
    printf 'title: T\ncounters: blocks >= 2\n' >"$LABS/opt05_multiblock/step.md"
    # Where this project's own version was not counted, nobody is asked for it.
    sed -i '1d' "$results"
    record '' opt05_multiblock pass null "$cpu"
    [ "$(grade lacks)" = '6/6 0 0 0' ]
}

# ---- not started --------------------------------------------------------------------------------

# What is not begun of these steps, and why.
not_begun() {
    "$root/build/not-begun" "$@" >said && awk -F '\t' '$3 != "" { print $2 "\t" $3 }' said
}

# Of the submission in ./labs; work/starters has the starters.
unbegun() {
    (shopt -s nullglob && HANDED_OUT=work/handed-out not_begun work/starters/* labs/*/*.cu)
}

@test "not started: the starter and an earlier step under another name, comments and blanks apart; nothing that was begun" {
    make -s -C "$root" build/grades build/not-begun
    cd "$BATS_TEST_TMPDIR"
    rm -r labs/*
    mkdir -p work/starters labs/{opt02_a,opt03_b,opt04_c,sum01_d}
    [ -z "$(unbegun)" ]
    printf '%s\n' '#include "lab.h"' '/* TODO */ int f(void) { return 0; }' >labs/opt02_a/opt_2dhisto.cu
    [ -z "$(unbegun)" ] # without starters
    cp labs/opt02_a/opt_2dhisto.cu work/starters/opt02_a
    printf '%s\n' '// mine' '#include "lab.h" /* and' ' more */' 'int f(void)' '{ return 0; } // done' >labs/opt02_a/opt_2dhisto.cu
    printf '%s\n' 'int g(void) { return "/* no comment */"[0]; } // x' >labs/opt03_b/opt_2dhisto.cu
    printf '%s\n' 'int g(void) { return "/* a comment? */"[0]; } // x' >labs/opt04_c/opt_2dhisto.cu
    cp labs/opt03_b/opt_2dhisto.cu labs/sum01_d/opt_sum.cu # another ladder
    [ "$(unbegun)" = $'opt02_a/opt_2dhisto.cu\tthis is the file as it was handed out' ]
    printf '%s\n' '/* again */ int  g(void) {' '  return "/* no comment */"[0];' '}' >labs/opt04_c/opt_2dhisto.cu
    [ "$(unbegun | tail -n 1)" = $'opt04_c/opt_2dhisto.cu\tthis is opt03_b of the same submission under another name' ]
    # Two empty files are no copies. A file as it was handed out by another harness is known by its hash, unless it was handed out whole.
    echo '//' | tee labs/opt03_b/opt_2dhisto.cu >labs/opt04_c/opt_2dhisto.cu
    printf '%s\n' '/* TODO: more */ int h;' >labs/opt02_a/opt_2dhisto.cu
    [ -z "$(unbegun)" ]
    sha256sum labs/*/*.cu >work/handed-out
    [ "$(unbegun)" = $'opt02_a/opt_2dhisto.cu\tthis is the file as it was handed out' ]
    # A large file is none: a million names would take an hour.
    seq -f 'int n%.0f;' 100000 | tee labs/opt03_b/opt_2dhisto.cu >labs/opt04_c/opt_2dhisto.cu
    run -0 timeout 5 "$root/build/not-begun" labs/opt0[34]*/*.cu
    [ -z "$(cut -f 3 <<<"$output" | tr -d "\n")" ]
}

# ---- lateness -----------------------------------------------------------------------------------

@test "points: a line for a file that names no submission is told; a rubric's line may have the beginning of a name" {
    graded alice
    printf '%s\n' 'file alice opt05 a.cu' 'file lea opt05 a.cu' 'rubric * correct=6' 'rubric opt05 correct=9' >"$file"
    ASSIGNMENT=$file run -0 --separate-stderr "$class/points" "$dir"
    [[ $output == *"alice "*" 9 of 9 points"* ]]
    [[ $stderr == "$file:2: 'lea' is no submission's ID: this line changes nothing (the folders of submissions/"* ]]
}

@test "points: a step that counts no longer, or now, is told with what has changed" {
    graded alice
    record alice opt06_builtin_min pass 0.1
    assignment 'steps opt05'
    "$class/points" --changes "$dir"
    assignment 'steps opt06'
    run -0 "$class/points" --changes "$dir"
    [ "$output" = $'everybody opt05_multiblock: it counts no longer\neverybody opt06_builtin_min: it counts now' ]
    [ -z "$("$class/points" --changes "$dir")" ]
}

@test "late by an unknown time, as a learning platform has it: it waits for a person, and the export tells" {
    assignment "$due" "$zone" 'late 10'
    graded alice bob
    printf '%s\t/x/handed-in/%s\n' alice alice bob bob >"$dir/submissions.tsv"
    printf '%s\t%s\t%s\n' key name late_flag alice Alice 1 bob Bob 0 >"$dir/handed-in.tsv"
    run -1 "$class/export" csv "$dir"
    [[ $output == *'submission alice: late by an unknown time, so nothing is taken off: a line `handed-in alice '* ]]
    run -0 "$class/pages" "$dir"
    [[ $output == *'For a person to look at: 1 late by an unknown time'* ]]
    grep -A3 '>Late by an unknown time<' "$dir/index.html" | grep -q Alice
    assignment "$due" "$zone" 'late 10' 'handed-in alice 2026-10-21 09:00'
    run -0 "$class/pages" "$dir"
    [[ $output == *'For a person to look at: nothing'* ]]
    run -0 "$class/export" csv "$dir"
}

@test "late: a day begun is a day; per cent a day of what was earned, never below 0; days of grace are free" {
    assignment "$due" "$zone" 'late 30' 'grace 1' 'total 100'
    graded a b c d e
    people 'a A 1 - - 2026-10-20T23:59:00Z' 'b B 2 - - 2026-10-20T23:59:01Z' 'c C 3 - - 2026-10-21T23:59:01Z' 'd D 4 - - 2026-10-30T00:00:00Z' \
        'e E 5 - - -'
    [ "$(grade a)" = '100/100 0 0 0' ]
    [ "$(grade b)" = '100/100 1 1 0' ]
    [ "$(grade c)" = '70/100 2 1 30' ]
    [ "$(grade d)" = '0/100 10 0 100' ] # a free day would not help
    [ "$(grade e)" = '100/100 0 0 0' ]
    run -0 "$class/points" "$dir"
    [[ $output == *'70 of 100 points (30 taken off); handed in 2 days late, 1 of them free: 30 % taken off'* ]]
    [[ $output == *'it is not known when it was handed in, so it counts as on time'* ]]
    "$class/points" --changes "$dir"
    assignment "$due" "$zone" 'late 40' 'grace 1' 'total 100'
    run -0 "$class/points" --changes "$dir" # no step is worth something else
    [ "$output" = 'c lateness: 40 % less, was 30 % less: handed in 2 days late, 1 of them free: 40 % taken off' ]
}

@test "late: some minutes are none, hours of extension count, it takes no more than so much, and nothing after a last day" {
    assignment "$due" "$zone" 'late 30' 'late-most 50' 'cutoff 9' 'tolerance 5' 'extension c 30h' 'total 100'
    graded a b c d e
    people 'a A 1 - - 2026-10-21T00:04:00Z' 'b B 2 - - 2026-10-21T00:04:01Z' 'c C 3 - - 2026-10-22T06:04:00Z' 'd D 4 - - 2026-10-29T23:00:00Z' \
        'e E 5 - - 2026-10-31T00:00:00Z'
    [ "$(grade a)" = '100/100 0 0 0' ]
    [ "$(grade b)" = '70/100 1 0 30' ]
    [ "$(grade c)" = '100/100 0 0 0' ]
    [ "$(grade d)" = '50/100 9 0 50' ]
    [ "$(grade e)" = '0/100 10 0 100' ]
    run -0 "$class/points" "$dir"
    [[ $output == *'handed in on time (due 1 day and 6 hours later than for others)'* ]]
}

@test "late: due by the clock of its zone, whose days have 23 and 25 hours when summer time begins and ends" {
    graded a b c
    assignment 'due 2026-10-24 23:59' 'zone Europe/Berlin' 'late 10' # the clock goes back in the night after
    people 'a A 1 - - 2026-10-24T21:59:00Z' 'b B 2 - - 2026-10-25T22:59:00Z' 'c C 3 - - 2026-10-25T22:59:01Z'
    [ "$(grade a)" = '10/10 0 0 0' ]
    [ "$(grade b)" = '9/10 1 0 10' ]
    [ "$(grade c)" = '8/10 2 0 20' ]
    assignment 'due 2026-03-28 23:59' 'zone Europe/Berlin' 'late 10'
    people 'a A 1 - - 2026-03-28T22:59:00Z' 'b B 2 - - 2026-03-29T21:59:00Z' 'c C 3 - - 2026-03-29T21:59:01Z'
    [ "$(grade a)$(grade b)$(grade c)" = '10/10 0 0 09/10 1 0 108/10 2 0 20' ]
    assignment 'due 2028-02-28 12:00' 'zone Asia/Kathmandu' 'late 10' # 5:45 from UTC, and a leap year
    people 'a A 1 - - 2028-02-28T06:15:00Z' 'b B 2 - - 2028-02-29T06:15:00Z' 'c C 3 - - 2028-03-01T06:15:00Z'
    [ "$(grade a)$(grade b)$(grade c)" = '10/10 0 0 09/10 1 0 108/10 2 0 20' ]
}

@test "late: an extension is found by id, number, login, e-mail and name; one that fits nobody or several is told" {
    graded a b c d e f
    assignment "$due" "$zone" 'late 10' 'extension a 1' 'extension 22 1 was ill' 'extension cc 2' 'extension D@x.edu 1' 'extension eva Ö. 1' \
        'extension nobody 3' 'extension absent 1' 'extension f 1' 'extension f 1'
    people 'a A 1 - - 2026-10-22T00:00:00Z' 'b B 22 - - 2026-10-22T00:00:00Z' 'c C 3 cc - 2026-10-22T00:00:00Z' \
        'd D 4 - d@x.edu 2026-10-22T00:00:00Z' 'e Ö.,_Eva 5 - - 2026-10-22T00:00:00Z' 'f F 6 - - 2026-10-22T00:00:00Z' '- absent 7 - - -'
    for who in a b d e; do [ "$(grade "$who" 2>/dev/null)" = '9/10 1 0 10' ]; done
    for who in c f; do [ "$(grade "$who" 2>/dev/null)" = '10/10 0 0 0' ]; done
    run --separate-stderr "$class/points" "$dir"
    [ "$stderr" = "$dir/assignment:9: 'nobody' is nobody who handed in: this line changes nothing" ]
    [[ $output == *'handed in 1 day late (due 1 day later than for others): 10 % taken off'* && $output != *'was ill'* ]]
    # A group has the most that one of its people has.
    people 'a A 1 - - 2026-10-23T00:00:00Z' 'a B 2 - - 2026-10-23T00:00:00Z'
    assignment "$due" "$zone" 'late 10' 'extension 1 1' 'extension 2 2'
    [ "$(grade a)" = '9/10 1 0 10' ]
    # Its name stands for all of them.
    sed -i 's/\t\t2026/\tTeam A\t2026/' "$dir/people.tsv"
    assignment "$due" "$zone" 'late 10' 'extension team a 2'
    [ "$(grade a)" = '9/10 1 0 10' ]
    people 'a Kim 1 - - 2026-10-22T00:00:00Z' 'b Kim 2 - - 2026-10-22T00:00:00Z'
    assignment "$due" "$zone" 'late 10' 'extension kim 1'
    run --separate-stderr "$class/points" "$dir"
    [[ $stderr == *"'kim' is several submissions, and this line holds for all of them: a, b" ]]
}

@test "late: the instructor may say when somebody handed in, by the clock of the assignment" {
    graded a b
    assignment 'due 2026-10-20 23:59' 'zone Europe/Berlin' 'late 10' 'handed-in Ann Lee 2026-10-21 23:59' 'handed-in b 2026-10-20 10:00' 'handed-in c 2026-10-20 10:00'
    people 'a Ann_Lee 1 - - -' 'b B 2 - - 2026-10-29T00:00:00Z'
    [ "$(grade a 2>/dev/null)$(grade b 2>/dev/null)" = '9/10 1 0 1010/10 0 0 0' ]
    run --separate-stderr "$class/points" "$dir"
    [ "$stderr" = "$dir/assignment:6: 'c' is nobody who handed in: this line changes nothing" ]
}

@test "late: without a time, the learning platform's word is told, and nobody is called in time who is late" {
    graded a b c
    assignment "$due" "$zone" 'late 10'
    people 'a A 1 - - -' 'b B 2 - - -' 'c C 3 - - -'
    awk -F '\t' -v OFS='\t' '$1 == "a" { $9 = 0 } $1 == "b" { $9 = 1 } { print }' "$dir/people.tsv" >"$dir/new" && mv "$dir/new" "$dir/people.tsv"
    run -0 "$class/points" "$dir"
    [[ $output == *'points; handed in on time, as the learning platform has it'$'\n'*'points; it is not known when it was handed in, so it counts as on time, though the learning platform calls it late'$'\n'*'points; it is not known when it was handed in, so it counts as on time'$'\n'* ]]
    "$class/pages" "$dir"
    grep -qF '<td class="right">?</td>' "$dir/index.html"
    grep -q 'Without a time: 1 submission\. .*until then nothing is taken off' "$dir/index.html"
    run ! grep -q handed-in "$dir"/feedback/b.*
    # A person who knows better is believed.
    assignment "$due" "$zone" 'late 10' 'handed-in b 2026-10-20 00:00'
    "$class/pages" "$dir"
    run ! grep -qE 'says the learning platform|0 days, 0 %' "$dir/index.html"
}

@test "a step is not begun that is its starter, an earlier step or one that is handed out complete, whatever its names" {
    make -s -C "$root" build/not-begun
    cd "$BATS_TEST_TMPDIR"
    mkdir -p given labs/s{1,2,3,4,5}
    echo 'void f(int n) { g(n); }' >given/s1
    printf 'void f(int n) {\n /* TODO: x */\n}\n' | tee given/s2 given/s3 >given/s4
    cp given/s1 labs/s1/f.cu
    sed 's/\bn\b/size/g; s/^/\/\/ mine\n/' given/s1 >labs/s2/f.cu
    echo 'void f(int n) { }' >labs/s3/f.cu
    echo 'void f(int n) { g(n + 1); }' >labs/s4/f.cu
    echo 'void f(int many) { h(many + 1); }' >labs/s5/f.cu
    run -0 not_begun given/* labs/*/*.cu
    [ "$output" = $'s2/f.cu\tthis is s1, which is handed out complete, under another name
s3/f.cu\tthis is the file as it was handed out
s5/f.cu\tthis is s4 of the same submission under another name' ]
    run -0 not_begun labs/*/*.cu # as at the desk
    [[ $output == $'s2/f.cu\tthis is s1 of the same submission under another name\ns5/'* ]]
    # So is the published solution of an earlier step of the ladder; that of the step itself, of a later one or another ladder is none.
    "$root/build/not-begun" --codes labs/s4/f.cu >codes
    sed "s/\bn\b/all/g" labs/s4/f.cu >copy
    for at in s4/f s3/f s5/other s5/f; do
        cp copy labs/$at.cu
        HANDED_OUT=codes not_begun labs/$at.cu
    done >told
    [ "$(<told)" = $'s5/f.cu\tthis is s4, as it is published, under another name' ]
    # A copy that is kept under a name of one's own is the copy, also where its name comes first.
    mkdir labs/s0_mine && cp copy labs/s0_mine/f.cu
    [ "$(HANDED_OUT=codes not_begun labs/s0_mine/f.cu labs/s4/f.cu)" = $'s0_mine/f.cu\tthis is s4 of the same submission under another name' ]
    run -2 "$root/build/not-begun" labs/nowhere.cu
    # Each has its hash; that of a whole block, and of one that the length does not fit into any more, too.
    for at in 0 55 56 64 119 1000; do
        head -c "$at" "$root/README.md" >labs/s4/f.cu
        [ "$("$root/build/not-begun" labs/s4/f.cu)" = "$(sha256sum <labs/s4/f.cu | cut -c 1-64)"$'\ts4/f.cu\t' ]
    done
}
