#!/usr/bin/env bats
# How the judge takes a step's times. The judge is told that it has a GPU and given the emulator's runners, whose calls
# take what a test says, on a clock that nothing else moves: all else is as it is on a GPU.

load failed
bats_require_minimum_version 1.5.0 # run -N

load clock

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    make_clock
}

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    export CALL_US=20
    printf '%s\n' "kind gpu" "name one" "uuid GPU-x" "driver x" "sms 8" "l2_bytes 4096" >"$BATS_TEST_TMPDIR/device"
    printf '%s\n' "device $BATS_TEST_TMPDIR/device" "told $BATS_TEST_TMPDIR/told" >"$BATS_TEST_TMPDIR/run"
    : >"$BATS_TEST_TMPDIR/told"
    built=$BATS_TEST_TMPDIR/built read=$BATS_FILE_TMPDIR/read
    mkdir "$built"
    built_of step
}

# built_of NAME: in $built. Every process of the step leaves a line, but for the check that comes first.
built_of() {
    ln -sf "$BATS_FILE_TMPDIR/$1/runner" "$built/runner-checked"
    runner 'exec "$real"' "$1"
}

# runner LINES [NAME]: the program that is timed; its first line has been written.
runner() {
    printf '#!%s\nreal=%s processes=%s\necho "$$" >>"$processes"\n%s\n' "$(command -v bash)" "$BATS_FILE_TMPDIR/${2-step}/runner" \
        "$BATS_TEST_TMPDIR/processes" "$1" >"$built/runner"
    chmod +x "$built/runner"
}

judge() {
    on_clock build/judge-opt_2dhisto "$BATS_TEST_TMPDIR/run" "$built" --record "$BATS_TEST_TMPDIR/record" --step opt01 --size 1x32 --budget 0.005 "$@"
}

record() { jq -r "$1" "$BATS_TEST_TMPDIR/record"; }

processes() { wc -l <"$BATS_TEST_TMPDIR/processes"; }

@test "ten samples in two rounds, each of their parts in a process of its own" {
    run -0 judge --iterations 40 --budget 0.05
    [ "$(record '[.verdict, .notes, .processes, (.samples_s, .audit_s | length)] | tojson')" = '["pass","",8,10,10]' ]
    [ "$(record '.samples_s + .audit_s + [.overhead_s, .synced_s, .whole_s] | min > 0')" = true ]
    [ "$(record '[.ci95_s[0], .median_s, .ci95_s[1]] | map(. * 1e9 | round) | tojson')" = '[800000,800000,800000]' ]
    [ "$(processes)" = 8 ]
    [[ $(record .machine) == "$(getconf _NPROCESSORS_ONLN) x "* ]]
}

@test "samples that fill no round, and fewer calls where the budget is small" {
    run -0 judge --samples 7
    # Two rounds of four parts; a sample is a seventh of 5 ms.
    [ "$(record '[(.samples_s | length), .iterations, .calls, .scaled, .processes] | tojson')" = '[7,1000,35,true,8]' ]
}

@test "calls of many milliseconds are worth no processes" {
    CALL_US=16000 run -0 judge --samples 2 --iterations 4 --budget 0.01
    [ "$(record '.calls, .scaled, .processes' | xargs)" = "1 true 1" ]
    [ "$(processes)" = 1 ]
}

@test "a call that takes the whole budget is made once, with no synchronized and no whole calls" {
    CALL_US=16000 run -0 judge --samples 7 --iterations 4 --budget 0.0001
    [ "$(record '.calls, (.samples_s, .parts_s | length), .synced_s, .whole_s' | xargs)" = "1 1 1 null null" ]
    [[ $(record .notes) == *"1 of 7 samples, because a call takes "* ]]
}

@test "a step that is slow in its first call alone makes as many calls as any other" {
    FIRST_US=400000 run -0 judge --iterations 40 --samples 2 --budget 0.4
    [ "$(record .calls)" = 40 ]
}

@test "a step is torn down only after calls" {
    # Its tear-down reads events that its calls record, and fails where there was no call.
    built_of itself
    CALL_US=10000 run -0 judge --samples 2 --budget 0.05
    [ "$(record .verdict)" = pass ]
}

@test "a read is taken in one process" {
    built_of read
    CALL_US=5000 run -0 judge --size 1x1024 --kind read --budget 0.05
    [ "$(record '.samples_s | length')" = 10 ]
    [ "$(record .processes) $(processes)" = '1 1' ]
}

# lines NAME: how many lines of that name baselines have told.
lines() { grep -c "^$1 " "$BATS_TEST_TMPDIR/told"; }

read_once() {
    rm -f "$BATS_TEST_TMPDIR/record"
    CALL_US=10000 built=$read run -0 judge --size 1x1024 --kind read --samples 2 --iterations 4 --budget 0.1
}

@test "what baselines show is noted in the file that the run file names, and steps are compared with it" {
    run -0 judge --size 1x1024 --kind reference --iterations 7 --budget 0.2
    [ "$(jq -s -r '.[0].reference_s' "$BATS_TEST_TMPDIR/record")" = "$(sed -n 's/^reference-seconds //p' "$BATS_TEST_TMPDIR/told")" ]
    [ "$(jq -s -r 'map(.kind) | unique | join(" ")' "$BATS_TEST_TMPDIR/record")" = baseline ]
    # Several samples and an interval.
    [ "$(jq -s -r 'map(select((.samples_s | length) == 6 and .ci95_s[0] < .median_s and .median_s < .ci95_s[1]) | .step) | join(" ")' "$BATS_TEST_TMPDIR/record")" = "reference all_cores" ]
    [[ $(jq -r 'select(.step == "all_cores").notes' "$BATS_TEST_TMPDIR/record") == "$(($(nproc) < 256 ? $(nproc) : 256)) threads, "* ]]

    read_once
    [ "$(record .gbps)" = "$(sed -n 's/^roof-gbps //p' "$BATS_TEST_TMPDIR/told")" ]
    [ "$(record .overhead_s)" = "$(sed -n 's/^overhead-seconds //p' "$BATS_TEST_TMPDIR/told")" ]
    [ "$(lines part-overhead-seconds)" = 1 ]
    # A baseline is compared with nothing.
    [ "$(record '[.reference_s, .roof_gbps] | tojson')" = '[null,null]' ]

    rm "$BATS_TEST_TMPDIR/record"
    CALL_US=1000 run -0 judge --samples 1 --iterations 7 --budget 0.05
    [ "$(record '[.reference_s, .roof_gbps] | map(. > 0) | tojson')" = '[true,true]' ]
    [ "$(lines reference-seconds) $(lines roof-gbps) $(lines overhead-seconds)" = "1 1 1" ]

    # Of several reads the fastest is the roof; a slower one leaves no line.
    printf '%s\n' "roof-gbps 1e9" "overhead-seconds 1e5" >>"$BATS_TEST_TMPDIR/told"
    read_once
    [ "$(lines roof-gbps) $(lines overhead-seconds)" = "2 2" ]
}

@test "a read that is wrong sets no roof" {
    runner 'exit 1'
    run -1 judge --size 1x1024 --kind read
    [ ! -s "$BATS_TEST_TMPDIR/told" ]
}

@test "the emulator sets no roof and no reference" {
    sed -i 's/kind gpu/kind cpu/' "$BATS_TEST_TMPDIR/device"
    run -0 judge --kind reference
    [ ! -s "$BATS_TEST_TMPDIR/told" ]
}

@test "a step that goes wrong in a later process is found out" {
    # The first round is right, and a process of the second is gone at once.
    runner '[ "$(wc -l <"$processes")" -le 5 ] || exit 7
exec "$real"'
    run -1 judge --budget 0.05
    [ "$(record .verdict)" = crashed ]
    [[ "$(record .detail)" == *"exit status 7" ]]
    [ "$(record .samples_s)" = null ]
}

@test "a GPU that takes one process at a time has one; on others the check and the graded trial begin together" {
    # Each process notes how many live, itself included.
    runner 'alive=0
for pid in $(cat "$processes"); do kill -0 "$pid" 2>/dev/null && alive=$((alive + 1)); done
echo "$alive" >>"${processes%/*}/alive"
exec "$real"'
    ln -f "$built/runner" "$built/runner-checked"
    # A budget in which calls fit for all parts of a sample.
    run -0 judge --samples 1 --iterations 40 --budget 0.05
    [ "$(sort -n "$BATS_TEST_TMPDIR/alive" | tail -n 1)" -ge 2 ]

    echo "exclusive 1" >>"$BATS_TEST_TMPDIR/device"
    : >"$BATS_TEST_TMPDIR/processes"
    rm "$BATS_TEST_TMPDIR/alive"
    run -0 judge --samples 1 --iterations 40 --budget 0.05
    [ "$(wc -l <"$BATS_TEST_TMPDIR/alive")" -ge 5 ]
    [ "$(sort -u "$BATS_TEST_TMPDIR/alive")" = 1 ]
}

@test "the parts of a round share as many processes as are asked for, and the record says so" {
    local n
    for n in 1 2 3; do
        rm -f "$BATS_TEST_TMPDIR"/{record,processes}
        run -0 judge --samples 5 --processes "$n" --iterations 40 --budget 0.05
        [ "$(record '[.processes, (.samples_s | length)] | tojson')" = "[$n,5]" ]
        [ "$(processes)" = "$n" ]
    done
    rm -f "$BATS_TEST_TMPDIR"/{record,processes} # a second round needs no more
    run -0 judge --samples 10 --processes 1 --iterations 40 --budget 0.05
    [ "$(record '[.processes, (.samples_s | length)] | tojson') $(processes)" = '[1,10] 1' ]
}

@test "a step that fails its check is not timed, and the process that had begun for its samples is gone" {
    rm "$built/runner-checked"
    printf '#!%s\nWRONG=1 exec "%s"\n' "$(command -v bash)" "$BATS_FILE_TMPDIR/step/runner" >"$built/runner-checked"
    chmod +x "$built/runner-checked"
    run -1 judge --samples 1
    [ "$(record .verdict)" = wrong ]
    [[ $(record .detail) == "check ("* ]]
    [ "$(record '.samples_s | length')" = 0 ]
    run ! kill -0 "$(cat "$BATS_TEST_TMPDIR/processes")"
}

# late_in N: of the step's first N graded processes each message comes 20 ms late, more than a sample takes. The device's clock starts
# after that, so the two clocks disagree, as they do where others use all processors.
late_in() {
    runner "[ \"\$(wc -l <\"\$processes\")\" -gt $1 ] || export MESSAGE_US=20000
exec \"\$real\""
    printf '%s\n' "overhead-seconds 1e-4" "part-overhead-seconds 1e-6" >>"$BATS_TEST_TMPDIR/run"
}

@test "where the clocks disagree the step is measured anew, three times at the most, and the last time counts" {
    late_in 1
    run -0 judge --samples 2 --processes 1 --iterations 40 --budget 0.5
    [[ $(record .notes) == *"measured 2 times, because the clocks disagreed before" ]]
    [ "$(processes)" = 2 ]
    [ "$(record '.audit_s | min < 0.02')" = true ]

    rm "$BATS_TEST_TMPDIR"/{record,processes}
    late_in 99
    run -1 judge --samples 2 --processes 1 --iterations 40 --budget 0.5
    [ "$(record .verdict)" = flagged ]
    [[ $(record .notes) == *"measured 3 times"* ]]
    [ "$(record '.audit_s | min >= 0.02')" = true ]
    [ "$(processes)" = 3 ]
}

@test "the checks of a GPU share a process" {
    rm "$built/runner-checked"
    printf '#!%s\necho "$$" >>"%s"\nexec "%s"\n' "$(command -v bash)" "$BATS_TEST_TMPDIR/checks" "$BATS_FILE_TMPDIR/step/runner" >"$built/runner-checked"
    chmod +x "$built/runner-checked"
    run -0 judge --samples 1
    [ "$(wc -l <"$BATS_TEST_TMPDIR/checks")" = 1 ]
}

# emulated NAME SCRIPT: opt01 for the emulator's checks in $emulated, its checked build of opt05 changed by sed; no record yet.
emulated() {
    local from=$BATS_TEST_TMPDIR/$1
    emulated=build/cpu$from
    mkdir "$from"
    rm -f "$BATS_TEST_TMPDIR/record"
    sed "$2" labs/opt05_multiblock/opt_2dhisto.cu >"$from/opt_2dhisto.cu"
    make -s "build/cpu/$from/runner-checked" >/dev/null
    ln -s "$BATS_FILE_TMPDIR/step/runner" "$emulated/runner"
}

@test "what is right on a GPU is checked by the emulator: a race is one there, too, and what else is wrong is for a person" {
    run -0 judge --samples 1 --emulated "$built"
    [ "$(record '.verdict, .notes, (.hazards | length), (.samples_s | length)')" = $'pass\n\n0\n1' ]
    emulated racy '0,/__syncthreads();/s///'
    run -1 judge --samples 1 --emulated "$emulated"
    [ "$(record '.verdict, .samples_s, (.hazards[0].kind)')" = $'hazard\nnull\nrace-in-block' ]
    [[ $(record .detail) == 'right on this GPU; on the emulator: '*opt_2dhisto.cu:* ]]
    [[ $(record .diagnosis) == 'On the emulator, the same file: '* ]]
    rm -r "$emulated"
    emulated short 's/i < size/i + 1 < size/'
    run -1 judge --samples 1 --emulated "$emulated"
    [ "$(record .verdict)" = flagged ]
    [[ $(record .detail) == 'right on this GPU; on the emulator it is not: check ('* ]]
    rm "$emulated/runner-checked"
    run -0 judge --samples 1 --emulated "$emulated"
    rm -r "$emulated"
}

@test "what is wrong on a GPU is explained by the emulator, or said to be right there" {
    runner 'WRONG=1 exec "$real"'
    emulated right ''
    run -1 judge --samples 1 --emulated "$emulated"
    [ "$(record .verdict)" = wrong ]
    [[ $(record .notes) == *'on the emulator the same file is right in every check'* ]]
    rm -r "$emulated"
    emulated short 's/i < size/i + 1 < size/'
    run -1 judge --samples 1 --emulated "$emulated"
    [ "$(record .verdict)" = wrong ]
    [[ $(record .notes) == *'on the emulator: check ('* && $(record .diagnosis) == 'On the emulator, the same file: '* ]]
    rm -r "$emulated"
}

@test "the locks of a GPU go back before a right step's process ends, and stay where it is wrong" {
    local lock=$BATS_TEST_TMPDIR/lock held more
    exec {held}>"$lock" {more}>"$lock-2"
    flock "$held" && flock "$more"
    runner "exec \"\$real\" $held>&- $more>&-" # as where it is isolated
    run -0 judge --samples 1 --locks "$held,$more" --counting-lock "$lock-3"
    flock -n "$lock" true && flock -n "$lock-2" true && flock -n "$lock-3" true
    flock "$held" && flock "$more"
    runner 'exit 7'
    run -1 judge --samples 1 --locks "$held,$more"
    ! flock -n "$lock" true && ! flock -n "$lock-2" true
}

@test "a judge whose GPU another has makes its runners, and they wait" {
    local lock=$BATS_TEST_TMPDIR/lock other held place
    exec {other}>"$lock" {held}>"$lock" {place}>"$lock-next"
    flock "$other"
    runner "touch \"$BATS_TEST_TMPDIR/started\"; exec \"\$real\" $other>&- $held>&- $place>&-"
    (exec {other}>&- && judge --samples 1 --place "$place" --locks "$held" &>"$BATS_TEST_TMPDIR/said") &
    until [ -e "$BATS_TEST_TMPDIR/started" ]; do sleep 0.05; done
    kill -0 $!
    run ! flock -n "$lock-next" true # the judge has taken the place
    [ ! -e "$BATS_TEST_TMPDIR/record" ]
    flock -u "$other"
    wait $!
    [ "$(record .verdict)" = pass ]
    flock -n "$lock-next" true && flock -n "$lock" true
}
