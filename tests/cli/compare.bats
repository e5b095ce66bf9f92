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
    echo "if .step == \"$1\" then .samples_s |= map(. * $2) | .median_s *= $2 else . end"
}

# How wide the interval of opt09 is.
width() {
    report/compare "$1" "$2" | awk '$1 == "opt09_unroll12" { printf "%.3f\n", $(NF - 1) - $(NF - 3) }'
}

@test "compare: five runs of the same agree with one another, and a step that takes 2 % longer is named" {
    run_of 1 >"$work/a"
    for n in 2 3 4 5; do
        run_of "$n" >"$work/b"
        run -0 report/compare "$work/a" "$work/b"
    done
    run_of 2 "$(slower opt14_one_launch 1.02)" >"$work/b"
    run -1 report/compare "$work/a" "$work/b"
    [[ $output =~ opt14_one_launch\ +walk\ +[0-9.]+\ +[0-9.]+\ +\+2\.[0-9]+\ %.*slower ]]
    # The other way round it is faster, which is no failure.
    run -0 report/compare "$work/b" "$work/a"
    [[ $output =~ opt14_one_launch.*-[12]\.[0-9]+\ %.*faster ]]
    # What is less than --by says is no difference.
    run -0 report/compare --by 3% "$work/a" "$work/b"
    run -2 report/compare --by three "$work/a" "$work/b"
}

@test "compare: more runs make narrower intervals, and samples of one round do not" {
    run_of 1 >"$work/a"
    run_of 5 >"$work/b"
    cat <(run_of 1) <(run_of 2) <(run_of 3) <(run_of 4) >"$work/four"
    # Of a round of the same processes five times as many samples: they know no more.
    run_of 5 '.samples_s |= (if . then map([., .])|flatten else . end)' >"$work/doubled"
    [ "$(awk -v a="$(width "$work/a" "$work/b")" -v b="$(width "$work/four" "$work/b")" 'BEGIN { print b < 0.9 * a }')" -eq 1 ]
    for file in a b; do jq -c 'if .samples_s then .samples_s |= .[:5] else . end' "$work/$file" >"$work/$file.5"; done
    narrow=$(width "$work/a.5" "$work/b.5")
    for file in a b; do jq -c 'if .samples_s then .samples_s |= .[:2] else . end' "$work/$file" >"$work/$file.2"; done
    # One round each, of five samples or two: only the usual spread is known.
    [ "$(width "$work/a.2" "$work/b.2" | cut -c 1-3)" = "$(cut -c 1-3 <<<"$narrow")" ]
}

@test "compare: a sample that something disturbed makes no difference, and no wider interval; two of three are a difference" {
    run_of 1 >"$work/a"
    run_of 2 >"$work/b"
    run_of 2 'if .samples_s and (.samples_s | length) >= 10 then .samples_s[3] *= 1.3 | .samples_s[7] *= 1.1 else . end' >"$work/disturbed"
    run -0 report/compare "$work/a" "$work/disturbed"
    [ "$(awk -v a="$(width "$work/a" "$work/b")" -v b="$(width "$work/a" "$work/disturbed")" 'BEGIN { print b < 1.2 * a && a < 1.2 * b }')" -eq 1 ]
    run_of 2 'if .step == "opt14_one_launch" then .samples_s |= [to_entries[] | .value * (if .key % 3 then 1.3 else 1 end)] else . end' >"$work/slow"
    run -1 report/compare "$work/a" "$work/slow"
    [[ $output =~ opt14_one_launch.*slower ]]
}

@test "compare: of records with a single round, a large difference is seen among hundreds, and a small one is not sure" {
    recorded=report/recorded/nvidia-h100-80gb-hbm3.jsonl.gz
    gzip -dc "$recorded" | jq -c 'if .input == "hot" and .step == "opt12_no_check" then .samples_s |= map(1.08 * .)
        elif .input == "hot" and .step == "opt13_wide_loads" then .samples_s |= map(1.03 * .) else . end' >"$work/b"
    run -1 report/compare "$recorded" "$work/b"
    [ "$(awk '$NF == "slower" { print $1, $2 }' <<<"$output")" = 'opt12_no_check hot' ]
    [ "$(awk '$1 == "opt13_wide_loads" && $2 == "hot" && $3 ~ /^[0-9]/ { print $NF }' <<<"$output")" = unsure ]
}

@test "compare: an answer that is no longer right, a step that is gone, other boards, GPUs and sources are told" {
    run_of 1 >"$work/a"
    run_of 2 'if .step == "opt05_multiblock" then .verdict = "wrong" elif .step == "opt06_builtin_min" then empty
        elif .step == "opt07_check_before_add" then .source_sha256 = "0" else . end | .device.uuid = "GPU-x"' >"$work/b"
    run -1 report/compare "$work/a" "$work/b"
    [[ $output =~ opt05_multiblock.*broken:\ wrong ]]
    [[ $output =~ opt06_builtin_min.*only\ before ]]
    [[ $output == *"opt07_check_before_add *"*"* Its source is not the same in both."*"several boards"* ]]
    run -0 report/compare "$work/b" "$work/a"
    [[ $output =~ opt05_multiblock.*mended ]]
    run_of 2 '.device.name = "another"' >"$work/b"
    run -0 report/compare "$work/a" "$work/b"
    [[ $output == *"These are two kinds of GPU: NVIDIA H200 and another."* ]]
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
