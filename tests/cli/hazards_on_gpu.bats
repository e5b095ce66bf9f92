#!/usr/bin/env bats
# tests/hazards-on-gpu with stand-ins for the GPU's tools: in a small tree, make builds drivers that end as the
# step's name says, and compute-sanitizer prints what its tools print.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    fixtures=$source_tree/tests/fixtures
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin out=$BATS_TEST_TMPDIR/out.tsv
    mkdir -p "$tree"/{common,build,tests/changes} "$bin"
    cp -r "$source_tree"/common/{build,prelude.sh} "$tree/common"
    cp -r "$source_tree/desk" "$tree"
    cp "$source_tree/tests/hazards-on-gpu" "$tree/tests"
    # Drivers whose names say how they end; of `at_times` every other run is wrong.
    cat >"$tree/Makefile" <<'END'
build-changes:
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
step() {
    [[ -e tests/changes/opt05.changes ]] || echo 'base labs/opt05_multiblock' >tests/changes/opt05.changes
    printf '%s\n' '' "== $1" "finds $2" '' 'Why.' >>tests/changes/opt05.changes
}

# row NAME TOOL: what its line in the file of results says of it.
row() { awk -F '\t' -v name="opt05/$1" -v tool="$2" '$1 == name { print $(1 + index("run mem rac ini syn", substr(tool, 1, 3)) / 4 + 0.75) }' "$out"; }

examine() { run "$1" tests/hazards-on-gpu --out "$out" --limit 1 "${@:2}"; }

@test "runs without a tool: right, wrong, sometimes wrong, crashes, hangs" {
    for name in is_right is_wrong at_times crashes hangs; do step "$name" leak; done
    examine -0
    [ "$(row is_right run)" = right ]
    [ "$(row is_wrong run)" = wrong ]
    [ "$(row at_times run)" = 'sometimes wrong' ]
    [ "$(row crashes run)" = 'crashes: cudaErrorIllegalAddress' ]
    [ "$(row hangs run)" = hangs ]
    [ "$(wc -l <"$out")" -eq 6 ]
    [ "$(head -n 1 "$out")" = '# compute-sanitizer 2025.3.1.0, NVIDIA H200' ]
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
    [ "$(row is_wrong memcheck)" = 'Invalid __global__ read of size 4 bytes (opt_2dhisto.cu:15)' ]
    [[ $(row is_wrong racecheck) == 'Error: Race reported between Read access'*' (opt_2dhisto.cu:16)' ]]
    [[ $(row is_wrong initcheck) == 'failed: Error: Device not supported'* ]]
    [ "$(row is_wrong synccheck)" = 'too slow' ]
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
    [ "$(row is_right memcheck)" = 'Leaked 4,096 bytes' ]
    [ "$(row crashes memcheck)" = 'Invalid __global__ write of size 16 bytes (misaligned)' ]
    [ "$(row is_right synccheck)" = nothing ]
}

@test "parts, and what the file has already" {
    step is_right nothing
    step is_wrong leak
    step is_right_too nothing
    examine -0 --part 1/2
    [ "$(cut -f 1 "$out" | grep -v '#' | sort -u | xargs)" = 'opt05/is_right opt05/is_right_too' ]
    examine -0
    [ "$(wc -l <"$out")" -eq 4 ]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/called")" -eq 12 ]
}

@test "a step that does not build is named, and the others are examined" {
    step is_right leak
    step does_not_build leak
    examine -1
    [[ $output == *'does_not_build does not build'* ]]
    [ "$(wc -l <"$out")" -eq 2 ]
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
    printf '%s\n' 'ok     opt05/is_wrong_leaks: hazard' 'NOT OK opt05/is_wrong_races: pass' '       it passes' \
        'NOT OK opt05/is_right: hazard' >"$BATS_TEST_TMPDIR/emulator"
    make -s -C "$source_tree" build/expect && cp "$source_tree/build/expect" build
    printf '\nbuild/expect: ;\n' >>Makefile
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
