#!/usr/bin/env bats
# build/cpu/STEP/driver: a step without a judge around it.

load tree
load failed
bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
    tree=$BATS_TEST_TMPDIR/tree
    copy_tree "$tree" opt05_multiblock
    cd "$tree" || return
    driver=build/cpu/labs/opt05_multiblock/driver
}

# Put lines before the launch of the first kernel.
in_the_call() {
    local file=labs/opt05_multiblock/opt_2dhisto.cu
    awk -v lines="$1" '/histogram<<</ { print lines } { print }' "$file" >"$BATS_TEST_TMPDIR/changed"
    mv "$BATS_TEST_TMPDIR/changed" "$file"
    make -s "$driver"
}

@test "driver: a right step" {
    make -s "$driver"
    run -0 "$driver" small - 3
    [ "$output" = "" ]
}

# As guides/debugging.md has it.
@test "driver: a debugger stops in a kernel, in the thread that it is told, and knows its variables" {
    command -v gdb >/dev/null || skip "gdb is not installed"
    line=$(awk '/image\[i\]/ { print NR; exit }' labs/opt05_multiblock/opt_2dhisto.cu)
    make -s "$driver-debug"
    export HISTOLAB_THREADS=1
    run -0 gdb -nx -batch -ex "break opt_2dhisto.cu:$line if blockIdx.x == 1 && threadIdx.x == 5" -ex run -ex 'print i' \
        -ex 'print threadIdx' -ex backtrace --args "$driver-debug" 1x1033 - 1
    [[ $output == *'$1 = 1029'*'$2 = {x = 5, y = 0, z = 0}'*'#0  histogram ('*"opt_2dhisto.cu:$line"* ]]
}

# As guides/debugging.md has it.
@test "driver: the analysis, at any size" {
    awk '/__syncthreads/ && !n++ { next } { print }' labs/opt05_multiblock/opt_2dhisto.cu >changed
    mv changed labs/opt05_multiblock/opt_2dhisto.cu
    make -s "$driver-checked"
    run "$driver-checked" 1x33 - 2
    [[ $output == *"race-in-block: "*"labs/opt05_multiblock/opt_2dhisto.cu:"* ]]
}

@test "driver: what a call should not do, once, with its line, function and number" {
    # Not in CUDA_CHECK: lab_check is called from the same line.
    in_the_call '    void *memory;
    cudaMalloc(&memory, 1);
    cudaFree(memory);
    uint32_t first;
    cudaMemcpy(&first, image, sizeof first, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(bins, bins + 1, 1, cudaMemcpyDeviceToDevice);
    cudaStreamSynchronize(0);'
    run -0 "$driver" small - 3
    [ "$(grep -c '^remark: ' <<<"$output")" -eq 3 ]
    [[ $output == *"remark: allocates-in-call: "*"calls cudaMalloc at labs/opt05_multiblock/opt_2dhisto.cu:46, on the host"*"  1 time in 1 call"* ]]
    [[ $output == *"remark: transfers-in-call: "*"calls cudaMemcpy at labs/opt05_multiblock/opt_2dhisto.cu:49, on the host"*"  1 time in 1 call"* ]]
    [[ $output == *"remark: synchronizes-in-call: "*"calls cudaStreamSynchronize at labs/opt05_multiblock/opt_2dhisto.cu:51, on the host"* ]]
}

@test "driver: what the set-up and the tear-down do is theirs" {
    sed -i 's|CUDA_CHECK(cudaFree(scratch));|& cudaDeviceSynchronize();|; s|blocks = .*|& cudaDeviceSynchronize();|' \
        labs/opt05_multiblock/opt_2dhisto.cu
    make -s "$driver"
    run -0 "$driver" small - 2
    [ "$output" = "" ]
}

@test "driver: a call without a kernel" {
    in_the_call '    if (height) return;'
    run -1 "$driver" small - 1
    [[ $output == "remark: no kernel was launched in the call"*"driver: call 1 of 1 is wrong"* ]]
}

@test "driver: the launch of a graph is one, though it was captured in the set-up" {
    mkdir mine
    cat >mine/opt_2dhisto.cu <<'END'
#include "lab.h"

__global__ void nothing() {}

static cudaGraphExec_t executable;

void opt_2dhisto_setup(size_t, size_t) {
    cudaStream_t stream;
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    nothing<<<1, 1, 0, stream>>>();
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

void opt_2dhisto(const uint32_t *, size_t, size_t, uint8_t *) { CUDA_CHECK(cudaGraphLaunch(executable, 0)); }

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaGraphExecDestroy(executable)); }
END
    make -s build/cpu/mine/driver
    run -1 build/cpu/mine/driver small - 1 # the output is wrong
    [[ $output == "driver: call 1 of 1 is wrong"* ]]
}

@test "driver: a size that is none, or too large, is wrong usage and draws nothing" {
    make -s "$driver"
    for size in -1x5 '4 x4' 4x 1e3 99999999999999999999x1 4294967296x2 4097x4096; do
        run -2 "$driver" "$size" - 1
        [[ ${#lines[@]} -eq 1 && $output == "driver: a size "*"not $size" ]] || { echo "$size: $output"; return 1; }
    done
    run -0 "$driver" 33 - 1
}
