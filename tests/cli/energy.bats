#!/usr/bin/env bats
# The energy of a call, from the judge to a record. The judge is told that it has a GPU and given the emulator's runners, on
# a clock that only their calls move, and the library that it asks for energy is a stand-in: that GPU always draws 300 W.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load clock

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    make_clock
    export LD_LIBRARY_PATH=$BATS_FILE_TMPDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    gcc -shared -fPIC -x c -o "$BATS_FILE_TMPDIR/libnvidia-ml.so.1" - <<'END'
#include <stdlib.h>
#include <string.h>
#include <time.h>
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { *device = device; return index; }
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device) { *device = device; return strcmp(uuid, "GPU-x"); }
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees) { *degrees = 45 + sensor; return !device; }
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz) { *mhz = 1000 + clock; return !device; }
int nvmlDeviceGetEccMode(void *device, unsigned *now, unsigned *later) { *now = 1; *later = 0; return !device; }
int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *later) { *now = 0; *later = 1; return !device; }
int nvmlDeviceGetPersistenceMode(void *device, unsigned *mode) { *mode = 1; return !device; }
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts) { *milliwatts = 700000; return !device; }
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *list) {
    *count = getenv("OTHERS") ? 2 : 1;
    return list || !device;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons) {
    *reasons = getenv("HOT") ? 0x20 : 0;
    return !device;
}
/* The share of the memory's speed that is used: SHARE per cent, or nothing that anybody could tell. */
int nvmlGpmQueryDeviceSupport(void *device, unsigned *support) { support[1] = getenv("SHARE") != NULL; return !device; }
int nvmlGpmSampleAlloc(void **sample) { return !(*sample = malloc(1)); }
int nvmlGpmSampleFree(void *sample) { free(sample); return 0; }
int nvmlGpmSampleGet(void *device, void *sample) { return !device || !sample; }
int nvmlGpmMetricsGet(struct { unsigned version, count; void *samples[2]; unsigned id; int status; double value; } *metrics) {
    metrics->status = metrics->id != 10;
    metrics->value = atof(getenv("SHARE"));
    return strcmp(getenv("SHARE"), "silent") == 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *millijoules = 300 * (now.tv_sec * 1000ULL + now.tv_nsec / 1000000);
    return getenv("NO_COUNTER") ? 3 : !device;
}
END
}

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    work=$BATS_TEST_TMPDIR
    read=$BATS_FILE_TMPDIR/read
    export CALL_US=20000
    printf '%s\n' "kind gpu" "name one" "uuid GPU-x" "driver x" "sms 8" "l2_bytes 4096" >"$work/device"
    printf '%s\n' "device $work/device" 'size 1x1024' 'iterations 20' 'samples 1' 'processes 1' 'budget 0.1' 'energy 1' "told $work/run" >"$work/run"
    mkdir "$work/built"
    ln -s "$BATS_FILE_TMPDIR/step/runner" "$work/built/runner-checked"
    ln -s "$BATS_FILE_TMPDIR/step/runner" "$work/built/runner"
}

judge() {
    rm -f "$work/record"
    on_clock build/judge-opt_2dhisto "$work/run" "$@" --record "$work/record" --step it
}

record() { jq -r "$1" "$work/record"; }

@test "energy: a baseline tells what is drawn without calls, a step does not measure it again, and its record fits the schema" {
    run -0 judge "$read" --kind read
    [[ $(sed -n 's/^idle-watts //p' "$work/run") =~ ^(29|30)[0-9] ]]
    sed -i '/^roof-gbps/d' "$work/run" # the emulator's; a step would be found too fast
    echo 'idle-watts 77' >>"$work/run"
    run -0 judge "$work/built"
    record '.energy, .notes'
    [ "$(record '.energy | .watts > 270 and .watts < 330 and .low <= .joules and .joules <= .high')" = true ]
    [ "$(record '.energy | .joules / (.watts * .call_s) | . > 0.999 and . < 1.001')" = true ]
    [ "$(record '.energy | [.idle_watts, .temperature_c, .sm_mhz] | tojson')" = '[77,[45,45],1001]' ]
    # 1.5 s to warm up, and 1 s.
    [ "$(record '.energy.calls * .median_s / .iterations | . > 2.4')" = true ]
    [ "$(grep -c '^idle-watts' "$work/run")" = 2 ]
    command -v jsonschema >/dev/null || skip "jsonschema is missing: make deps-all installs it"
    make -s build/record.schema.json >/dev/null
    run -0 jsonschema -i "$work/record" build/record.schema.json
}

@test "energy: null with a note where the counter is missing or others use the GPU; none at all where nobody asked" {
    echo 'idle-watts 77' >>"$work/run"
    CUDA_VISIBLE_DEVICES=GPU-y,GPU-x run -0 judge "$work/built" # by a UUID that NVML does not know
    [ "$(record '[.verdict, .energy] | tojson')" = '["pass",null]' ]
    NO_COUNTER=1 run -0 judge "$work/built"
    [ "$(record '[.verdict, .energy] | tojson')" = '["pass",null]' ]
    [[ $(record .notes) == *"no energy: the GPU has no counter of it"* ]]
    sed -i '/^idle-watts/d' "$work/run" # a step tells nothing to those after it
    OTHERS=1 CUDA_VISIBLE_DEVICES=GPU-x,GPU-y run -0 judge "$work/built"
    [ "$(record '[.verdict, .energy] | tojson')" = '["pass",null]' ]
    [[ $(record .notes) == *"no energy: other processes were on the GPU"* ]]
    run -1 grep '^idle-watts' "$work/run"
    sed -i '/^energy/d' "$work/run"
    run -0 judge "$work/built"
    [ "$(record 'has("energy")')" = false ]
}

@test "a right answer for which the memory moved too little, by the GPU's own counter, is flagged; a silent counter is a note" {
    sed -i 's/^energy.*/counted-share 1/' "$work/run"
    echo 'spec_gbps 4800' >>"$work/device"
    much=(--size 1x65536 --iterations 4000 --budget 100)
    SHARE=0 run -1 judge "$work/built" "${much[@]}"
    [ "$(record .verdict)" = flagged ]
    [[ $(record .detail) == "reads too little: by the GPU's own counter its memory moved "*" MB a call, and a call has 0.2621 MB to read"* ]]
    SHARE=50 run -0 judge "$work/built" "${much[@]}"
    [ "$(record '.dram_bytes > 262144')" = true ]
    SHARE=silent run -0 judge "$work/built" "${much[@]}"
    [[ $(record .notes) == *"the GPU's counter of what its memory moves was silent"* && $(record .dram_bytes) == null ]]
}

@test "a record says which of the GPU's settings are on, and that it ran slower meanwhile" {
    sed -i '/^energy/d' "$work/run"
    run -0 judge "$work/built"
    [ "$(record '.device | [.ecc, .mig, .persistence, .power_limit_w] | tojson')" = '[true,false,true,700]' ]
    [[ $(record .notes) != *slowdown* ]]
    HOT=1 run -0 judge "$work/built"
    [[ $(record .notes) == *"thermal slowdown"* ]]
}

@test "energy: its calls are compared as all others: a step that is wrong in them alone fails" {
    # The samples' process is the first, and right.
    rm "$work/built/runner"
    printf '#!%s\n[[ ! -e %s ]] || export WRONG=1\n: >%s\nexec %s\n' "$(command -v bash)" "$work/began" "$work/began" \
        "$BATS_FILE_TMPDIR/step/runner" >"$work/built/runner"
    chmod +x "$work/built/runner"
    echo 'idle-watts 77' >>"$work/run"
    run -1 judge "$work/built"
    [ "$(record .verdict)" = wrong ]
    [ "$(record '[.energy, .median_s] | tojson')" = '[null,null]' ]
}

# ---- what is made of it, over made-up records (tests/fixtures) -------------------------------------

# with_energy WATTS: the fixture's records, as if each step and read drew so much, and its calls took what its samples do.
with_energy() {
    jq -c --argjson watts "$1" 'if .kind == "step" or .kind == "read" then .energy = {calls: 300000, joules: ($watts * .median_s / 1000),
        low: ($watts * .median_s / 1001), high: ($watts * .median_s / 999), watts: $watts, idle_watts: 100, call_s: (.median_s / 1000),
        temperature_c: [40, 50], sm_mhz: 1980, uuid: "GPU-x"} else . end' tests/fixtures/report-passing.jsonl
}

@test "energy: the table and the page have a column of it where any record has it, a step's screen has a line, and a right answer alone has an energy" {
    with_energy 500 | sed '/"opt05_multiblock"/s/"verdict":"pass"/"verdict":"wrong"/' >"$work/r.jsonl"
    run -0 report/table tests/fixtures/report-passing.jsonl
    [[ $output != *mJ* ]]
    run -0 report/table "$work/r.jsonl"
    [[ $output == *"% roof"*" mJ   W"*"mJ a call and W are the whole GPU's, which draws 100 W where nothing runs"* ]]
    grep -qE '^opt11_packed_reads .* 9[.]420 500$' <<<"$output"
    grep -qE '^cub .* -$' <<<"$output"
    grep -qE '^opt05_multiblock +wrong .* -$' <<<"$output"
    run -0 report/one-step opt11_packed_reads "$work/r.jsonl"
    [[ $output == *"9.420 mJ a call: the GPU draws 500 W, and 100 W where nothing runs"* ]]
    report/index "$work/r.jsonl" "$work/out"
    grep -q '<th[^>]*>mJ</th>' "$work/out/index.html"
    grep -q '<td class="right">9.420</td><td class="right">500</td>' "$work/out/index.html"
    report/index tests/fixtures/report-passing.jsonl "$work/none"
    run ! grep -q 'mJ' "$work/none/index.html"
}
