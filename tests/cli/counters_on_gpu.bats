#!/usr/bin/env bats
# tests/counters-on-gpu and tests/counters-compare. The GPU's tools are stand-ins: in a small tree, make builds drivers
# that say how long launches take, and ncu prints two launches.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin out=$BATS_TEST_TMPDIR/out.tsv
    mkdir -p "$tree"/{common/gpus,desk/inside,tests/counters/loads,labs/opt05_multiblock,labs/opt01_single_thread} "$bin"
    cp "$source_tree"/common/prelude.sh "$tree/common"
    cp -r "$source_tree/common/build" "$tree/common"
    cp "$source_tree/desk/inside/inside.sh" "$tree/desk/inside"
    cp "$source_tree"/tests/counters-{on-gpu,compare} "$tree/tests"
    cp "$source_tree/tests/counters/compare.c" "$tree/tests/counters"
    printf '%s\n' '# A test.' 'name NVIDIA H200' >"$tree/common/gpus/h200.gpu"
    : >"$tree/tests/counters/known"
    cat >"$tree/Makefile" <<'END'
build/gpu/%/driver:
	@mkdir -p $(@D); printf '#!/bin/sh\nexit 1\n' >$@; chmod +x $@
build/gpu/%/driver-timed:
	@mkdir -p $(@D); printf '#!/bin/sh\necho launch 0 2100 900\n' >$@; chmod +x $@
build/cpu/%/driver-counted:
	@mkdir -p $(@D); printf '#!/bin/sh\ncp counts "$$HISTOLAB_COUNTS"; echo "$$GPU $$*" >>called\n' >$@; chmod +x $@
END
    fake nvcc 'exit 0'
    fake nvidia-smi 'case $* in -L) echo GPU 0: NVIDIA H200 ;; *driver*) echo 580.1 ;; *) echo NVIDIA H200 ;; esac'
    counts 1000 4,000
    PATH=$bin:$PATH
    cd "$tree" || return
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# counts REQUESTS SECTORS: an ncu that counts so many in the first of two launches. A list with metrics of the machine code
# it refuses.
counts() {
    fake ncu "echo \"\$*\" >>'$BATS_TEST_TMPDIR/called'
        case \$* in
            *--query*) echo 'smsp__inst_executed Counter of instructions'; echo 'smsp__sass_inst_executed_op_shared_atom'; exit ;;
            *--version*) echo 'Version 2025.3.1.0 (build 1)'; exit ;;
            *smsp__sass*) echo '==ERROR== no'; exit 1 ;;
            *opt01*) echo '==ERROR== it failed'; exit 1 ;;
        esac
        cat <<'END'
==PROF== Profiling
\"ID\",\"Kernel Name\",\"Grid Size\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"
\"\",\"\",\"\",\"\",\"\"
\"0\",\"histogram\",\"(264, 1, 1)\",\"$1\",\"$2\"
\"1\",\"saturate\",\"(1, 1, 1)\",\"32\",\"128\"
END"
}

value() { awk -F '\t' -v program="$1" -v launch="$2" -v metric="$3" '$1 == program && $3 == launch && $5 == metric { print $6 }' "$out"; }

@test "counters-on-gpu: a line for each program, launch and counter; small kernels are timed too" {
    run -0 tests/counters-on-gpu "$out" loads opt05
    [ "$(head -n 1 "$out")" = "# NVIDIA H200, driver 580.1, ncu 2025.3.1.0, $(date -u +%Y-%m-%d)" ]
    [ "$(value loads 0 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum)" = 4000 ]
    [ "$(value opt05_multiblock 1 l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum)" = 32 ]
    [ "$(value opt05_multiblock 0 'Grid Size')" = '(264, 1, 1)' ]
    [ "$(value loads 0 time_cold_ns)$(value loads 0 time_warm_ns)" = 2100900 ]
    [ -z "$(value opt05_multiblock 0 time_cold_ns)" ]
    grep -q 'smsp__inst_executed.sum' "$BATS_TEST_TMPDIR/called"
}

@test "counters-on-gpu: what is there is not done again; what failed is named, and the others are there" {
    run -1 tests/counters-on-gpu "$out"
    [[ $output == *"opt01_single_thread: ncu measured nothing"*"it failed"* ]]
    grep -q '^opt05_multiblock' "$out"
    cp "$out" before
    rm "$BATS_TEST_TMPDIR/called"
    run -1 tests/counters-on-gpu "$out"
    cmp before "$out"
    ! grep -v -e opt01 -e query -e version "$BATS_TEST_TMPDIR/called" || return 1
}

@test "counters-on-gpu: no program is begun after the budget" {
    sed -i '1a sleep 2' "$bin/ncu"
    run -1 tests/counters-on-gpu --budget 1 "$out"
    [[ $output == *"the budget is spent: opt05_multiblock"* ]]
    run -2 tests/counters-on-gpu --budget soon "$out"
    run -2 tests/counters-on-gpu
}

# counted REQUESTS SECTORS: what the emulator counts in the first launch.
counted() {
    printf '%s\n' 'histolab-counts 1' 'op 0 kernel 9 264 1 1 256 1 1 0 0 0 264 histogram' \
        "site 0 0 12 11 load global 4 $1 32000 $2 1000 0 0 1000 1" 'op 1 memset 4' \
        'op 2 kernel 20 1 1 1 32 1 1 0 0 0 1 saturate' 'site 2 0 22 0 load global 4 32 1024 128 32 0 0 32 1' >counts
}

@test "counters-compare: all that agrees, on the same input, for the GPU that was recorded" {
    tests/counters-on-gpu "$out" loads opt05
    counted 1000 4030
    run -0 tests/counters-compare "$out"
    [[ $output == *"sectors_load: 4 compared, 0 off, 0 known, worst 0.75 %"* ]]
    grep -qx 'h200 1024x4096 - 2' called
    grep -qx 'h200 graded - 2' called
    run -0 tests/counters-compare --all "$out" loads
    grep -qxF "$(printf 'loads\t0\thistogram\tsectors_load\t4000\t4030\t+0.75 %%\tok')" <<<"$output"
}

@test "counters-compare: what is off is told and fails, unless it is known" {
    tests/counters-on-gpu "$out" loads
    counted 1000 4100
    run -1 tests/counters-compare "$out"
    grep -qxF "$(printf 'loads\t0\thistogram\tsectors_load\t4000\t4100\t+2.50 %%\toff')" <<<"$output"
    echo 'load* 0 sectors_load the compiler splits it' >tests/counters/known
    run -0 tests/counters-compare "$out"
    [[ $output == *"known: the compiler splits it"* ]]
    echo 'load* 0-1 sectors_load both launches' >tests/counters/known
    run -0 tests/counters-compare "$out"
    echo 'load* 1-2 sectors_load other launches' >tests/counters/known
    run -1 tests/counters-compare "$out"
}

@test "counters-compare: another number of launches, or another grid, is off" {
    tests/counters-on-gpu "$out" loads
    counted 1000 4000
    sed -i 's/kernel 9 264/kernel 9 132/' counts
    run -1 tests/counters-compare "$out"
    [[ $output == *'grid'*'(264, 1, 1)'*'(132, 1, 1)'* ]]
    counted 1000 4000
    sed -i '/op 2/,$d' counts
    run -1 tests/counters-compare "$out"
    [[ $output == *'the emulator saw 1 launches, ncu 2'* ]]
}

@test "counters-compare: a file that is not there, a program that is not, another GPU" {
    run -2 tests/counters-compare nothing.tsv
    tests/counters-on-gpu "$out" loads
    run -2 tests/counters-compare "$out" sum01
    sed -i 's/H200/H300/' "$out"
    run -3 tests/counters-compare "$out"
}

@test "counters: what the emulator counts is what an H200 counted, for some of the small kernels" {
    cd "$source_tree"
    run -0 tests/counters-compare report/recorded/counters/nvidia-h200.tsv.gz stores shared_words shared_wide_pairs shared_atomic_lanes
    [[ $output == *'requests_store: '*', 0 off, 0 known'*'sectors_store: '*', 0 off, 0 known'* ]]
    [[ $output == *$'\nwavefronts: 108 compared, 0 off, 1 known'*$'\nconflicts: '*', 0 off, 1 known'* ]]
}
