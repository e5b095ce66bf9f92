#!/usr/bin/env bats
# What the emulator counted and predicted, as people see it: report/one-step, the instructor's pages, and what a step.md
# demands of counters. All records are made up (fixtures/report-counted.jsonl).

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    fixture=tests/fixtures/report-counted.jsonl
    work=$BATS_TEST_TMPDIR
}

# page WHO STEP: report/one-step of that record, of no source that could have changed.
page() {
    grep "\"submission\":\"$1\",\"step\":\"$2" "$fixture" | sed 's/"source_sha256":"[^"]*"/"source_sha256":""/' >"$work/now"
    run -0 report/one-step "$2" "$work/now"
}

# The output on one line, for what may be wrapped.
flat() {
    tr -s ' \n' ' ' <<<"$output"
}

# idea WHO STEP DEMAND...: the column `idea` where its step.md demands this.
idea() {
    local who=$1 step=$2
    shift 2
    mkdir -p "$work/labs/$step"
    { echo 'title: x'; (($# == 0)) || printf 'counters: %s\n' "$@"; printf '\ncounters: foo\n'; } >"$work/labs/$step/step.md"
    grep "\"submission\":\"$who\",\"step\":\"$step" "$fixture" >"$work/now"
    LABS=$work/labs report/rows "$work/now" | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "idea") at = i; next } { print $at }'
}

# ---- one step ------------------------------------------------------------------------------------

@test "counters after a pass: a time that nobody takes for a measurement" {
    page '' opt05_multiblock
    diff <(sed -n '3,/^    opt/p' <<<"$output" | sed '$d') - <<'END'
    predicted for an H200: 34.1 us a call (90 %: 29 to 40), 43 % of the roof,
    limited by latency; not measured

END
    [[ $output != *"idea is missing"* && $output != *saturate* ]]
    for line in "${lines[@]}"; do ((${#line} <= 80)); done
}

@test "counters of another size than the record's say which; those of what did not pass are not shown" {
    page ann opt05_multiblock
    [[ $(flat) == *"predicted for an H200, 512 x 3984 elements: 34.1 us a call"* ]]
    page bob opt02_one_block
    [[ $output == *wrong* && $output != *predicted* && $output != *idea* ]]
}

@test "a copy of opt02 handed in as opt05: its idea is missing, the line under the verdict says" {
    page bob opt05_multiblock
    [[ ${lines[1]} == *"pass: right in every output"* ]]
    [[ ${lines[2]} == "    The step's idea is missing: opt05 asks for "* ]]
    [[ $(flat) == *" opt05 asks for at least 132 blocks, but histogram has 1 (line 41). "* ]]
    [[ $(flat) == *" Next: find where the idea is missing Also: "*" make diff-opt05 "*" make access-opt05 "*" make profile-opt05 "* ]]
    [[ $output != *"make opt06"* ]]
    [[ $(flat) == *"limited by atomics on one address"* ]]
    run -0 report/one-step --brief opt05_multiblock "$work/now"
    [[ $output == *"Next: find where the idea is missing"*"make profile-opt05"* && $output != *"make opt06"* ]]
}

@test "a record from before, without counters, shows as it did" {
    sed 's/"counted".*/"predicted_s":null}/' "$fixture" | head -n 1 >"$work/now"
    run -0 report/one-step opt05_multiblock "$work/now"
    [[ $output == *"pass: right"* && $output != *predicted* && $output != *idea* && $output != *" line "[0-9]* ]]
}

@test "accesses of a launch that is not among the launches, and figures that are null, break nothing" {
    grep '"submission":"","step":"opt05' "$fixture" | sed 's/"accesses":\[{"op":1/"accesses":[{"op":77/; s/"blocks":264/"blocks":null/' >"$work/now"
    run -0 --separate-stderr report/one-step opt05_multiblock "$work/now"
    [[ $output == *"pass: right"* && -z $stderr ]]
}

# ---- a class -------------------------------------------------------------------------------------

@test "class: the page of the class and of the student name a step that passes without its idea, and points stay" {
    cp "$fixture" "$work/results.jsonl"
    run -0 class/pages "$work"
    sed 's/<[^>]*>//g' "$work/index.html" >"$work/page"
    grep -qF "opt05_multiblock passes without its idea, as far as counters tell (it costs 0 of 6 points): bob (opt05 asks for at least 132 blocks, but histogram has 1 (line 41))" "$work/page"
    run ! grep -qF "opt02_one_block passes without" "$work/page"
    grep -q 'Idea: missing, as far as counters tell (it costs 0 of 6 points): opt05' "$work/feedback/bob.txt"
    run ! grep -q 'Idea:' "$work/feedback/ann.txt"
    grep -A1 '^  Points' "$work/feedback/bob.txt" | grep -q '6 of 6 for the answer (pass)'
}

# ---- what a step demands ---------------------------------------------------------------------------

@test "demands: each figure is read from the counters of the kernel that reads the input, or of the call" {
    while IFS='|' read -r demand expected; do
        [ "$(idea '' opt05_multiblock "$demand")" = "$expected" ] || { echo "$demand: $(idea '' opt05_multiblock "$demand")"; return 1; }
    done <<'END'
blocks >= 2 * multiprocessors|there
blocks > 2 * multiprocessors|asks for more than 264 blocks, but histogram has 264 (line 47)
threads <= 512|asks for at most 512 threads, but histogram has 1024 (line 47)
waves <= 1|there
barriers <= 1|asks for at most 1 barrier, but histogram has 2 (line 47)
loads-a-thread < 60|asks for fewer than 60 loads a thread, but histogram has 60.4 (line 16)
bytes-a-load >= 16|asks for at least 16 bytes a load, but histogram has 4 (line 16)
bytes-used-a-sector >= 32|there
lanes-a-shared-access > 30|asks for more than 30 lanes a shared access, but histogram has 24.1 (line 17)
bank-conflicts <= 4 %|asks for at most 4 % bank conflicts, but histogram has 4.21 % (line 18)
shared-accesses = 0|asks for no shared accesses, but histogram has 968400 (line 17)
shared-atomics > 0|there
shared-atomics-a-thread <= 8|asks for at most 8 shared atomics a thread, but histogram has 25 (line 18)
shared-loads-a-thread <= 8|asks for at most 8 shared loads a thread, but histogram has 61.4 (line 17)
global-atomics-a-block <= 32|there
global-atomics = 0|asks for no global atomics, but a call has 8448 (line 22)
written-bytes-a-block <= 10|asks for at most 10 written bytes a block, but histogram has 15.5 (line 47)
overlapping-launches > 0|there
overlapping-launches > 1|asks for more than 1 overlapping launch, but a call has 1
operations = 2|asks for 2 operations, but a call has 3
END
}

@test "demands: of several the first that is not so is said; what cannot be understood is left to a unit test" {
    [ "$(idea '' opt05_multiblock 'blocks > 1' 'threads = 1' 'waves > 9')" = "asks for 1 thread, but histogram has 1024 (line 47)" ]
    [ "$(idea '' opt05_multiblock 'blocks > many' 'nonsense')" = "" ]
    [ "$(idea '' opt05_multiblock)" = "" ]
    [ "$(idea cyd sum02_pairwise 'overlapping-launches > 0')" = "" ] # a record from before this was counted
    [ "$(idea '' opt05_multiblock 'blocks > 1')" = there ]
}

@test "demands: among loads that move as much, the best counts" {
    [[ $(idea bob opt05_multiblock 'bytes-used-a-sector >= 24') == "asks for at least 24 bytes used a sector"*" has 5.3 (line 16)" ]]
}

# The emulator counts 62 thousand pixels of each; nvcc would take minutes to say what nobody asks here.
@test "demands: a step's own version has its idea in it, of each kind the first, with LONG all" {
    . common/build/steps.sh
    local step demand steps=()
    local -A seen=()
    for step in labs/*/; do
        demand=$(step_header "$(basename "$step")" counters)
        demand=${demand%% *}
        [[ $demand && (${LONG-} || ! ${seen[$demand]-}) ]] || continue
        seen[$demand]=yes steps+=("$(basename "$step")")
    done
    ((${#steps[@]} >= 10))
    targets=("${steps[@]/#/build/cpu/labs/}")
    make -s -j2 "${targets[@]/%//driver-counted}" >&2
    mkdir "$work/bin" && ln -s /bin/false "$work/bin/nvcc"
    PATH=$work/bin:$PATH
    for step in "${steps[@]}"; do
        run -0 desk/inside/profile "$step" --emulated --size small
        [[ $output == *"The step's idea is there, as far as its counters tell."* ]] || { echo "$step: $output"; return 1; }
    done
}
