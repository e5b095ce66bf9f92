#!/usr/bin/env bats
# build/record.schema.json, made of common/record.def: every record fits it, and it refuses what is none.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    work=$BATS_TEST_TMPDIR
    command -v jsonschema >/dev/null || skip "jsonschema is missing: make deps-all installs it"
    make -s build/record.schema.json >/dev/null
    jq 'del(."$schema") | {"$schema": "https://json-schema.org/draft/2020-12/schema", type: "array", minItems: 1, items: .}' \
        build/record.schema.json >"$work/schema.json"
}

# fits RESULTS.jsonl...: all records of these files, compressed or not; - is stdin.
fits() {
    gzip -cdf -- "$@" | jq -s . >"$work/records.json"
    jsonschema -i "$work/records.json" "$work/schema.json"
}

# The fresh records, after a change in jq.
changed() {
    jq -c "$1" "$work/fresh.jsonl" | fits -
}

@test "every recorded result fits the schema" {
    run -0 fits report/recorded/*.jsonl report/recorded/*/*.jsonl.gz
}

@test "fresh records fit: of the emulator, of a GPU, of CPU baselines; and each kind of change is refused" {
    make -s build/judge-opt_2dhisto build/cpu/device
    build/cpu/device >"$work/cpu"
    printf '%s\n' 'kind gpu' 'name x' 'toolkit 13.0' 'sms 4' >"$work/gpu"
    for device in cpu gpu; do
        printf '%s\n' "device $work/$device" 'size 64x64' >"$work/run-$device"
        run -1 build/judge-opt_2dhisto "$work/run-$device" --step opt05_multiblock --verdict build-failed --detail 'no "x"' --record "$work/fresh.jsonl"
    done
    [ "$(wc -l <"$work/fresh.jsonl")" -eq 2 ]
    build/judge-opt_2dhisto "$work/run-gpu" --step reference --kind reference --budget 0.1 --record "$work/fresh.jsonl"
    run -0 fits "$work/fresh.jsonl"
    run -0 changed 'del(.schema, .build)' # as they were before there was a schema
    # All at once, since what reads a schema takes longer to begin than all else.
    local change files=()
    for change in 'del(.build)' 'del(.verdict)' '.more = 1' '.device.more = 1' '.rows = "64"' '.kind = "stepp"' '.median_s = -1' \
        '.source_sha256 = "x"' '.hazards = [{}]'; do
        files+=("$work/change-${#files[@]}")
        jq -s "map($change)" "$work/fresh.jsonl" >"${files[-1]}"
    done
    run -1 jsonschema --output pretty "${files[@]/#/-i}" "$work/schema.json"
    for change in "${files[@]}"; do [[ $output == *"($change)"* ]] || { echo "$change is not refused: $output"; return 1; }; done
}

@test "a verdict that a lost GPU or the harness may be the reason of goes into a file of its own" {
    local settled=$work/settled unsettled=$work/unsettled verdict device
    for device in cpu gpu; do
        printf '%s\n' "kind $device" 'name x' 'sms 4' >"$work/$device"
        printf '%s\n' "device $work/$device" 'size 64x64' >"$work/run-$device"
        for verdict in wrong missing not-started crashed timed-out launch-failed harness-error; do
            run build/judge-opt_2dhisto "$work/run-$device" --step opt05_multiblock --verdict "$verdict" --record "$settled-$device" --unsettled "$unsettled-$device"
            [ "$status" -eq "$([ "$verdict" = harness-error ] && echo 3 || echo 1)" ]
        done
    done
    [ "$(jq -r .verdict "$unsettled-cpu" | paste -sd ' ')" = harness-error ]
    [ "$(jq -r .verdict "$unsettled-gpu" | paste -sd ' ')" = 'crashed timed-out launch-failed harness-error' ]
    [ "$(jq -r .verdict "$settled-gpu" | paste -sd ' ')" = 'wrong missing not-started' ]
}
