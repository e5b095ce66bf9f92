#!/usr/bin/env bats
# report/accuracy: predicted times against measured ones, over made-up records.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    work=$BATS_TEST_TMPDIR
    export LABS=$work/labs
    mkdir "$LABS"
    # Measured: 4000, 40 and 38 us. Predicted: twice as long, the same, and a quarter less.
    { measured opt01_a 4000; measured opt02_b 40; measured opt03_c 38; measured sum01_d 7; } >"$work/m.jsonl"
    { predicted opt01_a 8000; predicted opt02_b 40; predicted opt03_c 28.5; } >"$work/p.jsonl"
}

# measured STEP US, predicted STEP US: a record of 1000 calls. A plain read takes 20 us.
measured() {
    printf '{"step":"%s","problem":"p","input":"walk","rows":10,"columns":1,"verdict":"pass","device":{"kind":"gpu","name":"NVIDIA Made up"},"iterations":1000,"median_s":%s,"bytes":20000,"roof_gbps":1}\n' \
        "$1" "$(awk "BEGIN { print $2 / 1000 }")"
}

predicted() {
    printf '{"step":"%s","problem":"p","input":"walk","rows":10,"columns":1,"verdict":"pass","device":{"kind":"cpu","name":"emulated"},"iterations":1000,"median_s":null,"predicted_s":%s,"predicted_ci90_s":[%s,%s],"predicted_gpu":"made-up","predicted_limit":"dram","predicted_with":"source"}\n' \
        "$1" "$(awk "BEGIN { print $2 / 1000 }")" "$(awk "BEGIN { print $2 / 1250 }")" "$(awk "BEGIN { print $2 / 800 }")"
}

line() {
    grep -- "^$1" <<<"$output" | tr -s ' '
}

@test "a line for each step: both times, their ratio, whether the interval holds, what limits" {
    run -0 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    [[ $output == *'Predicted for made-up; measured on NVIDIA Made up. 3 of 4 measured times'* ]]
    [ "$(line opt01_a)" = 'opt01_a walk 4000 8000 2.00 6400 - 10000 NO dram' ]
    [ "$(line opt02_b)" = 'opt02_b walk 40.00 40.00 1.00 32.00 - 50.00 yes dram' ]
    [[ "$(line opt03_c)" =~ ^"opt03_c walk 38.00 28.50 0.750 22.80 - 35.6"[23]" NO dram"$ ]]
    run ! grep -E 'sum01_d|source_sha256' <<<"$output"
    sed -i '2s/"iterations"/"source_sha256":"1",&/' "$work/p.jsonl"
    run -0 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    [[ $output == *'(source_sha256)'* ]]
}

@test "the factor is a geometric mean, of all and of each input" {
    run -0 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    # (2 * 1 * 4/3) ^ 1/3
    [ "$(line 'all ')" = 'all 3 1.387 1.333 1.867 2.000 1 of 3 (33 %)' ]
    [ "$(line 'p, walk')" = 'p, walk 3 1.387 1.333 1.867 2.000 1 of 3 (33 %)' ]
}

@test "only the same problem, input and size are compared; nothing in common is an error" {
    sed -i '1s/"rows":10/"rows":20/' "$work/p.jsonl"
    run -0 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    [[ $output == *'2 of 4 measured'* ]]
    sed -i '1s/"predicted_s"/"counted":{"rows":10,"columns":1},&/' "$work/p.jsonl" # the size that was counted is what matters
    run -0 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    [[ $output == *'3 of 4 measured'* ]]
    sed -i 's/"walk"/"hot"/' "$work/p.jsonl"
    run -2 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    [ "${#lines[@]}" -eq 1 ]
    { predicted opt01_a 8000; echo '{'; } >"$work/p.jsonl" # a broken line is passed over
    run -2 report/accuracy "$work/p.jsonl" "$work/m.jsonl"
    [[ $output == *'1 of 4 measured'* ]]
    run -2 report/accuracy "$work/m.jsonl" "$work/m.jsonl" # a measured time predicts nothing
    for wrong in '--odd 1' ''; do
        # shellcheck disable=SC2086  # words
        run -2 report/accuracy $wrong "$work/m.jsonl"
    done
}
