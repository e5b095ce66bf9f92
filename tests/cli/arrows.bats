#!/usr/bin/env bats
# tests/arrows: the calls that it must find in a tree, and text that is not a call.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    arrows=$BATS_TEST_DIRNAME/../arrows
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p common/build common/judge report desk class/grades
}

# upwards FILE LINE: a tree whose one file has this line is refused, and the line is named.
upwards() {
    echo "$2" >"$1"
    run -1 "$arrows" .
    [ "$output" = "$1:1: $2" ] || { echo "$output"; return 1; }
    rm "$1"
}

@test "a call that runs upwards is named, with its file and line" {
    upwards common/build/grading.sh 'roof=$(report/value "$1" read gbps)'
    upwards common/build/steps.sh '. "$root/class/points.sh"'
    upwards common/build/rules.mk '	@desk/try opt05'
    upwards common/judge/main.c '#include "report/rows.h"'
    upwards common/build/made './grade.sh --steps opt05'
    upwards common/build/made 'experiments/measure opt05'
    upwards report/journal 'desk/step diff opt05 >changes'
    upwards report/plot 'ls; ./grade.sh --device cpu'
    upwards report/page.awk 'BEGIN { while ((getline line < "class/rubric") > 0) n++ }'
    upwards desk/doctor 'if ! class/isolate --available; then'
    upwards desk/step 'cp tests/changes/no_reset labs'
    upwards class/grades/points.c '#include "../likeness/similar.h"'
}

@test "what is no call: comments, results, help in C, documents, calls that run downwards" {
    echo 'ok=1 # as class/isolate does' >common/build/made
    printf '%s\n' ' * as class/isolate does it */' '    "class/isolate"' >common/judge/main.c
    echo 'class/points DIR' >report/README.md
    echo 'cat results/desk/history.jsonl; echo "no records: ./grade.sh makes them"' >report/table
    printf '%s\n' '. common/build/steps.sh' 'exec ./grade.sh' 'report/one-step' >desk/try
    echo 'desk/deps --list-why; report/rows' >class/pages
    run -0 "$arrows" .
    [ -z "$output" ]
}

@test "a handout, which lacks rooms" {
    rm -r class report
    run -0 "$arrows" .
}

@test "the emulator includes nothing of another room, and its own rooms only what the table says" {
    mkdir -p emulator/{include,scheduler,runtime,front}
    printf '%s\n' '| room | what | it includes |' '| `include/` | x | nobody |' '| `scheduler/` | x | `include` |' \
        '| `runtime/` | x | `include`, `scheduler` |' >emulator/README.md
    printf '%s\n' '#include "../include/cuda.h"' '#include "../scheduler/hooks.h"' '#include "runtime.h"' >emulator/runtime/copies.c
    rmdir emulator/front
    run -0 "$arrows" .
    [ -z "$output" ]
    upwards emulator/scheduler/gpu.c '#include "../runtime/runtime.h"'
    upwards emulator/include/cuda.h '#include "../scheduler/hooks.h"'
    upwards emulator/runtime/device.c '#include "../../common/lab.h"'
    printf '%s\n' 'int forth(void) {' '    return back();' '}' >emulator/runtime/a.c
    printf '%s\n' 'int once(void) {' '    return forth();' '}' >emulator/runtime/b.c
    run -0 "$arrows" .
    printf '%s\n' 'int back(void) {' '    return once();' '}' >emulator/scheduler/c.c
    run -1 "$arrows" .
    [[ $output == *circle:*emulator/runtime/a.c* ]]
    rm emulator/scheduler/c.c
    mkdir emulator/other && echo >emulator/other/x.c
    run -1 "$arrows" .
    [ "$output" = "emulator/other/x.c: the table in emulator/README.md has no room other" ]
}
