#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# tests/hazards-on-gpu with stand-ins for the GPU's tools: in a small tree, make builds drivers that end as the
# step's name says, and compute-sanitizer prints what its tools print.

bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    fixtures=$source_tree/tests/fixtures
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin out=$BATS_TEST_TMPDIR/out.tsv
    mkdir -p "$tree"/{common/runner,tests/hazards/bases} "$bin"
    cp -r "$source_tree"/common/{build,prelude.sh} "$tree/common"
    cp "$source_tree/common/runner/hazards.def" "$tree/common/runner"
    cp -r "$source_tree/desk" "$tree"
    cp "$source_tree"/tests/hazards-on-gpu{,.awk} "$tree/tests"
    # Drivers whose names say how they end; of `at_times` every other run is wrong.
    cat >"$tree/Makefile" <<'END'
build/gpu/%/driver:
	@mkdir -p $(@D); case $* in *does_not_build) exit 1 ;; esac; printf '#!/bin/sh\ncase %s in\n%s\n%s\n%s\n%s\n%s\nesac\n' '$*' \
	  '*is_right*) exit 0 ;;' '*is_wrong*) exit 1 ;;' '*hangs*) exec sleep 60 ;;' \
	  '*at_times*) [ $$# -eq 4 ] ;;' \
	  '*crashes*) echo "driver: running: cudaErrorIllegalAddress (an illegal)" >&2; exit 3 ;;' >$@; chmod +x $@
END
    fake nvcc 'exit 0'
    fake nvidia-smi 'case $* in -L) echo GPU 0: NVIDIA H200 ;; *) echo NVIDIA H200 ;; esac'
    tool 'echo "========= ERROR SUMMARY: 0 errors"'
    PATH=$bin:$PATH
    cd "$tree" || return
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# tool SCRIPT: what compute-sanitizer does when it checks; its options are in called.
tool() {
    fake compute-sanitizer "case \$1 in
        --version) echo 'Version 2025.3.1.0 (build 1)'; exit ;;
        --help) echo '  --padding arg'; exit ;;
    esac
    echo \"\$*\" >>'$BATS_TEST_TMPDIR/called'
    echo '========= COMPUTE-SANITIZER'
    $1"
}

# step NAME FINDS
step() { printf '%s\n' 'base labs/opt05_multiblock' "finds $2" '' 'Why.' >"tests/hazards/$1"; }

# row NAME TOOL FIELD: a field of its line in the file of results.
row() { awk -F '\t' -v name="$1" -v tool="$2" -v field="$3" '$1 == name && $3 == tool { print $field }' "$out"; }

examine() { run "$1" tests/hazards-on-gpu --out "$out" --limit 1 "${@:2}"; }

@test "runs without a tool: right, wrong, sometimes wrong, crashes, hangs" {
    for name in is_right is_wrong at_times crashes hangs; do step "$name" leak; done
    examine -0
    [ "$(row is_right run 4)" = right ]
    [ "$(row is_wrong run 4)" = wrong ]
    [ "$(row at_times run 4)" = 'sometimes wrong' ]
    [ "$(row crashes run 4)" = 'crashes: cudaErrorIllegalAddress' ]
    [ "$(row hangs run 4)" = hangs ]
    [ "$(wc -l <"$out")" -eq 25 ]
    [ "$(row is_right run 6)" = 'NVIDIA H200' ]
    [ "$(row is_right run 7)" = 2025.3.1.0 ]
}

@test "what the tools find: the first line, and its place" {
    tool "case \$2 in
        memcheck) cat '$fixtures/inside-sanitize-findings.log' ;;
        racecheck) cat '$fixtures/inside-sanitize-race.log' ;;
        initcheck) echo '========= Error: Device not supported. Please refer to the documentation'; exit 1 ;;
        *) sleep 60 ;;
        esac"
    step is_wrong 'out-of-bounds|race-in-block'
    examine -0
    [ "$(row is_wrong memcheck 2)" = 'out-of-bounds|race-in-block' ]
    [ "$(row is_wrong memcheck 4)" = 'Invalid __global__ read of size 4 bytes' ]
    [ "$(row is_wrong memcheck 5)" = opt_2dhisto.cu:15 ]
    [[ $(row is_wrong racecheck 4) == 'Error: Race reported between Read access'* ]]
    [ "$(row is_wrong racecheck 5)" = opt_2dhisto.cu:16 ]
    [[ $(row is_wrong initcheck 4) == 'failed: Error: Device not supported'* ]]
    [ "$(row is_wrong synccheck 4)" = 'too slow' ]
    grep -q -- '--tool memcheck --leak-check full --padding 64' "$BATS_TEST_TMPDIR/called"
    run ! grep -q -- --initcheck-address-space "$BATS_TEST_TMPDIR/called" # this version does not have it
}

@test "a leak is what was found only if nothing else was" {
    tool "[ \$2 != memcheck ] || echo '========= Leaked 4,096 bytes at 0x7f0000000000'
        [[ \$* != *crashes* ]] || echo '========= Invalid __global__ write of size 16 bytes
=========     Address 0x7f0000000004 is misaligned'
        echo '========= ERROR SUMMARY: 1 error'"
    step is_right leak
    step crashes misaligned
    examine -0
    [ "$(row is_right memcheck 4)" = 'Leaked 4,096 bytes' ]
    [ "$(row crashes memcheck 4)" = 'Invalid __global__ write of size 16 bytes (misaligned)' ]
    [ "$(row is_right synccheck 4)" = nothing ]
}

@test "parts, bases, and what the file has already" {
    step is_right nothing
    step is_wrong leak
    mkdir -p tests/hazards/bases/is_right_too
    examine -0 --part 1/2
    [ "$(cut -f 1 "$out" | sort -u | xargs)" = 'bases/is_right_too is_right' ]
    [ "$(row bases/is_right_too run 2)" = nothing ]
    examine -0
    [ "$(wc -l <"$out")" -eq 15 ]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/called")" -eq 12 ]
}

@test "a step that does not build is named, and the others are examined" {
    step is_right leak
    step does_not_build leak
    examine -1
    [[ $output == *'does_not_build does not build'* ]]
    [ "$(wc -l <"$out")" -eq 5 ]
}

@test "the table: classes in the order of hazards.def, with the emulator's column" {
    tool "case \$2 in
        memcheck) [[ \$* != *is_wrong* ]] || echo '========= Leaked 16 bytes at 0x7f0000000000' ;;
        racecheck) [[ \$* != *is_right* ]] || cat '$fixtures/inside-sanitize-race.log' ;;
        esac
        echo '========= ERROR SUMMARY: 1 error'"
    step is_wrong_leaks leak
    step is_wrong_races 'race-in-block|race-in-warp'
    step is_right_races 'race-in-block'
    step is_right nothing
    examine -0
    printf '%s\n' 'ok     is_wrong_leaks: leak' '       marks: wrong found class lines array' \
        'NOT OK is_wrong_races: it passes' '       marks: wrong' \
        'NOT OK is_right: a false alarm' '       marks: right alarm' >"$BATS_TEST_TMPDIR/emulator"
    run -0 tests/hazards-on-gpu --table "$out" "$BATS_TEST_TMPDIR/emulator"
    [ "${lines[0]}" = 'compute-sanitizer 2025.3.1.0, NVIDIA H200' ]
    [ "${lines[3]}" = '| race-in-block | 2 | 0 | 0 | 1 | 0 | 0 | 1 | 1 right, 1 wrong |' ]
    [ "${lines[4]}" = '| leak | 1 | 1 | 1 | 0 | 0 | 0 | 1 | 1 wrong |' ]
    [ "${lines[5]}" = '| all that are wrong | 3 | 1 | 1 | 1 | 0 | 0 | 2 | 1 right, 2 wrong |' ]
    [ "${lines[6]}" = '| right: false alarms | 1 | 1 | 0 | 1 | 0 | 0 | 1 | 1 right |' ]
}

@test "usage: what cannot be meant" {
    for arguments in '--part 0/2' '--part 1' '--limit soon' --other '--part' 'no_such_step' '--table no_such_file'; do
        # shellcheck disable=SC2086  # several arguments
        run -2 tests/hazards-on-gpu $arguments
    done
    fake nvidia-smi 'exit 1'
    step is_right leak
    examine -3
}

@test "the driver: several set-ups, and calls that nobody waits for" {
    driver=build/cpu/labs/sum10_one_launch/driver
    make -s -C "$source_tree" "$driver"
    run -0 "$source_tree/$driver" small - 3 2
    run -2 "$source_tree/$driver" small - 3 0
    run -2 "$source_tree/$driver" small - 3 2 1
}
