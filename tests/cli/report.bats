#!/usr/bin/env bats
# The reporting commands, over made-up records (tests/fixtures/report-*.jsonl: no GPU ever measured
# them, and their device says so).

load failed
bats_require_minimum_version 1.5.0 # run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    report=$root/report
    fixtures=$root/tests/fixtures
    work=$BATS_TEST_TMPDIR
    # Steps of our own, so that the texts under labs/ may change without breaking these tests.
    export LABS=$work/labs RECORDED=$work/recorded README=$work/README.md
    mkdir -p "$LABS/opt01_single_thread" "$LABS/opt02_one_block" "$RECORDED"
    printf 'title: Single thread\nidea: One.\ngtx680: 7720\nbuilds-on: none\n' >"$LABS/opt01_single_thread/step.md"
    printf 'title: One block\nidea: Two.\ngtx680: 38.807\nbuilds-on: opt01_single_thread\n\n## Goal\nUse `#`, *all* threads\n\n```\n# not a heading\n```\n\n## Time spent\n6 hours\n' \
        >"$LABS/opt02_one_block/step.md"
    printf 'int line = 1; // ```\n' >"$LABS/opt02_one_block/opt_2dhisto.cu"
    unset NO_COLOR
}

# The journal's text, in a tenth of the time: without gnuplot and pandoc.
journal() {
    local tool
    mkdir -p "$BATS_FILE_TMPDIR/tools"
    for tool in bash env awk diff sed sort mktemp mkdir rm sha256sum; do
        [[ -e $BATS_FILE_TMPDIR/tools/$tool ]] || ln -s "$(command -v "$tool")" "$BATS_FILE_TMPDIR/tools/$tool"
    done
    PATH=$BATS_FILE_TMPDIR/tools "$report/journal" "$@"
}

needs() {
    command -v "$1" >/dev/null 2>&1 || skip "$1 is not installed"
}

# One record: record STEP VERDICT DETAIL_AS_JSON
record() {
    printf '{"submission":"","step":"%s","kind":"step","problem":"opt_2dhisto","input":"walk","rows":4096,"columns":3984,"verdict":"%s","detail":%s,"device":{"kind":"gpu","name":"Test GPU (made up)","spec_gbps":4917},"iterations":1000,"calls":1000,"scaled":false,"samples_s":[0.5,0.5],"median_s":0.5,"ci95_s":[0.5,0.5],"reference_s":10,"speedup":20,"bytes":65273856,"gbps":130.5,"roof_gbps":3980,"roof_fraction":0.0328,"seed":"1","source_sha256":"00","when":"2026-01-01T00:00:00Z"}\n' "$@"
}

# ---- what a step printed ----------------------------------------------------------------------

# printed VERDICT: what report/one-step shows of $work/log.
printed() {
    record opt02_one_block "$1" '"x"' >"$work/r.jsonl"
    LOG=$work/log "$report/one-step" opt02_one_block "$work/r.jsonl" | sed -n '/It printed/,/^$/p'
}

@test "an error that the linker reports twice is shown once" {
    printf '%s\n' {,}"call.c:10: undefined reference to \`opt_2dhisto_teardown'" "call.c:4: undefined reference to \`opt_2dhisto'" >"$work/log"
    record opt02_one_block build-failed '""' >"$work/r.jsonl"
    LOG=$work/log run -0 "$report/one-step" opt02_one_block "$work/r.jsonl"
    [[ ${lines[0]} == *teardown\' && ${lines[1]} == *"to \`opt_2dhisto'" ]]
}

@test "what a step printed: 20 lines of the trial that made the verdict, made harmless, and how many more there are" {
    {
        printf '%s\n' 'evidence: its own printf' '--- check (edges, 3 x 5)' '--- set-up' 'emulator: a message' begins
        printf '%s\n' '--- call 0' $'\e[31mred\tblue' '--- call 1' later '--- graded (walk, 7 x 9)' '--- call 0'
        printf 'line %s\n' {1..19} "$(printf '%0500d' 0)" {21..26}
        printf '%s\n' '--- 1000 more lines were printed, and not kept' '--- counted' 'not this'
    } >"$work/log"
    run printed wrong
    [[ ${lines[0]} == "    It printed, in the graded (walk, 7 x 9), call 0:" && ${lines[1]} == "        line 1" ]]
    [[ ${lines[20]} =~ ^\ {8}line\ 0+~$ && ${#lines[20]} -eq 78 ]]
    [[ ${lines[*]:21} == "    See "*"log for 1006 more lines and what "* ]]
    run printed pass
    [[ ${lines[0]} == "    It printed, in the check (edges, 3 x 5), set-up:" && ${lines[1]} == "        begins" ]]
    [[ ${lines[*]:2} == "    See "*"log for 2 more lines and what "* ]]
    printf '%s\n' '--- check (edges, 3 x 5)' '--- call 0' once '--- graded (walk, 7 x 9)' '--- call 0' twice >"$work/log"
    run printed wrong
    [[ ${lines[2]} == "    See log for what it printed in other runs" ]]
}

@test "what a step printed: nothing where it printed nothing" {
    printf 'evidence: its own printf\n--- counted\nit did not pass there\n' >"$work/log"
    run printed wrong
    [ -z "$output" ]
    printf '%s\n' '--- check (edges, 3 x 5)' '--- call 0' 'emulator: a read out of bounds' >"$work/log"
    run printed crashed
    [ -z "$output" ]
    printf '%s\n' '--- graded (walk, 7 x 9)' '--- call 0' 'its own' >>"$work/log"
    run printed wrong
    [[ ${lines[0]} == "    It printed, in the graded (walk, 7 x 9), call 0:" && ${lines[1]} == "        its own" && ${#lines[@]} -eq 2 ]]
}

# ---- table -----------------------------------------------------------------------------------

@test "table: a passing ladder, with its machine, roofs, times and count" {
    run "$report/table" "$fixtures/report-passing.jsonl"
    [ "$status" -eq 0 ]
    [[ "$output" == *"Test GPU (made up), driver 000.00, 132 multiprocessors"* ]]
    [[ "$output" == *"13.28 us a call at 4917 GB/s, as its makers say"* ]]
    [[ "$output" == *"16.40 us a call at 3980 GB/s, the fastest read measured"* ]]
    [[ "$output" =~ opt05_multiblock\ +pass\ +35\.01\ +328x\ +1865\ +46\.8 ]]
    [ "${lines[-1]}" = "11 of 11 steps passed" ]
}

@test "table: at 0.0016 % of the roof a step is not faster than reading everything" {
    record opt02_one_block pass '""' | sed 's/"roof_fraction":[^,]*/"roof_fraction":1.6e-05/' >"$work/r.jsonl"
    record opt02_one_block pass '""' | sed 's/"roof_fraction":[^,]*/"roof_fraction":1.03/' >"$work/fast.jsonl"
    run -0 "$report/table" "$work/r.jsonl"
    [[ "$output" == *" 0.0016"* && "$output" != *"faster than reading"* ]]
    run -0 "$report/table" "$work/fast.jsonl"
    [[ "$output" == *"note: faster than reading everything: its step.md gives no reason"* ]]
}

@test "table: a time scaled up from fewer calls is marked, others are not" {
    run "$report/table" "$fixtures/report-passing.jsonl"
    [[ "$output" =~ opt01_single_thread\ +pass\ +1204[0-9.]*\* ]]
    [ "$(grep -c '[0-9]\*' <<<"$output")" -eq 1 ]
    [[ "$output" == *"* too slow for 1000 calls"* ]]
}

@test "table: baselines stand apart and do not count as steps" {
    run "$report/table" "$fixtures/report-passing.jsonl"
    [[ "$output" =~ opt11.*"Baseline (not a step)".*cub ]]
    run "$report/table" "$fixtures/report-other-machine.jsonl"
    [[ "$output" != *Baseline* ]]
}

@test "table: reads and baselines that know neither reference nor roof are held against the run's" {
    run "$report/table" "$fixtures/report-passing.jsonl"
    [[ "$output" =~ read\ +pass\ +16\.41\ +70[01]x\ +3978\ +99\.[0-9] ]]
}

@test "table: every verdict, with its detail below, in 100 columns" {
    run "$report/table" "$fixtures/report-verdicts.jsonl"
    [ "$status" -eq 0 ]
    for verdict in wrong build-failed no-device-code launch-failed crashed timed-out nondeterministic \
        flagged missing harness-error hazard no-kernel; do
        [[ "$output" == *" $verdict "* ]]
    done
    [[ "$output" == *"3 and 4 — a race?"* ]]
    [ "${lines[-1]}" = "1 of 13 steps passed" ]
    LC_ALL=C.UTF-8 # columns, not bytes
    while IFS= read -r line; do
        [ "${#line}" -le 100 ]
    done <<<"$output"
}

@test "table: a record that knows neither device nor input joins the rest of its submission" {
    run "$report/table" "$fixtures/report-verdicts.jsonl"
    [ "$(grep -c '^Device' <<<"$output")" -eq 1 ]
}

@test "table: a wrong answer has no speed" {
    record opt02_one_block wrong '"bin 3"' >"$work/r.jsonl"
    run "$report/table" "$work/r.jsonl"
    [[ "$output" =~ opt02_one_block\ +wrong\ +-\ +-\ +-\ +- ]]
    [[ "$output" != *0.5000* ]]
}

@test "table: the cpu device says 'not measured', never a number" {
    run "$report/table" "$fixtures/report-cpu.jsonl"
    [ "$status" -eq 0 ]
    [[ $output =~ opt05_multiblock\ +[a-z-]+$'\n' && $output != *us/call* ]]
    [[ "$output" == *"checks correctness and not speed"* ]]
    [[ "$output" != *0.000* ]]
    [[ "$output" != *"0 multiprocessors"* ]]
    [ "${lines[-1]}" = "10 of 11 steps passed" ]
}

@test "table: an emulated time is not shown, even if a record holds one" {
    record opt02_one_block pass '""' | sed 's/"kind":"gpu"/"kind":"cpu","driver":"none"/; s/"bytes":[0-9]*/"bytes":2/' >"$work/r.jsonl"
    run "$report/table" "$work/r.jsonl"
    [[ "$output" != *0.5000* && "$output" != *driver* && "$output" == *", 2 bytes a call"* ]]
    [[ "$output" == *"checks correctness and not speed"* ]]
}

@test "table: of several records of one step the last counts" {
    run "$report/table" "$fixtures/report-again.jsonl"
    [[ "$output" != *"first attempt"* ]]
    [ "${lines[-1]}" = "1 of 1 steps passed" ]
}

@test "table: a step with one failing input has not passed" {
    { record opt02_one_block pass '""'; record opt02_one_block wrong '"x"' | sed 's/"walk"/"one"/'; } >"$work/r.jsonl"
    run "$report/table" "$work/r.jsonl"
    [ "${lines[-1]}" = "0 of 1 steps passed" ]
}

@test "table: each submission has a table of its own" {
    run "$report/table" "$fixtures/report-class.jsonl"
    [[ "$output" == *"alice: opt_2dhisto, input"* ]]
    [[ "$output" == *"bob <b>|: opt_2dhisto, input"* ]]
    [ "${lines[-1]}" = "1 of 2 steps passed" ]
}

@test "table: text that looks like a field is text" {
    record opt02_one_block crashed '"\"median_s\":9,\"step\":\"opt99\" C:\\new\\ gr\u00f6\u00dfer \ud83d\ude00"' >"$work/r.jsonl"
    run "$report/table" "$work/r.jsonl"
    [ "$status" -eq 0 ]
    [[ "$output" == *'"median_s":9,"step":"opt99" C:\new\ größer 😀'* ]]
    [[ "$output" =~ opt02_one_block\ +crashed ]]
}

@test "table: what a submission printed cannot drive the terminal" {
    record opt02_one_block crashed '"a\u001b[31mb\u0007c"' >"$work/r.jsonl"
    run "$report/table" "$work/r.jsonl"
    [[ "$output" != *$'\033'* ]]
    [[ "$output" == *"a [31mb c"* ]]
}

@test "table: an empty file is an error that says what to do" {
    run "$report/table" "$fixtures/report-empty.jsonl"
    [ "$status" -eq 2 ]
    [[ "$output" == *"holds no records"*"make grade"* ]]
}

@test "table, results.md, messages: opt's ladder comes first, the others as common/problems/*/order says, those without a place last" {
    for problem in opt_byte_other opt_sum opt_texthisto opt_bytehisto opt_2dhisto; do
        record "${problem#opt_}01" pass '""' | sed "s/opt_2dhisto/$problem/"
    done >"$work/r.jsonl"
    in_order='opt_2dhisto opt_bytehisto opt_texthisto opt_sum opt_byte_other'
    run -0 "$report/table" "$work/r.jsonl"
    [ "$(sed -n 's/^Input: \([a-z0-9_]*\).*/\1/p' <<<"$output" | paste -sd ' ')" = "$in_order" ]
    cp "$work/r.jsonl" "$RECORDED/test-gpu.jsonl"
    "$report/machines"
    [ "$(sed -n 's/^## \([a-z0-9_]*\), input.*/\1/p' "$RECORDED/results.md" | paste -sd ' ')" = "$in_order" ]
    run -2 "$root/desk/ladder" nothing
    [[ $output == *"there is no ladder 'nothing': opt byte text sum"* ]]
}

@test "table: a missing file is an error that names it" {
    run "$report/table" "$work/none.jsonl"
    [ "$status" -eq 2 ]
    [[ "$output" == *"$work/none.jsonl"* ]]
}

@test "every command: a broken line is one error with file and line, exit 2, and the other records are shown" {
    run -2 --separate-stderr "$report/table" "$fixtures/report-broken.jsonl"
    # shellcheck disable=SC2154  # set by run
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
    [[ "$stderr" == *"report-broken.jsonl:2: not a record"* ]]
    [[ "$output" == *opt01_single_thread* ]]
    run journal "$fixtures/report-broken.jsonl" "$work/out"
    [ "$status" -eq 2 ]
    [[ "$output" == *"report-broken.jsonl:2: not a record"* ]]
    grep -q opt01_single_thread "$work/out/journal.md"
    run -2 "$report/keep" "$fixtures/report-broken.jsonl" # what is recorded is whole
}

@test "table: lines that are no record are refused" {
    for line in 'null' '{"step":"a"' '{"step":"a"}}' '{"step":}' '{"step":"a","x":[1,]}' '{"x":1}' \
        '{"step":"a","x":nan}' '{"step":"a",}' 'opt01 passed'; do
        printf '%s\n' "$line" >"$work/r.jsonl"
        run "$report/table" "$work/r.jsonl"
        [ "$status" -eq 2 ]
        [[ "$output" == *"r.jsonl:1: not a record"* ]]
    done
}

@test "every command has --help" {
    for command in table plot index journal machines accuracy; do
        run "$report/$command" --help
        [ "$status" -eq 0 ]
        [[ "${lines[0]}" == "Usage: report/$command"* ]]
        [[ "$output" == *"Exit status"* ]]
    done
}

# ---- plot ------------------------------------------------------------------------------------

@test "plot: every chart that the records suffice for" {
    needs gnuplot
    run "$report/plot" "$fixtures/report-inputs.jsonl" "$work/charts"
    [ "$status" -eq 0 ]
    grep -q 'Test GPU (made up), 2026-01-01' "$work/charts/speedup.svg"
}

@test "plot: each SVG is valid, and says in its title what it shows" {
    needs gnuplot
    sed 's/Test GPU (made up)/A \&\& <b> GPU/' "$fixtures/report-inputs.jsonl" >"$work/r.jsonl"
    run -0 "$report/plot" "$work/r.jsonl" "$work/charts"
    run ! grep -qi '<title>gnuplot\|produced by' "$work/charts/speedup.svg"
    ! command -v xmllint >/dev/null || xmllint --noout "$work/charts/speedup.svg"
    grep -q 'opt_2dhisto, input walk, A .*GPU, 2026-01-01' "$work/charts/speedup.svg"
    grep -q '>the roof of latency: that read, waited for<' "$work/charts/speedup.svg"
}

@test "plot: a failed step shows its verdict" {
    needs gnuplot
    run "$report/plot" "$fixtures/report-verdicts.jsonl" "$work/charts"
    [ "$status" -eq 0 ]
    grep -q 'timed-out' "$work/charts/speedup.svg"
}

@test "plot: without a reference there is no speedup to draw, and no failure" {
    needs gnuplot
    record opt02_one_block pass '""' | sed 's/"reference_s":10/"reference_s":null/' >"$work/r.jsonl"
    run -0 "$report/plot" "$work/r.jsonl" "$work/charts"
    [ ! -e "$work/charts/speedup.svg" ]
}

@test "plot: without times of a GPU the predicted ones, over the slowest step; title, key and labels say that they are not measured" {
    needs gnuplot
    run -0 "$report/plot" "$fixtures/report-predicted.jsonl" "$work/charts"
    grep -q 'Speedup over the slowest step, and share of the roof; predicted, not measured' "$work/charts/speedup.svg"
    grep -q 'input walk, 4096 x 3984, predicted for h200, not measured' "$work/charts/speedup.svg"
    grep -q 'its 90 % interval' "$work/charts/speedup.svg"
    [ "$(grep -c '>~[0-9.]*<' "$work/charts/speedup.svg")" -eq 20 ] # a speedup and a share of the roof
    grep -q '>~1.00<' "$work/charts/speedup.svg"
    # Those that can be compared with the first.
    sed '2s/"counted":{"gpu":"h200","rows":4096/"counted":{"gpu":"h200","rows":512/' "$fixtures/report-predicted.jsonl" >"$work/r.jsonl"
    run -0 "$report/plot" "$work/r.jsonl" "$work/charts"
    run ! grep -q opt02 "$work/charts/speedup.svg"
    # A measured time stands alone.
    record opt02_one_block pass '""' | cat "$fixtures/report-predicted.jsonl" - >"$work/r.jsonl"
    run -0 "$report/plot" "$work/r.jsonl" "$work/charts"
    run ! grep -qE 'predicted|>~' "$work/charts/speedup.svg"
}

@test "journal: a predicted time has a tilde and stands in no column of measured ones, here and in a table" {
    run -0 journal "$fixtures/report-predicted.jsonl" "$work/out"
    grep -qx '| opt02_one_block | pass | \\~8526 | latency |' "$work/out/journal.md"
    grep -q '^- Predicted for h200, 4096 x 3984, not measured: .*; from source$' "$work/out/journal.md"
    run "$report/table" "$fixtures/report-predicted.jsonl"
    [[ $output == *'Times with a tilde are'*'predicted for h200, not measured'* && $output == *' ~8526'* ]]
    run ! grep -wE '(^|[^~])8526|8[.]53|0[.]0085' <<<"$output"
}

@test "plot: nothing measured and nothing predicted is said in one line; no chart of before stays" {
    needs gnuplot
    mkdir "$work/charts" && touch "$work/charts/speedup.svg"
    run -0 "$report/plot" "$fixtures/report-cpu.jsonl" "$work/charts"
    [ "$output" = "No charts: there are no times, measured or predicted." ]
    [ ! -e "$work/charts/speedup.svg" ]
}

@test "index: a page of charts and tables, each with a sentence, that needs nothing but what lies beside it" {
    { cat "$fixtures/report-inputs.jsonl"; record opt12_mine wrong '"<b>bin</b> & 3"'; record opt13_mine not-started '""'; record opt14_mine not-started '""'; } >"$work/r.jsonl"
    run -0 "$report/index" "$work/r.jsonl" "$work/out"
    [ "${lines[-1]}" = "Page: $work/out/index.html" ]
    page=$work/out/index.html
    [ "$(grep -c '<table>' "$page")" -eq 8 ] # of four inputs, steps and baselines
    [ "$(grep -c '<td>opt11_packed_reads</td><td>.*> pass</span></td><td class="right">1[89][.]' "$page")" -eq 4 ]
    grep -q '&lt;b&gt;bin&lt;/b&gt; &amp; 3' "$page"
    grep -q '<p>Not started: opt13 opt14.</p>' "$page"
    grep -q '<p>11 of 14 steps passed, 2 not started[.]<' "$page"
    grep -q '<p>✓ opt01  ' "$page"
    grep -q '<li><b>Device:</b> Test GPU (made up), driver 000.00, 132 multiprocessors' "$page"
    run ! grep -q 'http' "$page"
    if command -v xmllint >/dev/null; then # it knows no <figure>
        wrong=$(xmllint --html --noout "$page" 2>&1 | grep error | grep -v 'Tag fig[a-z]* invalid' || true)
        [ -z "$wrong" ]
    fi
    needs gnuplot
    [ "$(grep -c '^<figure>' "$page")" -eq 1 ]
    [ "$(grep -c '^<figcaption>opt_2dhisto: Each step' "$page")" -eq 1 ]
    grep -o 'src="[^"]*"' "$page" | cut -d '"' -f 2 | while read -r chart; do [ -s "$work/out/$chart" ]; done
}

@test "index, table: a step that is wrong on two inputs, as intended, is one" {
    for input in walk one; do record opt02_one_block wrong '"x"' | sed "s/\"walk\"/\"$input\"/; s/^{/{\"intended\":\"wrong\",/"; done >"$work/r.jsonl"
    run -0 "$report/table" "$work/r.jsonl"
    [ "${lines[-1]}" = '1 of 1 steps passed, 1 of them wrong as intended' ]
    run -0 "$report/index" "$work/r.jsonl" "$work/out"
    grep -q '<p>1 of 1 steps passed, 1 of them wrong as intended[.]<' "$work/out/index.html"
    run ! grep multiprocessors "$work/out/index.html" # the records do not know how many
}

@test "index: on the cpu device it says that times are predicted" {
    needs gnuplot
    run -0 "$report/index" "$fixtures/report-predicted.jsonl" "$work/out"
    grep -q 'Times with a tilde are predicted for h200, not measured' "$work/out/index.html"
    grep -q '<td>opt02_one_block</td><td>.*> pass</span></td><td class="right">~8526</td>' "$work/out/index.html"
    grep -q '<figcaption>opt_2dhisto: ' "$work/out/index.html"
}

@test "plot: names that are too long for a chart are cut, and end in a tilde" {
    needs gnuplot
    sed 's/opt01_single_thread/opt01_a_name_of_a_step_that_is_quite_long/; s/Test GPU (made up)/A GPU with a name of more than forty letters/
        s/"submission":""/"submission":"a_student_of_more_than_24_letters"/' "$fixtures/report-passing.jsonl" >"$work/r.jsonl"
    run -0 "$report/plot" "$work/r.jsonl" "$work/charts"
    grep -q '>opt01_a_name_of_a_step_that~<' "$work/charts/speedup.svg"
    grep -q '>a_student_of_more_than_~: opt_2dhisto, input walk, A GPU with a name of more than forty le~, 2026-01-01' "$work/charts/speedup.svg"
}

@test "plot: quotes in a device's name cannot break the gnuplot script" {
    needs gnuplot
    record opt02_one_block pass '""' | sed "s/Test GPU (made up)/It's \\\\\"a\\\\\" \\\\\\\\ GPU; exit/" >"$work/r.jsonl"
    grep -q "It's" "$work/r.jsonl"
    run "$report/plot" "$work/r.jsonl" "$work/charts"
    [ "$status" -eq 0 ]
    [ -s "$work/charts/speedup.svg" ]
}

@test "plot, index, journal: one's attempts at the desk, a chart of each ladder: a right answer's time, else the verdict" {
    needs gnuplot
    mkdir -p "$work/results/desk"
    cp "$fixtures/report-passing.jsonl" "$work/results/results.jsonl"
    jq -c 'select(.step == "opt02_one_block") | .when = "2026-01-0\(1, 2, 3)T08:00:00Z" | if .when > "2026-01-03" then . else .verdict = "wrong" end' \
        "$fixtures/report-passing.jsonl" >"$work/results/desk/history.jsonl"
    run -0 "$report/index" "$work/results/results.jsonl" "$work/results"
    grep -q '<img src="attempts.svg" alt="opt_2dhisto: Your attempts in their order' "$work/results/index.html"
    xmllint --noout "$work/results/attempts.svg"
    grep -q '>opt_2dhisto: 3 attempts, 2026-01-01 to 2026-01-03<' "$work/results/attempts.svg"
    # The key, a time, and two verdicts in the row of that word.
    for word in opt02 wrong 10000; do grep -q ">$word<" "$work/results/attempts.svg"; done
    [ "$(grep -c "<use xlink:href='#gpPt6'.*rgb(  0, 114, 178)" "$work/results/attempts.svg")" -eq 4 ]
    run -0 "$report/journal" "$work/results" "$work/out"
    grep -q '(charts/attempts.svg)' "$work/out/journal.md"
    # Predicted ones are hollow, as the title says. Of many the last 40.
    jq -c 'select(.step == "opt02_one_block") | range(50) as $i | .' "$fixtures/report-predicted.jsonl" >"$work/results/desk/history.jsonl"
    run -0 "$report/plot" "$work/results/results.jsonl" "$work/results"
    grep -q '>opt_2dhisto: the last 40 attempts, 2026-01-01; hollow: predicted, not measured<' "$work/results/attempts.svg"
    # Where no attempt has a time, the chart has verdicts alone.
    sed -i 's/"pass"/"wrong"/' "$work/results/desk/history.jsonl"
    run -0 "$report/plot" "$work/results/results.jsonl" "$work/results"
    run ! grep -q 'us a call' "$work/results/attempts.svg"
    # Without a history no chart of before stays.
    rm "$work/results/desk/history.jsonl"
    run -0 "$report/plot" "$work/results/results.jsonl" "$work/results"
    [ ! -e "$work/results/attempts.svg" ]
}

@test "plot: without gnuplot one line says what draws the charts later, for whichever view was asked for" {
    mkdir "$work/bin"
    for tool in bash awk sed mktemp mkdir rm sort cat sha256sum; do
        ln -s "$(command -v "$tool")" "$work/bin/$tool"
    done
    PATH=$work/bin run -0 "$report/plot" "$fixtures/report-passing.jsonl" "$work/charts"
    [[ ${#lines[@]} -eq 1 && $output == *"gnuplot is not installed"*"apt-get install gnuplot-nox"*"make plots"* ]]
    PATH=$work/bin run -0 "$report/journal" "$fixtures/report-passing.jsonl" "$work/out"
    [[ $output == "No charts: "*"make plots"*"Journal: $work/out/journal.md"* ]]
    PATH=$work/bin run -0 "$report/index" "$fixtures/report-passing.jsonl" "$work/out"
    [[ ${lines[0]} == "No charts: "*"make plots"* && -s $work/out/index.html ]]
}

# ---- journal ---------------------------------------------------------------------------------

@test "journal: the student's words, the results, the source and the original's figure" {
    before=$(cat "$LABS"/*/* | cksum)
    run journal "$fixtures/report-passing.jsonl" "$work/out"
    [ "$status" -eq 0 ]
    journal=$(cat "$work/out/journal.md")
    [[ "$journal" == *'### Goal'$'\n''Use `#`, *all* threads'* ]]
    [[ "$journal" == *$'```\n# not a heading\n```'* ]]
    [[ "$journal" == *"65.27 MB a call"*"13.28 us a call at 4917 GB/s"* ]]
    [[ "$journal" == *"NVIDIA GeForce GTX 680: 38.807 seconds, 0.285x"* ]]
    [[ "$journal" == *"over the step before: 127x"* ]]
    [[ "$journal" == *'int line = 1; // ```'* ]]
    [[ "$journal" == *"source has changed since"* ]]
    [ "$(cat "$LABS"/*/* | cksum)" = "$before" ]
}

@test "journal: a source that is the measured one is not called changed, and what came of another later does not count" {
    sum=$(sha256sum <"$LABS/opt02_one_block/opt_2dhisto.cu")
    record opt02_one_block pass '""' | sed "s/\"source_sha256\":\"00\"/\"source_sha256\":\"${sum%% *}\"/" >"$work/r.jsonl"
    record opt02_one_block wrong '""' >>"$work/r.jsonl"
    run journal "$work/r.jsonl" "$work/out"
    [ "$status" -eq 0 ]
    run ! grep -q 'has changed\|wrong' "$work/out/journal.md"
}

@test "journal: the first source stands whole, and of the next what changes" {
    seq 20 | sed 's/.*/int line_&;/' >"$LABS/opt01_single_thread/opt_2dhisto.cu"
    sed 's/line_9;/nine;/' "$LABS/opt01_single_thread/opt_2dhisto.cu" >"$LABS/opt02_one_block/opt_2dhisto.cu"
    { record opt01_single_thread pass '""'; record opt02_one_block pass '""'; } >"$work/r.jsonl"
    run -0 journal "$work/r.jsonl" "$work/out"
    [ "$(grep -c '^int line_' "$work/out/journal.md")" = 20 ]
    [ "$(grep -x '@@\|[-+ ]int .*' "$work/out/journal.md" | xargs)" = \
        "@@ int line_6; int line_7; int line_8; -int line_9; +int nine; int line_10; int line_11; int line_12;" ]
}

@test "journal: an HTML page where pandoc is installed" {
    needs pandoc
    run "$report/journal" "$fixtures/report-passing.jsonl" "$work/out"
    [ "$status" -eq 0 ]
    grep -q '<h2.*One block' "$work/out/journal.html"
    [ "$(grep -c '<a href="#optimization-' "$work/out/journal.html")" -eq 11 ] # the contents
    grep -q 'figcaption.*Each step.*s speedup, and its share' "$work/out/journal.html" || ! command -v gnuplot
    # A name of any letters, in a folder of such a name, wherever the caller's locale has none of them.
    sed 's/"submission":""/"submission":"größe_x*y"/' "$fixtures/report-passing.jsonl" >"$work/named.jsonl"
    mkdir "$work/weiß"
    ln -s "$root"/{build,common,report} "$work/weiß"
    LC_ALL=C run -0 "$work/weiß/report/journal" "$work/named.jsonl" "$work/out"
    grep -qF '<title>Lab journal: größe_x*y</title>' "$work/out/journal.html"
}

@test "journal: the cpu device has no times" {
    run journal "$fixtures/report-cpu.jsonl" "$work/out"
    [ "$status" -eq 0 ]
    grep -q 'checks correctness and not speed' "$work/out/journal.md"
    run ! grep -q ' us a call' "$work/out/journal.md"
}

# later WHEN SOURCE: of a record, when it was graded and of what.
later() {
    sed "s/2026-01-01T00/$1/; s/\"source_sha256\":\"00\"/\"source_sha256\":\"$2\"/"
}

@test "journal: of a directory it takes each step's newest result, and no other GPU's time in place of this one's" {
    mkdir -p "$work/results"/{desk,other}
    { record opt01_single_thread pass '""'; record opt02_one_block wrong '"stale 1"'; } >"$work/results/results.jsonl"
    record opt02_one_block pass '""' | later 2026-01-02T00 01 | sed 's/"median_s":0.5/"median_s":0.25/' >"$work/results/desk/history.jsonl"
    record opt02_one_block wrong '"stale 2"' | later 2025-12-31T00 01 >"$work/results/other/results.jsonl"
    record opt01_single_thread pass '""' | later 2026-01-03T00 00 | sed 's/Test GPU/Other GPU/; s/"median_s":0.5/"median_s":0.125/' >>"$work/results/other/results.jsonl"
    record opt01_single_thread wrong '"stale 3"' | later 2026-01-04T00 00 | sed 's/"submission":""/"submission":"eve"/' >>"$work/results/other/results.jsonl"
    run -0 journal "$work/results" "$work/out"
    grep -q '^| opt01_single_thread | pass | 500.0 | 20x |' "$work/out/journal.md"
    grep -q '^| opt02_one_block | pass | 250.0 | 40x |' "$work/out/journal.md"
    grep -q 'over the step before: 2.00x' "$work/out/journal.md"
    # Another source: the newest result counts, and its time is of another GPU.
    record opt01_single_thread pass '""' | later 2026-01-05T00 02 | sed 's/Test GPU/Other GPU/; s/"median_s":0.5/"median_s":0.125/' >>"$work/results/desk/history.jsonl"
    run -0 journal "$work/results" "$work/out"
    run ! grep '^| opt01_single_thread' "$work/out/journal.md"
    grep -q '^| opt02_one_block | pass | 250.0 | 40x |' "$work/out/journal.md"
    grep -q 'over the step before: not measured' "$work/out/journal.md"
    grep -qx -e '- Time: not measured on Test GPU (made up) with this source' "$work/out/journal.md"
    run ! grep -q stale "$work/out/journal.md"
    mkdir "$work/empty"
    run -2 journal "$work/empty" "$work/out"
    [[ $output == *'no results yet'* ]]
}

@test "journal: headings without words are left out" {
    printf 'title: One\n\n## Goal\nFast.\n\n## Task\nDo it.\n\n## Difficulties\n\n## What we saw\n<!-- later -->\n(nothing yet)\n' >"$LABS/opt01_single_thread/step.md"
    { record opt01_single_thread pass '""'; record opt02_one_block pass '""'; record opt03_mine not-started '""'; } >"$work/r.jsonl"
    run -0 journal "$work/r.jsonl" "$work/out"
    [ "$(grep -c '^### ' "$work/out/journal.md")" -eq 6 ] # Goal, Results; Goal, Time spent, Results, Source
    run ! grep -qE 'Difficulties|What we saw|nothing yet|Do it|opt03_mine' "$work/out/journal.md"
    grep -qx 'Not started: opt03.' "$work/out/journal.md"
}

@test "journal: the ladders that were begun; nothing is not measured over and over" {
    { record byte01_x not-started '""' | sed 's/opt_2dhisto/opt_bytehisto/'; record sum01_x pass '""' | sed 's/opt_2dhisto/opt_sum/'; record opt01_single_thread pass '""'; record opt02_one_block pass '""'; } |
        sed 's/"kind":"gpu"/"kind":"cpu"/; s/"spec_gbps":4917/"spec_gbps":null/; s/"roof_gbps":3980/"roof_gbps":null/' >"$work/r.jsonl"
    run -0 journal "$work/r.jsonl" "$work/out"
    run ! grep -qiE 'byte01|not measured|Roof:|Reference' "$work/out/journal.md"
    [ "$(grep -E '^# [Lo]|^## Opt' "$work/out/journal.md" | sed 's/:.*//' | paste -sd ,)" = \
        '# Lab journal,# opt_2dhisto,## Optimization 1,## Optimization 2,# opt_sum,## Optimization 1' ]
}

# ---- machines --------------------------------------------------------------------------------

@test "machines: writes what is recorded, is stable, and --check fails when a table is behind, and changes nothing" {
    cp "$fixtures/report-passing.jsonl" "$RECORDED/test-gpu.jsonl"
    run -1 "$report/machines" --check
    [[ "$output" == *"results.md does not show what it should. To do: report/machines"* ]]
    [ ! -e "$RECORDED/results.md" ]
    run -0 "$report/machines"
    grep -qE '^\| opt02_one_block \| pass \| 9473 \| 1\.2x \|' "$RECORDED/results.md"
    run -0 "$report/machines" --check
}

# ---- keep --------------------------------------------------------------------------------------

@test "keep: what is new replaces what was recorded of it, the rest stays as it was" {
    record opt02_one_block pass '"old"' >"$RECORDED/test-gpu-made-up-.jsonl"
    record opt01_single_thread pass '"stays"' >>"$RECORDED/test-gpu-made-up-.jsonl"
    gzip "$RECORDED/test-gpu-made-up-.jsonl"
    record opt02_one_block pass '"new"' >"$work/r.jsonl"
    run "$report/keep" "$work/r.jsonl"
    [ "$status" -eq 0 ]
    [ "$(gzip -dc "$RECORDED"/*.jsonl.gz | jq -r .detail | paste -sd ' ')" = 'new stays' ]
    grep -q '^| opt02_one_block |' "$RECORDED/results.md"
    [ "$(find "$RECORDED" -name '*.new*' | wc -l)" -eq 0 ]
}

@test "keep: of two GPUs results.md shows the last by name, and machines.md shows both" {
    cp "$fixtures/report-passing.jsonl" "$work/a"
    jq -c '.device.name = "An old GPU" | .roof_gbps = 100 | .roof_fraction = 0.5' "$work/a" >"$work/b"
    jq -c 'select(.step != "opt02_one_block") | .device.name = "New GPU" | .roof_gbps = 9000' "$work/a" >"$work/c"
    run -0 "$report/keep" "$work/c" "$work/b"
    [[ $(<"$RECORDED/results.md") == *"New GPU"* && $(<"$RECORDED/results.md") != *"An old GPU"* ]]
    [[ $(<"$RECORDED/machines.md") == *"New GPU"*"us | step before | % of the roof | An old GPU"*opt01*opt02*opt03* ]] # each in its place
    run -0 "$report/machines" --check
    # A third GPU, which the table does not have yet.
    jq -c '.device.name = "Old GPU"' "$work/a" >"$RECORDED/old.jsonl"
    run -1 "$report/machines" --check
    [[ $output == *"To do: report/machines"* ]]
    "$report/machines"
    [[ $(<"$RECORDED/machines.md") == *"Old GPU"* ]]
}

@test "keep: refuses the emulator, a step that failed, and two GPUs, and changes nothing" {
    for change in 's/"kind":"gpu"/"kind":"cpu"/' 's/"verdict":"pass"/"verdict":"wrong"/' '2s/Test GPU/Other GPU/'; do
        { record opt01_single_thread pass '""'; record opt02_one_block pass '""'; } | sed "$change" >"$work/r.jsonl"
        run "$report/keep" "$work/r.jsonl"
        [ "$status" -eq 1 ]
        [[ "$output" == "keep: not kept: "* ]]
        [ -z "$(ls "$RECORDED")" ]
    done
}

# Another gnuplot sets its letters elsewhere, so words are compared, and not bytes.
@test "charts: the recorded ones say what this tree draws of the recorded results" {
    needs gnuplot
    unset LABS RECORDED
    cd "$root"
    make -s build/report >&2
    report/plot report/recorded/nvidia-h200.jsonl.gz "$work/charts"
    for chart in report/recorded/charts/*.svg; do
        words_of "$chart" >"$work/recorded-words"
        [ "$(wc -l <"$work/recorded-words")" -gt 20 ]
        diff -u "$work/recorded-words" <(words_of "$work/charts/${chart##*/}") ||
            { echo "$chart shows something else than report/plot draws: report/keep draws it again"; return 1; }
    done
    cd report/recorded/evidence
    "$root"/report/accuracy --chart "$work/unseen.svg" unseen-h200-predicted.jsonl.gz unseen-h200.jsonl.gz
    diff -u <(words_of unseen-h200.svg) <(words_of "$work/unseen.svg")
}

words_of() {
    grep -o '>[^<]*[^<[:space:]][^<]*<' "$1"
}
