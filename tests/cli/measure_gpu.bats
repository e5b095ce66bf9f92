#!/usr/bin/env bats
# common/gpus/measure with stand-ins for nvidia-smi and nvcc: what nvcc "compiles" is the benchmark itself, a shell
# script here. The figures themselves need a GPU.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin out=$BATS_TEST_TMPDIR/mine.gpu
    mkdir -p "$tree/common/gpus/benchmarks" "$bin"
    cp "$source_tree"/common/prelude.sh "$tree/common"
    cp "$source_tree/common/gpus/measure" "$tree/common/gpus"
    # shellcheck disable=SC2016  # for the stand-ins to expand
    fake nvidia-smi 'case $* in *gpu=name*) echo "${GPU_NAME-NVIDIA H100 80GB HBM3}" ;; *driver*) echo 580.1 ;; *) echo "1980 MHz" ;; esac'
    # shellcheck disable=SC2016
    fake nvcc 'case $1 in --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit ;; esac
        grep -q "does not compile" "$4" && { echo "error: no" >&2; exit 1; }
        { echo "#!/bin/sh"; cat "$4"; } >"$6"; chmod +x "$6"'
    PATH=$bin:$PATH
    cd "$tree" || return
    benchmark device 'echo name NVIDIA H100; echo multiprocessors 132'
    benchmark launches 'echo launch_ns 1200; echo block_threads_ns 32 8; echo block_ns 9; echo block_threads_ns 256 1.5e+02'
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

benchmark() { echo "$2" >"common/gpus/benchmarks/$1.cu"; }

figures() { grep -v -e '^#' -e '^$' "$1"; }

@test "measure-gpu: every benchmark's figures in one file, which names the GPU, the driver and the toolkit" {
    run -0 common/gpus/measure "$out"
    [ "$(figures "$out")" = "$(printf '%s\n' 'name NVIDIA H100' 'multiprocessors 132' 'launch_ns 1200' 'block_threads_ns 32 8 256 1.5e+02' 'block_ns 9')" ]
    grep -q '^# NVIDIA H100 80GB HBM3, driver 580.1, CUDA Toolkit 13.0, .*, clock at most 1980 MHz' "$out"
    [ ! -e "$out.part" ]
}

@test "measure-gpu: the file is named after the GPU if no other is" {
    run -0 common/gpus/measure
    [ -s common/gpus/h100.gpu ]
    GPU_NAME='NVIDIA GeForce RTX 4090' run -0 common/gpus/measure
    [ -s common/gpus/rtx4090.gpu ]
    GPU_NAME='Tesla V100-SXM2-16GB' run -0 common/gpus/measure
    [ -s common/gpus/v100.gpu ]
}

@test "measure-gpu: one benchmark that fails or does not compile costs only its own figures" {
    benchmark barriers 'echo barrier_ns 32 9.5; echo "barriers.cu:3: no memory" >&2; exit 3'
    benchmark atomics 'does not compile'
    run -1 common/gpus/measure "$out"
    [[ $output == *"atomics barriers"* ]]
    grep -qx '# stopped with status 3: barriers.cu:3: no memory' "$out"
    grep -q '^# does not compile: error: no' "$out"
    grep -qx 'barrier_ns 32 9.5' "$out"
    grep -qx 'launch_ns 1200' "$out"
}

@test "measure-gpu: what is no figure is no key" {
    benchmark launches 'echo launch_ns nan; echo gap_ns inf; echo memset_ns 5'
    run -0 common/gpus/measure "$out"
    run -0 figures "$out"
    [[ $output != *nan* && $output != *inf* ]]
    grep -qx 'memset_ns 5' "$out"
}

@test "measure-gpu: without a GPU, or without nvcc, it says so" {
    GPU_NAME='' run -3 common/gpus/measure "$out"
    [[ $output == *'no GPU'* ]]
    run -2 common/gpus/measure "$out" more
}

@test "GPU files: each has the keys that say what it is, and nothing but comments and figures" {
    for file in "$source_tree"/common/gpus/*.gpu; do
        for key in name multiprocessors clock_mhz l2_bytes dram_gbps dram_ns launch_ns; do
            grep -q "^$key [0-9A-Za-z]" "$file" || { echo "$file: no $key"; return 1; }
        done
        ! grep -vE '^(#.*|name .*|[a-z][a-z0-9_]*( [0-9.]+(e[-+]?[0-9]+)?)+)?$' "$file" || return
    done
}

@test "GPU files: every key stands in the README" {
    sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p' "$source_tree"/common/gpus/*.gpu | LC_ALL=C sort -u | while read -r key; do
        grep -q "\`${key}[ \`]" "$source_tree/common/gpus/README.md" || { echo "$key"; return 1; }
    done
}
