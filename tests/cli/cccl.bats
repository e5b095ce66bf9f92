#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# CCCL=DIR: baselines that use CUB, built and measured once more with DIR's headers in place of the toolkit's.

bats_require_minimum_version 1.5.0 # run -N

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree" "$BATS_TEST_TMPDIR/other/cub/device"
    export CCCL=$BATS_TEST_TMPDIR/other
    echo '#define CUB_VERSION 900807 // macro' >"$CCCL/cub/version.cuh"
    echo '#error "this is the other CUB"' | tee "$CCCL/cub/device/device_reduce.cuh" >"$CCCL/cub/device/device_histogram.cuh"
}

# The baselines of sums in a copy of the tree, and what else stands between $1 and the end: a program.
in_a_copy() {
    [[ -e $tree/common ]] || cp -a Makefile VERSION common emulator "$tree"
    cat >"$tree/common/prog" <<END
. "\${BASH_SOURCE[0]%/*}/prelude.sh"
. common/build/grading.sh
device=gpu functions=(opt_sum)
$1
END
    "$BASH" "$tree/common/prog"
}

sums_baselines() {
    in_a_copy "find_baselines; printf '%s\n' \"\${baselines[@]}\""
}

@test "cccl: of the baselines those that use CUB stand there twice, the second with the version in its name" {
    run -0 sums_baselines
    [ "$(grep -c cub <<<"$output")" = 2 ]
    [[ $output == *common/baselines/cub_sum$'\n'*build/baselines/cub_sum-9.8.7* ]]
    [ "$tree/build/baselines/cub_sum-9.8.7/opt_sum.cu" -ef "$tree/common/baselines/cub_sum/opt_sum.cu" ]
    run -0 sums_baselines # again: the link is there
    [ "$tree/build/baselines/cub_sum-9.8.7/opt_sum.cu" -ef "$tree/common/baselines/cub_sum/opt_sum.cu" ]
    [ ! -e "$tree/common/baselines/cub_sum/cub_sum" ]
    CCCL='' run -0 sums_baselines
    [ "$(grep -c cub <<<"$output")" = 1 ]
}

@test "cccl: a folder relative to the caller's; one without CUB is wrong usage" {
    cd "$BATS_TEST_TMPDIR"
    cp -a "$BATS_TEST_DIRNAME"/../../{Makefile,VERSION,common,emulator} "$tree"
    CCCL=other run -0 sums_baselines
    [[ $output == *cub_sum-9.8.7* ]]
    CCCL=$tree run -2 sums_baselines
    [[ $output == *"'$tree' has no cub/version.cuh: see common/README.md"* ]]
}

@test "cccl: only what lies in build/baselines is compiled with its headers" {
    run -0 sums_baselines
    cd "$tree"
    run -0 make -n ARCH=sm_90 build/gpu/build/baselines/cub_sum-9.8.7/runner
    [ "$(grep -c -e "-I'$CCCL'" <<<"$output")" = 1 ]
    [[ $output == *"-I'$CCCL' -Ibuild/baselines/cub_sum-9.8.7 "*" -c build/baselines/cub_sum-9.8.7/opt_sum.cu "* ]]
    run -0 make -n ARCH=sm_90 build/gpu/common/baselines/cub_sum/runner build/gpu/device
    [[ $output == *"-c common/baselines/cub_sum/opt_sum.cu"* && $output != *"$CCCL"* ]]
}

@test "cccl: nvcc takes the folder's CUB, not the toolkit's" {
    command -v nvcc >/dev/null || skip "nvcc is not installed"
    run -0 sums_baselines
    run -2 make -s -C "$tree" ARCH=sm_90 build/gpu/build/baselines/cub_sum-9.8.7/step.o
    [[ $output == *"this is the other CUB"* ]]
}

@test "cccl: the record names the version that it was built with" {
    make -s build/judge-opt_2dhisto build/cpu/labs/opt01_single_thread/runner >/dev/null
    in_a_copy 'functions=(opt_2dhisto); find_baselines' # for the link
    cp -a build/judge-opt_2dhisto "$tree/build"
    printf '%s\n' "kind gpu" "name one" "uuid GPU-x" "driver x" "sms 8" "l2_bytes 4096" "cub 3.0.1" >"$tree/device"
    printf '%s\n' "device $tree/device" 'size 1x32' 'iterations 4' 'samples 2' 'budget 0.0001' >"$tree/run-opt_2dhisto"
    for directory in build/baselines/cub_histogram-9.8.7 common/baselines/cub_histogram; do
        mkdir -p "$tree/build/gpu/$directory"
        ln -s "$PWD/build/cpu/labs/opt01_single_thread/runner" "$tree/build/gpu/$directory/runner"
        ln -s runner "$tree/build/gpu/$directory/runner-checked"
        : >"$tree/build/gpu/$directory/evidence"
        in_a_copy "function=opt_2dhisto runs=run records=records.jsonl logs=. device_file=device; judge_baseline $directory" || true # its times mean nothing
    done
    [ "$(jq -r '.step + " " + .kind + " " + .build.cub' "$tree/records.jsonl" | paste -sd ';')" = \
        "cub_histogram-9.8.7 baseline 9.8.7;cub_histogram baseline 3.0.1" ]
    # Pages say it of both in the same way.
    run -0 report/table "$tree/records.jsonl"
    [[ $output == *"cub_histogram-3.0.1 "*"cub_histogram-9.8.7 "* ]]
}
