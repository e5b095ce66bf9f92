#!/usr/bin/env bats
# experiments/measure, with experiments of its own, on the emulator.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load tree

setup_file() {
    tree=$BATS_FILE_TMPDIR/tree
    copy_tree "$tree" '@(opt01|byte01)*' || return
    mkdir -p "$tree/experiments" "$tree/tests"
    cp -r tests/variants "$tree/tests"
    cp experiments/measure "$tree/experiments"
    sed -i "s/ settings=()/ settings=('size 61x1021')/; s/ --inputs)/ --inputs | sed -n '1p; \/course\/p')/" "$tree/experiments/measure"
    cd "$tree/experiments" || return
    last='    CUDA_CHECK(cudaGetLastError());'
    printf '%s\n' 'base labs/opt01_single_thread' '' '== few' '' 'Fewer.' '' '@@' "-$last" "+    CUDA_CHECK(cudaPeekAtLastError());" \
        '' '== broken' '' 'Fewer.' '' '@@' "-$last" '+#error on purpose' >opt01_single_thread.changes
    printf '%s\n' 'base labs/byte01_global_atomics' '' '== few' '' 'Fewer.' '' '@@' '-enum { THREADS = BYTE_BINS, BLOCKS_PER_MULTIPROCESSOR = 2 };' '+enum { THREADS = BYTE_BINS, BLOCKS_PER_MULTIPROCESSOR = 1 };' >byte01_global_atomics.changes
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

@test "experiments: each is measured beside its base, on inputs of its problem; of one that does not compile the status is 1" {
    run -1 experiments/measure --device cpu --out "$out" few broken
    diff <(told step kind problem input verdict) - <<'END'
byte01_global_atomics|step|opt_bytehisto|random|pass
byte01_global_atomics, few|step|opt_bytehisto|random|pass
opt01_single_thread|step|opt_2dhisto|walk|pass
opt01_single_thread, few|step|opt_2dhisto|walk|pass
opt01_single_thread, broken|step|opt_2dhisto|walk|build-failed
opt01_single_thread|step|opt_2dhisto|course|pass
opt01_single_thread, few|step|opt_2dhisto|course|pass
opt01_single_thread, broken|step|opt_2dhisto|course|build-failed
END
    [ -s "$out/table.txt" ]
}

@test "experiments: wrong usage" {
    run -2 experiments/measure --device cpu --out "$out" none
    [[ $output == *"no experiment matches 'none'" ]]
    printf '%s\n' 'base labs/opt01_single_thread' '' '== lost' '' 'It.' >experiments/opt99_none.changes
    run -2 experiments/measure --device cpu --out "$out" lost
    rm experiments/opt99_none.changes
    [[ $output == *"experiments/opt99_none.changes has the name of no step" ]]
}

# What only a GPU runs: stand-ins for what needs one, and for the judge, which tells with what it is called.
@test "experiments: on a GPU the reads set the roof, and each base is measured again at the end" {
    gpu=$BATS_TEST_TMPDIR/gpu
    mkdir -p "$gpu/bin"
    cp -a . "$gpu/tree"
    cd "$gpu/tree"
    make -s build-changes
    mkdir -p build/gpu
    ln -s ../cpu/runner build/gpu/runner
    printf '#!/bin/sh\nprintf "kind gpu\\nname Stand-in\\n"\n' >build/gpu/device
    for tool in make nvcc nvidia-smi; do printf '#!/bin/sh\n' >"$gpu/bin/$tool"; done
    cat >build/judge-opt_2dhisto <<'END'
#!/usr/bin/env bash
[[ $1 != --dry-run ]] || exit 0
[[ $1 != --inputs ]] || { printf '%s\n' walk uniform; exit; }
read=no
while (($#)); do
    case $1 in
        build/gpu/*) built=$1 ;;
        --step) step=$2 ;;
        --record) record=$2 ;;
        --kind) read+=" $1" ;;
    esac
    shift
done
echo "${built#build/gpu/}|$step|${read#no }" >>"$record.told"
sed "s/BASE/$step/" <<<'{"submission":"","step":"BASE","kind":"step","problem":"opt_2dhisto","input":"walk","rows":1,"columns":1,"verdict":"pass","detail":"","device":{"kind":"gpu","name":"Stand-in","spec_gbps":1},"iterations":1000,"calls":1000,"scaled":false,"samples_s":[0.5,0.5],"median_s":0.5,"ci95_s":[0.5,0.5],"bytes":4,"gbps":1,"seed":"1","source_sha256":"00","when":"2026-01-01T00:00:00Z"}' >>"$record"
END
    chmod +x "$gpu/bin"/* build/gpu/device build/judge-opt_2dhisto
    PATH=$gpu/bin:$PATH run -0 experiments/measure --device gpu --out "$out" 'opt01_single_thread/few'
    diff "$out/results.jsonl.told" - <<'END'
common/baselines/read_overlapped|read_overlapped|--kind
common/baselines/read_overlapped_deep|read_overlapped_deep|--kind
common/baselines/read_plain|read_plain|--kind
labs/opt01_single_thread|opt01_single_thread|no
build/experiments/opt01_single_thread/few|opt01_single_thread, few|no
labs/opt01_single_thread|opt01_single_thread, again|no
END
}
