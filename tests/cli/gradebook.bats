#!/usr/bin/env bats
# Points, the class in one view, feedback, exports. Over made-up records: no GPU ever measured them.

bats_require_minimum_version 1.5.0 # run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    report=$root/report
    dir=$BATS_TEST_TMPDIR/results
    mkdir -p "$dir"
    results=$dir/results.jsonl
    export RUBRIC=$BATS_TEST_TMPDIR/rubric LABS=$BATS_TEST_TMPDIR/labs
    mkdir -p "$LABS/opt05_multiblock" "$LABS/opt06_builtin_min"
    echo '* correct=6 speed=4 full=1.2 none=10' >"$RUBRIC"
}

# record SUBMISSION STEP VERDICT SECONDS [JQ-FILTER]: one record more; a call takes SECONDS / 1000.
record() {
    jq -nc --arg submission "$1" --arg step "$2" --arg verdict "$3" --argjson seconds "$4" '{submission: $submission,
        step: $step, kind: "step", problem: "opt_2dhisto", input: "walk", rows: 4096, columns: 3984, verdict: $verdict,
        intended: "pass", detail: "", device: {kind: "gpu", name: "Test GPU (made up)", driver: "000.00",
        uuid: "GPU-1", sms: 132, l2_bytes: 62914560, spec_gbps: 4917}, iterations: 1000, calls: 1000, scaled: false,
        median_s: $seconds, ci95_s: (if $seconds then [$seconds * 0.99, $seconds * 1.01] else null end),
        roof_gbps: 4000, roof_fraction: (if $seconds then 0.016 / $seconds else null end), bytes: 65273856,
        seed: "1234567890123456789", source_sha256: ($submission + $step), harness: "h1", notes: "",
        when: "2026-01-01T00:00:00Z"} | '"${5-.}" >>"$results"
}

# What report/points says of a step: points, maximum.
points_of() {
    "$report/points" --json "$dir" | jq -r --arg who "$1" --arg step "$2" 'select(.submission == $who) | .steps[] |
        select(.step == $step) | "\(.correct)/\(.correct_max) \(.speed)/\(.speed_max)"'
}

ours() {
    record '' opt05_multiblock pass 0.1
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
    [ "$(points_of fast opt05_multiblock)" = "6/6 4/4" ]
    [ "$(points_of full opt05_multiblock)" = "6/6 4/4" ]
    [ "$(points_of half opt05_multiblock)" = "6/6 2/4" ]    # sqrt(1.2 * 10): half way on a log scale
    [ "$(points_of third opt05_multiblock)" = "6/6 3.04/4" ] # 4 * ln(10 / 2) / ln(10 / 1.2) = 3.0362
    [ "$(points_of none opt05_multiblock)" = "6/6 0/4" ]
    [ "$(points_of slow opt05_multiblock)" = "6/6 0/4" ]
}
