#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# experiments/measure, with experiments of its own, on the emulator. report.bats has the tables.

bats_require_minimum_version 1.5.0 # run -N, run !

load tree

setup_file() {
    tree=$BATS_FILE_TMPDIR/tree
    copy_tree "$tree" '@(opt14|byte06)*' || return
    mkdir -p "$tree/experiments"/{opt14_one_launch,byte06_overlap,read_plain}
    cp experiments/{measure,table,table.awk} "$tree/experiments"
    cd "$tree/experiments" || return
    printf '%s\n' 'base labs/opt14_one_launch' '' 'Fewer.' '' '@@' '-enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 2, UNROLL = 4 };' \
        '+enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 1, UNROLL = 4 };' >opt14_one_launch/few
    sed 's/+enum/+#error on purpose\n+enum/' opt14_one_launch/few >opt14_one_launch/broken
    printf '%s\n' 'base labs/byte06_overlap' '' 'Fewer.' '' '@@' '-enum { COPIES = 32 };' '+enum { COPIES = 16 };' >byte06_overlap/few
    printf '%s\n' 'base common/baselines/read_plain' '' 'Plain.' '' '@@' '-            quad[k] = __ldcs(&quads[i + k * stride]);' \
        '+            quad[k] = quads[i + k * stride];' >read_plain/few
    sed 's/quads\[i + k \* stride\];/quads[i];/' read_plain/few >read_plain/wrong
}

setup() {
    cd "$BATS_FILE_TMPDIR/tree" || return
    out=$BATS_TEST_TMPDIR/out
}

# told FIELD...: of each record.
told() {
    local fields
    printf -v fields '.%s, ' "$@"
    jq -r "[${fields%, }] | join(\"|\")" "$out/results.jsonl"
}

@test "experiments: each is measured beside its base, a read as reads are, on inputs of its problem" {
    run -0 experiments/measure --device cpu --out "$out" few --inputs 'uniform walk hot'
    diff <(told step kind problem input verdict) - <<'END'
byte06_overlap|step|opt_bytehisto|hot|pass
byte06_overlap, few|step|opt_bytehisto|hot|pass
opt14_one_launch|step|opt_2dhisto|uniform|pass
opt14_one_launch, few|step|opt_2dhisto|uniform|pass
read_plain|read|opt_2dhisto|uniform|pass
read_plain, few|read|opt_2dhisto|uniform|pass
opt14_one_launch|step|opt_2dhisto|walk|pass
opt14_one_launch, few|step|opt_2dhisto|walk|pass
read_plain|read|opt_2dhisto|walk|pass
read_plain, few|read|opt_2dhisto|walk|pass
opt14_one_launch|step|opt_2dhisto|hot|pass
opt14_one_launch, few|step|opt_2dhisto|hot|pass
read_plain|read|opt_2dhisto|hot|pass
read_plain, few|read|opt_2dhisto|hot|pass
END
    [ "$(grep -c '^## ' "$out/table.md")" = 3 ]
}

@test "experiments: one that is wrong, or that does not compile, is told, and the status is 1" {
    run -1 experiments/measure --device cpu --out "$out" --problem opt_bytehisto 'read_plain/*' broken --inputs walk
    diff <(told step problem input verdict) - <<'END'
opt14_one_launch|opt_2dhisto|walk|pass
opt14_one_launch, broken|opt_2dhisto|walk|build-failed
read_plain|opt_bytehisto|random|pass
read_plain, few|opt_bytehisto|random|pass
read_plain, wrong|opt_bytehisto|random|wrong
END
}

@test "experiments: wrong usage" {
    run -2 experiments/measure --device cpu --out "$out" none
    [[ $output == *"no experiment matches 'none'" ]]
    run -2 experiments/measure --device cpu --out "$out" few --inputs 'walk wlak'
    [[ $output == *"no input 'wlak' in opt_bytehisto opt_2dhisto" ]]
    run -2 experiments/measure --device cpu --out "$out" few --problem opt_none
    [[ $output == *"there is no problem 'opt_none'" ]]
    mkdir experiments/opt99_none && cp experiments/opt14_one_launch/few experiments/opt99_none/lost
    run -2 experiments/measure --device cpu --out "$out" lost
    rm -r experiments/opt99_none
    [[ $output == *"experiments/opt99_none has the name of no step, and of nothing in common/baselines" ]]
}
