#!/usr/bin/env bats
# Points, the class in one view, feedback, exports. Over made-up records: no GPU ever measured them.

load failed
bats_require_minimum_version 1.5.0 # run !
load records

setup() {
    root='' class='' dir='' results='' RUBRIC='' # new_class sets them
    new_class
    stderr='' stderr_lines=() # run --separate-stderr sets them
}

# What class/points says of a step: points, maximum.
points_of() {
    "$class/points" "$dir" | awk -v who="$1" -v step="$2" '/^[^ ]/ { on = $1 == who } on && $1 == step { print $2 "/" $4 }'
}

# ---- points ----------------------------------------------------------------------------------

@test "points: all at 1.2 times our time, none at 10 times, linear on a log scale between" {
    ours
    record fast opt05_multiblock pass 0.05
    record full opt05_multiblock pass 0.12
    record half opt05_multiblock pass 0.346410161514
    record third opt05_multiblock pass 0.2
    record none opt05_multiblock pass 1
    record slow opt05_multiblock pass 5
    [ "$(points_of fast opt05_multiblock)" = "10/10" ]
    [ "$(points_of full opt05_multiblock)" = "10/10" ]
    [ "$(points_of half opt05_multiblock)" = "8/10" ]    # sqrt(1.2 * 10): half way on a log scale
    [ "$(points_of third opt05_multiblock)" = "9.04/10" ] # 4 * ln(10 / 2) / ln(10 / 1.2) = 3.0362
    [ "$(points_of none opt05_multiblock)" = "6/10" ]
    [ "$(points_of slow opt05_multiblock)" = "6/10" ]
}

@test "points: own times and maxima of the rubric, by pattern; a later line sets again what an earlier one set" {
    printf '%s\n' '# comment' '* correct=6 speed=4 full=1.2 none=10' '' 'opt0[56]_* speed=20 # more' 'opt05* full=2 none=8' >"$RUBRIC"
    ours
    record '' opt06_builtin_min pass 0.1
    record alice opt05_multiblock pass 0.4 # half way from 2 to 8 on a log scale
    record alice opt06_builtin_min pass 0.1
    [ "$(points_of alice opt05_multiblock)" = "16/26" ]
    [ "$(points_of alice opt06_builtin_min)" = "26/26" ]
    # Latency in place of throughput.
    echo 'opt05* latency=1' >>"$RUBRIC"
    : >"$results"
    record '' opt05_multiblock pass 0.1 '.synced_s = 0.2'
    record alice opt05_multiblock pass 0.1 '.synced_s = 0.8'
    [ "$(points_of alice opt05_multiblock)" = "16/26" ]
    run -0 "$class/points" "$dir"
    [[ $output == *'for speed: 4.00 times our latency'* ]]
}

@test "points: a bad line of the rubric is refused with its number, and gives no points" {
    ours
    record alice opt05_multiblock pass 0.1
    for line in 'opt05* speed' 'opt05*' 'opt05* sped=4' 'opt05* speed=-4' 'opt05* speed=4x' 'speed=4' 'opt05* speed=4 speed=5' \
        'opt05* full=0' 'opt05* none=1' 'opt05* predicted=2' 'opt0[5* speed=4' 'opt05(* speed=4'; do
        printf '%s\n' '# first' '* correct=6 speed=4 full=1.2 none=10' "$line" >"$RUBRIC"
        run --separate-stderr "$class/points" "$dir"
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ "$stderr" == "$RUBRIC:3: "* ]]
        [ "${#stderr_lines[@]}" -eq 1 ]
        run "$class/pages" "$dir"
        [ "$status" -eq 2 ]
    done
    : >"$RUBRIC"
    run "$class/points" "$dir"
    [ "$status" -eq 2 ]
    RUBRIC=$dir/none run "$class/points" "$dir"
    [ "$status" -eq 2 ]
    RUBRIC='' FLAGS=$dir/none run "$class/points" "$dir"
    [[ $status == 2 && $output == *"cannot read $dir/none, which FLAGS names"* ]]
}

@test "points: without a right answer none, whatever the record says of times" {
    ours
    for verdict in wrong no-kernel build-failed no-device-code launch-failed crashed timed-out nondeterministic hazard missing; do
        record "$verdict" opt05_multiblock "$verdict" 0.05
        [ "$(points_of "$verdict" opt05_multiblock)" = "0/10" ]
    done
}

@test "points: the cpu device measures no speed, and its maximum is without it" {
    record '' opt05_multiblock pass 0.1 '.device.kind = "cpu"'
    record alice opt05_multiblock pass 0.05 '.device.kind = "cpu"'
    record bob opt05_multiblock wrong null '.device.kind = "cpu"'
    [ "$(points_of alice opt05_multiblock)" = "6/6" ]
    [ "$(points_of bob opt05_multiblock)" = "0/6" ]
    run "$class/points" "$dir"
    [[ "$output" == *"not measured on the cpu device"* ]]
}

# cpu_record SUBMISSION VERDICT PREDICTED [JQ-FILTER]: a record of opt05 on the cpu device, with a predicted time or null.
cpu_record() {
    record "$1" opt05_multiblock "$2" null '.device = {kind: "cpu", name: "emulated"} | . + (if '"$3"' then
        {predicted_s: '"$3"', predicted_ci90_s: [0.09, 0.4], predicted_gpu: "h200", predicted_limit: "dram", predicted_with: "source"}
        else {} end) | '"${4-.}"
}

@test "predicted times earn nothing where the rubric does not ask for them, and no page speaks of them" {
    cpu_record '' pass 0.1
    cpu_record ada pass 0.2
    for rubric in '* correct=6 speed=4 full=1.2 none=10' '* correct=6 speed=4 full=1.2 none=10 predicted=0'; do
        echo "$rubric" >"$RUBRIC"
        [ "$(points_of ada opt05_multiblock)" = "6/6" ]
        rm -rf "$dir/exports" "$dir/feedback"
        run -0 "$class/export" csv,gradescope,moodle "$dir"
        "$class/points" "$dir" >"$dir/exports/points"
        class_page >"$dir/exports/page"
        run ! grep -rniE 'predicted|~' "$dir/exports" "$dir/feedback"
    done
}

@test "predicted times count where the rubric says predicted=1, over our own version's, and every page says so" {
    echo '* correct=6 speed=4 full=1.2 none=10 predicted=1' >"$RUBRIC"
    cpu_record '' pass 0.1
    cpu_record ada pass 0.2
    [ "$(points_of ada opt05_multiblock)" = "9.04/10" ] # as of measured times
    run -0 "$class/points" "$dir"
    [[ $output == *'9.04 of 10 points, 3.04 of them for speed that is predicted, not measured'* ]]
    [[ $output == *'3.04 of 4 for speed, which is predicted for h200, not measured: 2.00 times the time predicted for our version'* ]]
    page=$(class_page)
    [[ $page == *'Predicted, not measured, and counted because the rubric says predicted=1'* ]]
    [[ $page == *'opt05_multiblock 1 pass 90% 1 2.00 2.00 2.00 ~200.0 ~2.00 ada'* ]]
    run -0 "$class/export" csv,gradescope,moodle "$dir"
    [[ $output == *'points for speed are from predicted times, not measured ones (the rubric says predicted=1): 1 submissions'* ]]
    for page in gradescope/ada.json moodle.csv; do
        grep -q 'predicted' "$dir/exports/$page"
    done
    grep -q 'Predicted: *~200 us a call (90 %: 90 to 400) on h200, ~2.00 times' "$dir/feedback/ada.txt"
    grep -qE 'opt05_multiblock +pass +9.04 of 10 +~200 +- +~2.00' "$dir/feedback/ada.txt"
}

@test "predicted=1: what cannot be predicted earns nothing, what is predicted in another way neither; a measured time goes before" {
    echo '* correct=6 speed=4 full=1.2 none=10 predicted=1' >"$RUBRIC"
    cpu_record '' pass 0.1
    cpu_record wrong wrong 0.1
    cpu_record uncounted pass null
    cpu_record other pass 0.1 '.predicted_gpu = "h100"'
    cpu_record code pass 0.1 '.predicted_with = "machine code"'
    cpu_record small pass 0.1 '.counted = {gpu: "h200", rows: 8, columns: 8}'
    for who in uncounted other code small; do
        [ "$(points_of "$who" opt05_multiblock)" = "6/10" ]
    done
    [ "$(points_of wrong opt05_multiblock)" = "0/10" ]
    ours
    record timed opt05_multiblock pass 0.12 '. + {predicted_s: 9, predicted_gpu: "h200"}'
    [ "$(points_of timed opt05_multiblock)" = "10/10" ]
    rm "$results"
    cpu_record '' pass null
    cpu_record ada pass 0.2
    [ "$(points_of ada opt05_multiblock)" = "6/6" ]
}

@test "points: held against our own version on the same GPU and input only" {
    ours
    record '' opt05_multiblock pass 0.2 '.device.uuid = "GPU-2"'
    record two opt05_multiblock pass 0.2 '.device.uuid = "GPU-2"'
    record three opt05_multiblock pass 0.2 '.device.uuid = "GPU-3"'
    record rows opt05_multiblock pass 0.2 '.rows = 8192'
    [ "$(points_of two opt05_multiblock)" = "10/10" ]
    [ "$(points_of three opt05_multiblock)" = "6/6" ] # nothing to hold it against: left out
    [ "$(points_of rows opt05_multiblock)" = "6/6" ]
}

@test "points: iterations may differ, what counts is a call" {
    ours
    record alice opt05_multiblock pass 0.01 '.iterations = 100'
    [ "$(points_of alice opt05_multiblock)" = "10/10" ]
    run -0 "$class/points" "$dir"
    [[ $output == *'1.00 times our time'* ]]
}

@test "points: a step that our own version fails and one that shows a mistake are left out" {
    ours
    record '' opt06_builtin_min crashed null
    record '' sum01_one_atomic wrong null '.intended = "wrong"'
    record alice opt05_multiblock pass 0.1
    record alice opt06_builtin_min wrong null
    record alice sum01_one_atomic wrong null '.intended = "wrong"'
    record bob opt06_builtin_min harness-error null
    for step in opt06_builtin_min sum01_one_atomic; do
        [ "$(points_of alice "$step")" = "0/0" ]
    done
    [ "$(points_of bob opt06_builtin_min)" = "0/0" ]
    # To hand in nothing is worth nothing, whichever GPU its record names.
    record '' opt06_builtin_min pass 0.1 '.device.uuid = "GPU-2"'
    record carol opt06_builtin_min missing null
    [ "$(points_of carol opt06_builtin_min)" = "0/10" ]
    [ "$(points_of alice opt06_builtin_min)" = "0/0" ]
    run "$class/points" "$dir"
    [[ "$output" == *"own version did not pass on this device either"* ]]
    [[ "$output" == *"there to show a wrong answer"* ]]
}

# What each submission gets of the full grade.
grades() {
    "$class/points" "$dir" | awk '/^[^ #]/ { print $1, $2 }'
}

@test "points: a harness error raises nobody's share, nor does a step without a record: the total is not final" {
    ours
    record '' opt06_builtin_min pass 0.1
    for who in fails lacks right wrong; do record "$who" opt05_multiblock pass 0.1; done
    record fails opt06_builtin_min harness-error null
    record right opt06_builtin_min pass 0.1
    record wrong opt06_builtin_min wrong null
    [ "$(grades)" = $'fails 10\nlacks 10\nright 20\nwrong 10' ]
    for who in fails lacks; do [ "$(points_of "$who" opt06_builtin_min)" = "0/10" ]; done
    run -0 "$class/points" "$dir"
    [[ "$output" == *"fails "*" 10 of 20 points, not final: one step is still to be graded"*"nothing yet: the harness failed here"* ]]
    [[ "$output" == *"lacks "*"nothing yet: it has no record yet"* ]]
    page=$(class_page)
    [[ $page == *"Still to be graded"*"grade.sh command"*"fails opt06_builtin_min"*"lacks opt06_builtin_min"* ]]
    run -1 "$class/export" canvas,moodle,gradescope "$dir"
    for who in fails lacks; do
        [[ "$output" == *"submission $who: not final, still to be graded: opt06_builtin_min: type its ./grade.sh command again"* ]]
        grep -F '10 of 20 points, not final: one step is still to be graded.' "$dir/feedback/$who.txt"
        jq -e '.score == 10 and (.tests[1] | .max_score == 10 and (has("status") | not))' "$dir/exports/gradescope/$who.json"
    done
    [[ "$output" != *"submission right"* ]]
}

@test "points: where the harness failed with our own version, nothing is final" {
    record '' opt05_multiblock harness-error null
    record '' opt06_builtin_min pass 0.1 '.device.kind = "cpu"'
    record alice opt05_multiblock pass 0.1
    record alice opt06_builtin_min pass 0.1 '.device.kind = "cpu"'
    [ "$(points_of alice opt05_multiblock)" = "0/6" ]
    run -0 "$class/points" "$dir"
    [[ "$output" == *"6 of 12 points, not final"*"the harness failed with this project's own version"* ]]
}

@test "points: the later record counts" {
    ours
    record alice opt05_multiblock pass 0.1
    record alice opt05_multiblock wrong null
    record bob opt05_multiblock wrong null
    record bob opt05_multiblock pass 0.1 '.source_sha256 = "new"'
    record slow opt05_multiblock pass 0.1
    record slow opt05_multiblock pass 5 '.source_sha256 = "new"'
    [ "$(points_of alice opt05_multiblock)" = "0/10" ]
    [ "$(points_of bob opt05_multiblock)" = "10/10" ]
    [ "$(points_of slow opt05_multiblock)" = "6/10" ]
}

@test "points: times are compared as numbers, whatever their exponents; a time of zero is none" {
    ours
    record alice opt05_multiblock pass 1e-05 # as texts, 1e-05 is above 0.1
    record zero opt05_multiblock pass 0.1 '.median_s = 0'
    [ "$(points_of alice opt05_multiblock)" = "10/10" ]
    [ "$(points_of zero opt05_multiblock)" = "6/6" ]
}

@test "class: paths are as the caller means them, who may stand elsewhere" {
    ours
    record alice opt05_multiblock pass 0.1
    cd "$BATS_TEST_TMPDIR"
    echo '* correct=1 speed=1 full=1.2 none=10' >other
    for command in "points" "pages" "export csv"; do
        # shellcheck disable=SC2086  # a command and its format
        RUBRIC=other LABS=labs run "$class"/$command results
        [ "$status" -eq 0 ]
    done
    grep -F '2 of 2 points' results/feedback/alice.txt
    grep -F 'alice,alice,,,,,,0,0,2,2,2,2,' <(tr -d '"' <results/exports/csv.csv)
}

@test "points: a harness error does not undo what came of the same source" {
    ours
    record alice opt05_multiblock pass 0.1
    record alice opt05_multiblock harness-error null
    record bob opt05_multiblock pass 0.1
    record bob opt05_multiblock harness-error null '.source_sha256 = "new"'
    [ "$(points_of alice opt05_multiblock)" = "10/10" ]
    [ "$(points_of bob opt05_multiblock)" = "0/10" ]
}

@test "points: a flagged step earns nothing until a person decides; then all or nothing" {
    ours
    record alice opt05_multiblock flagged 0.1 '.detail = "the clocks disagree"'
    [ "$(points_of alice opt05_multiblock)" = "0/10" ]
    run "$class/points" "$dir"
    [[ "$output" == *" 0 of 10 points, not final: one step is still to be graded"*"nothing yet: it is flagged, and a person has to decide"* ]]
    printf '# who decided: me\nalice opt05_multiblock clear two streams, all waited for\r\n' >"$dir/flags"
    [ "$(points_of alice opt05_multiblock)" = "10/10" ]
    run "$class/points" "$dir"
    [[ "$output" == *"cleared: two streams, all waited for)"* ]]
    # With the beginning of a source's hash it is of that source alone.
    hash=$(jq -r 'select(.submission == "alice").source_sha256' "$results" | tail -n 1)
    printf 'alice opt05_multiblock/%.8s clear fine\n' "$hash" >"$dir/flags"
    [ "$(points_of alice opt05_multiblock)" = "10/10" ]
    record alice opt05_multiblock flagged 0.1 '.source_sha256 = "of another hand-in"'
    [ "$(points_of alice opt05_multiblock 2>/dev/null)" = "0/10" ]
    run "$class/points" "$dir"
    [[ "$output" == *"'alice opt05_multiblock/"*"' is not flagged"*"not final"* ]]
    echo 'alice opt05_multiblock confirm keeps the answer' >"$dir/flags"
    [ "$(points_of alice opt05_multiblock)" = "0/10" ]
}

@test "points: a bad line in flags is refused with its number; one about nothing is said" {
    ours
    record alice opt05_multiblock pass 0.1
    printf '\nalice opt05_multiblock maybe why\n' >"$dir/flags"
    run --separate-stderr "$class/points" "$dir"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"/flags:2: "* ]]
    echo 'alcie opt05_multiblock clear fine' >"$dir/flags"
    run --separate-stderr "$class/points" "$dir"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"/flags:1: 'alcie opt05_multiblock' is not flagged"* ]]
}

@test "points: each names the lines of its records" {
    ours
    record alice opt05_multiblock pass 0.2
    run "$class/points" "$results"
    [ "$status" -eq 0 ]
    [[ "$output" =~ opt05_multiblock\ +9.04\ of\ 10\ +#2,\ ours\ #1 ]]
}

# ---- a small class with odd names --------------------------------------------------------------

# What ends up in files must hold none of what stands here as it stands.
@test "class: verdicts, speed, flags, harness errors, what was refused" {
    odd_class
    page=$(class_page)
    # bob's flagged time does not count as the fastest
    [[ $page == *"opt05_multiblock 1 pass, 1 build-failed, 1 crashed, 1 flagged 25% 1 1.00 1.00 1.00 100.0 1.00 =cmd"* ]]
    [[ $page == *"opt06_builtin_min 1 pass, 1 wrong, 1 missing, 1 harness-error"* ]]
    [[ $page == *"<b>bob</b> opt05_multiblock (line 7): a time below the floor"* ]]
    [[ $page == *"plain.one opt06_builtin_min: the GPU was lost"* ]]
    [[ $page == *"plain.one : noticed: a"* ]]
    run ! grep -F '<b>' "$dir/index.html"
    grep -F '&lt;b&gt;bob' "$dir/index.html"
    run -0 "$class/pages" "$dir"
    [ "${lines[0]}" = "Class: 4 submissions, 2 steps" ]
    [ "${lines[1]}" = "Verdicts: 2 pass, 1 wrong, 1 build-failed, 1 crashed, 1 flagged, 1 missing, 1 harness-error" ]
    [[ ${lines[3]} == "For a person to look at: 1 flagged, 1 still to be graded, "* ]]
}

@test "class: needs no jq, and a run without submissions says what to do" {
    ours
    ln -s "$(command -v awk)" "$BATS_TEST_TMPDIR"
    PATH=$BATS_TEST_TMPDIR run -0 "$BASH" "$class/points" "$dir"
    [[ $(class_page) == *"./grade.sh SUBMISSION"* ]]
}

@test "pages, points, feedback, export: a broken line is named, no records say what to do" {
    ours
    echo '{"step":' >>"$results"
    record alice opt05_multiblock pass 0.1
    record bob opt05_multiblock fine 0.1
    for command in pages points feedback "export csv"; do
        # shellcheck disable=SC2086  # a command and its format
        run "$class"/$command "$dir"
        [ "$status" -eq 2 ]
        [[ "$output" == *":2: not a record"*":4: 'fine' is no verdict"* ]]
        # The others are shown.
        [[ $output == *alice* || -s $dir/feedback/alice.txt ]]
        # shellcheck disable=SC2086
        run "$class"/$command "$dir/nothing"
        [ "$status" -eq 2 ]
    done
}

# ---- feedback ----------------------------------------------------------------------------------

@test "feedback: a page for each, with nothing of another, no seed and no path" {
    odd_class
    run "$class/feedback" "$dir"
    [ "$status" -eq 0 ]
    [ "$(find "$dir/feedback" -name '*.md' | wc -l)" -eq 4 ]
    [ "$(find "$dir/feedback" -name '*.txt' | wc -l)" -eq 4 ]
    page=$dir/feedback/_cmd___x
    grep -F 'bin 7: expected 254, got 255' "$page.txt"
    grep -F '(seed)' "$page.txt"
    run ! grep -rE '1234567890123456789|/home|prof|GPU-1' "$dir/feedback"
    run ! grep -rlE 'bob|Zo|plain' "$page.txt" "$page.md"
    grep -F 'Diagnosis:' "$dir/feedback/_b_bob__b_.txt"
}

@test "feedback: a hazard's lines, who was there, and the others; it counts as a wrong answer, a remark as nothing" {
    jq -c '.submission = (if .submission == "" then "alice" else .submission end)' \
        "$root/tests/fixtures/report-hazard.jsonl" >"$results"
    [ "$(points_of alice opt05_multiblock)" = '0/6' ]
    [ "$(points_of alice opt04_shared_memory)" = '6/6' ]
    # the rubric can give some for outputs that were right, though not for what was wrong besides
    echo '* correct=6 hazard=2 speed=4 full=1.2 none=10' >"$RUBRIC"
    record bob opt05_multiblock hazard null '.outcome = "pass"'
    [ "$(points_of alice opt05_multiblock)" = '0/6' ]
    [ "$(points_of bob opt05_multiblock)" = '2/6' ]
    [[ $("$class/points" "$dir") == *'2 of 6 for the answer (hazard, though the outputs were right)'* ]]
    echo '* correct=6 hazard=20 speed=4 full=1.2 none=10' >"$RUBRIC"
    [ "$(points_of bob opt05_multiblock)" = '6/6' ]
    "$class/feedback" "$dir"
    alice=$(cat "$dir/feedback/alice.txt")
    [[ $alice == *'Verdict: hazard'*'race-in-block on partial[17]'*$'\n''
  labs/opt05_multiblock/opt_2dhisto.cu:17: adds to (thread 37 of block 2)

      atomicAdd(&partial[value], 1);

  labs/opt05_multiblock/opt_2dhisto.cu:12: writes (thread 17 of block 2)

      partial[threadIdx.x] = 0;
'*'Diagnosis: Two threads of a block'*'Also: misaligned on element 4 of the input: opt_2dhisto.cu:16 reads.'*'Also: leak on'*'Remark: same-value on flag[0]'* ]]
    [[ $alice == *'Remark: allocates-in-call: opt_2dhisto.cu:50 allocates. A call must'* ]]
    # what a step may call its arrays and files is no markup, and tells nothing of this machine
    run ! grep -E '<script>|/home/|'$'\e' "$dir/feedback/mallory.md"
    grep -F '&lt;script&gt;' "$dir/feedback/mallory.md"
    page=$(class_page)
    [[ $page == *"! hazard 3 "* ]]
}

@test "feedback: what students wrote is no markup" {
    odd_class
    "$class/feedback" "$dir"
    run ! grep -E '<(b|i|script)>' "$dir"/feedback/*.md
    grep -F '&lt;script&gt;' "$dir"/feedback/*.md
    grep -F '\|\`\*\_\[a\](b)' "$dir"/feedback/_cmd___x.md
    if command -v pandoc >/dev/null; then
        for page in "$dir"/feedback/*.md; do
            run ! grep -E '<(b|i|script)>|href' <(pandoc -f gfm -t html "$page")
        done
    fi
}

@test "feedback: the compiler's errors and what a step printed, as at the desk, bounded and harmless" {
    ours
    record alice opt05_multiblock build-failed null '.detail = "x"'
    record bob opt05_multiblock crashed null
    mkdir -p "$dir/logs/alice" "$dir/logs/bob"
    { echo 'nvcc -O3 something'; for i in {1..40}; do echo "$dir/labs/opt05_multiblock/opt_2dhisto.cu:$i: error: expected <b>"; done; } \
        >"$dir/logs/alice/opt05_multiblock.log"
    { printf '%s\n' '--- check (edges, 47 x 1301)' '--- call 1'; printf '\033[31mred\033[0m \xff\xfe </pre><script>%0500d\n' 7; seq 100; } >"$dir/logs/bob/opt05_multiblock.log"
    "$class/feedback" "$dir"
    [ "$(grep -c 'error: expected' "$dir/feedback/alice.txt")" -eq 3 ]
    grep -F '  opt_2dhisto.cu:1: error: expected <b>' "$dir/feedback/alice.txt"
    grep -qx '  and more' "$dir/feedback/alice.txt"
    grep -F 'opt_2dhisto.cu:1: error: expected &lt;b&gt;' "$dir/feedback/alice.md"
    grep -F 'It printed, in the check (edges, 47 x 1301), call 1:' "$dir/feedback/bob.txt"
    grep -F 'and 81 more lines' "$dir/feedback/bob.txt"
    [[ $(<"$dir/feedback/bob.txt") == *$'\n      18\n      19\n\n'* && $(grep -c '<pre>' "$dir/feedback/bob.html") -eq 1 ]]
    run ! grep -x '    50' "$dir/feedback/bob.txt"
    run ! env LC_ALL=C grep -P '[\x00-\x09\x0b-\x1f\x80-\xff]' "$dir/feedback/bob.txt"
    run ! grep -F '<script>' "$dir/feedback/bob.md"
    [ "$(wc -c <"$dir/feedback/bob.txt")" -lt 3000 ]
}

@test "feedback: on the cpu device no time" {
    record '' opt05_multiblock pass null '.device.kind = "cpu"'
    record alice opt05_multiblock pass null '.device.kind = "cpu"'
    run "$class/feedback" "$dir"
    [ "$status" -eq 0 ]
    grep -F '6 of 6 points' "$dir/feedback/alice.txt"
    grep -F 'not measured' "$dir/feedback/alice.txt"
    run ! grep -F 'us a call (' "$dir/feedback/alice.txt"
}

# Of the last version before 1.0.0, graded in earnest: five students on the cpu device.
@test "a class that an older version graded: all is read, and its points by other rules are told where they are computed" {
    cp tests/fixtures/class-0.9.jsonl "$results"
    printf '* correct=6 speed=4 full=1.2 none=10 predicted=1 hazard=2\n' >"$RUBRIC"
    told="$results: graded by histolab 0.9.0+gbd46f2b; these points are by the rules of $(sed 's/+.*//' VERSION), and may differ: compare them with its grade book"
    run -0 --separate-stderr "$class/points" "$dir"
    [[ $stderr == "$told "* && ${#stderr_lines[@]} == 1 ]]
    [ "$(grep -oE '^[a-z]+ +[0-9]+ of' <<<"$output" | tr -s ' ')" = "$(printf '%s of\n' 'alice 10' 'bob 0' 'carol 0' 'dave 0' 'eve 0')" ]
    run -0 --separate-stderr "$class/export" csv "$dir"
    [[ $stderr == *"$told"* ]]
    run -0 --separate-stderr "$class/pages" "$dir"
    [[ $stderr == "$told "* && ${#stderr_lines[@]} == 1 ]]
    grep -F 'race-in-block' "$dir/feedback/carol.txt"
    # Of this version there is nothing to tell.
    rm -r "$dir/exports"
    sed -i "s/0[.]9[.]0+gbd46f2b/$(<VERSION)/" "$results"
    run -0 --separate-stderr "$class/points" "$dir"
    [ -z "$stderr" ]
}

@test "what is stale is told or refused: whose points changed, grade books of before, an assignment that was edited since" {
    ours
    record bob opt05_multiblock pass 0.1
    [ -z "$("$class/points" --changes "$dir")" ] # from here on
    record bob opt05_multiblock wrong null
    run -0 "$class/points" --changes "$dir"
    [[ $output == 'bob opt05_multiblock: 0 of 10, was 10 of 10: 0 of 6 for the answer (wrong)'* ]]
    sed -E 's/^[^ ]+Z [^ ]+: //' "$dir/history" | diff - <(printf '%s\n' "$output") # whoever asks: no grading says it again
    [ -z "$("$class/points" --changes "$dir")" ]
    mkdir "$dir/exports"
    touch -d '1 hour ago' "$dir/exports/canvas.csv"
    run -0 "$class/points" "$dir"
    [[ $output == *"exports was written before $results changed: class/export writes it anew"* ]]
    touch "$dir/exports/canvas.csv"
    run -0 "$class/points" "$dir"
    [[ $output != *'written before'* ]]
    echo 'title A' >"$BATS_TEST_TMPDIR/lab"
    cp "$BATS_TEST_TMPDIR/lab" "$dir/assignment"
    (cd "$root" && . class/view.sh && note_original "$BATS_TEST_TMPDIR/lab") >>"$dir/assignment"
    touch "$dir/exports/canvas.csv"
    "$class/points" "$dir"
    echo 'title B' >"$BATS_TEST_TMPDIR/lab"
    run -2 "$class/points" "$dir"
    [[ $output == *"/lab has changed since $dir/assignment was copied from it: ./grade.sh as before, with --assignment $BATS_TEST_TMPDIR/lab, "* ]]
    sed -i '$d' "$dir/assignment" # this one is meant
    "$class/points" "$dir"
}

@test "a term of three assignments: each total is as computed plainly, with lateness, groups, extensions, regrades and rulings" {
    unset LABS RUBRIC
    run -0 "$root/tests/course" 20 "$BATS_TEST_TMPDIR/course"
    [[ ${lines[-1]} == '60 grades, '*' 0 not as computed plainly' ]]
    [[ ${lines[-2]} == 'To look at: '*' fit nobody: 0' ]]
    # A point more by hand is seen.
    echo 'adjust s002 opt02 +0.5 for the test' >>"$BATS_TEST_TMPDIR/course/A/assignment"
    "$class/export" csv "$BATS_TEST_TMPDIR/course/A" || [ $? -eq 1 ]
    run -1 "$BATS_TEST_TMPDIR/course/course" check "$BATS_TEST_TMPDIR/course" 20
}
