#!/usr/bin/env bats
# report/compare: whether two runs differ.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    five=report/recorded/evidence/five-runs.jsonl.gz work=$BATS_TEST_TMPDIR
}

# run_of N [FILTER]: one of the five recorded runs, changed by jq.
run_of() {
    gzip -dc "$five" | sed -n "$(($1 * 20 - 19)),$(($1 * 20))p" | jq -c "${2:-.}"
}

# slower STEP FACTOR: a filter.
slower() {
    echo "if .step == \"$1\" then .samples_s |= map(. * $2) | .median_s *= $2 | .ci95_s |= map(. * $2) else . end"
}

@test "compare: five runs of the same agree with one another, and a step that takes 2 % longer is named" {
    run_of 1 >"$work/a"
    for n in 2 3 4 5; do
        run_of "$n" >"$work/b"
        run -0 report/compare "$work/a" "$work/b"
    done
    run_of 2 "$(slower opt14_one_launch 1.02)" >"$work/b"
    run -1 report/compare "$work/a" "$work/b"
    [[ $output =~ opt14_one_launch\ +walk\ .*\ \+2\.[0-9]+\ %.*slower ]]
    # The other way round it is faster, which is no failure.
    run -0 report/compare "$work/b" "$work/a"
    [[ $output =~ opt14_one_launch.*-[12]\.[0-9]+\ %.*faster ]]
    # What is less than --by says is no difference.
    run -0 report/compare --by 3% "$work/a" "$work/b"
    run -2 report/compare --by three "$work/a" "$work/b"
}

@test "compare: a large difference whose intervals meet is not sure" {
    run_of 1 'if .step == "opt05_multiblock" then .ci95_s = [.median_s * 0.9, .median_s * 1.1] else . end' >"$work/a"
    run_of 2 "$(slower opt05_multiblock 1.05)" >"$work/b"
    run -0 report/compare "$work/a" "$work/b"
    [[ $output =~ opt05_multiblock.*unsure ]]
}

@test "compare: an answer that is no longer right, a step that is gone, other boards, GPUs and sources are told" {
    run_of 1 >"$work/a"
    run_of 2 'if .step == "opt05_multiblock" then .verdict = "wrong" elif .step == "opt06_builtin_min" then empty
        elif .step == "opt07_check_before_add" then .source_sha256 = "0" else . end | .device.uuid = "GPU-x"' >"$work/b"
    run -1 report/compare "$work/a" "$work/b"
    [[ $output =~ opt05_multiblock.*broken:\ wrong ]]
    [[ $output =~ opt06_builtin_min.*only\ before ]]
    [[ $output == *"opt07_check_before_add *"*"* Its source is not the same in both."*"is of one GPU"* ]]
    run -0 report/compare "$work/b" "$work/a"
    [[ $output =~ opt05_multiblock.*mended ]]
    # Nothing that both have.
    run_of 2 '.step += "x"' >"$work/b"
    run -2 report/compare "$work/a" "$work/b"
    run -2 report/compare "$work/a"
    # A broken line is passed over in either file.
    { run_of 1; echo '{'; } >"$work/broken"
    run -2 report/compare "$work/broken" "$work/a"
    [[ $output == *"not a record"*" same"*"A difference counts"* ]]
    run -2 report/compare "$work/a" "$work/broken"
}
