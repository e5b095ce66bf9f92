# For test files that need a tree of their own to change: `load tree`. What is built here is copied, so that
# make does not build it again there.
# shellcheck shell=bash

source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# copy_tree DIRECTORY PATTERN: what is in the tree for all, and the steps whose names match the pattern.
copy_tree() {
    local step
    mkdir -p "$1"/{labs,tests}
    cp -a "$source_tree"/{Makefile,grade.sh,common,emulator,desk,class,report,data} "$1"
    for step in "$source_tree"/labs/*/; do
        # shellcheck disable=SC2053  # the right side is a pattern
        [[ $(basename "$step") != $2 ]] || cp -a "${step%/}" "$1/labs"
    done
    cp "$source_tree/labs/Makefile" "$1/labs"
    copy_built "$1"
}

# with_small_blocks TREE: of opt05 and opt06 there have 64 threads in place of 1024, on the same lines: who grades them for
# what a grading does, and not for what they are, waits half as long.
with_small_blocks() {
    local each='for (unsigned bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)'
    sed -i "s/THREADS = HISTO_BINS/THREADS = 64/; s/<<<1, HISTO_BINS>>>/<<<HISTO_BINS \/ THREADS, THREADS>>>/
        s/^    partial\[threadIdx.x\] = 0;/    $each partial[bin] = 0;/
        s/^    atomicAdd(&counts.*/    $each atomicAdd(\&counts[bin], partial[bin]);/" "$1"/labs/opt0[56]_*/opt_2dhisto.cu
}

# with_one_block TREE: and one of them, which has the fewest bins to clear and to add up.
with_one_block() {
    with_small_blocks "$1"
    sed -i 's/BLOCKS_PER_MULTIPROCESSOR \* lab_multiprocessors()/1/' "$1"/labs/opt0[56]_*/opt_2dhisto.cu
}

# without_charts TREE: gradings there draw none, and make no page. That takes two thirds of the time of a quick one.
without_charts() {
    printf '#!/bin/sh\n' >"$1/report/index"
}

# copy_built TREE: all programs of the harness, so that nothing there is made new and steps stay as they were built; of the tree's
# steps those that are the same as here. The tree's common/, emulator/ and Makefile must be the same, too, for the same would be built of them.
copy_built() {
    local step targets=() same=() front=()
    diff -r -x "*.md" -x handed-out -x hints "$source_tree/common" "$1/common" && diff -r -x "*.md" "$source_tree/emulator" "$1/emulator" && diff "$source_tree/Makefile" "$1/Makefile" || return
    for step in "$1"/labs/*/; do
        step=labs/$(basename "$step")
        ! diff -rq -x Makefile "$1/$step" "$source_tree/$step" >/dev/null || same+=("$step")
    done
    targets=(build/{report,grades,not-begun,contract} build/cpu/device build/cpu/runner/driver.o build-isolate)
    for step in "$source_tree"/common/problems/*/problem.c; do
        step=$(basename "$(dirname "$step")")
        targets+=("build/judge-$step" "build/cpu/problems/$step/call.o")
    done
    for step in "${same[@]}"; do targets+=("build/cpu/$step"/runner{,-checked,-counted}); done
    [[ ! -e $1/class/goals.def ]] || front=(build/front)
    make -s -j2 -C "$source_tree" "${targets[@]}" "${front[@]}" >&2 || return
    mkdir -p "$1/build"/{cpu,sources}/labs
    cp -a "$source_tree"/build/{data,host,judge,judge-*,isolate,report,grades,not-begun,contract} "$1/build"
    for step in "${front[@]}"; do cp -a "$source_tree/$step" "$1/$step"; done
    cp -a "$source_tree"/build/cpu/{device,nvcc,emulator,runner,problems} "$1/build/cpu"
    for step in "${same[@]}"; do
        cp -a "$source_tree/build/cpu/$step" "$1/build/cpu/labs"
        sha256sum "$1/$step"/*.cu | cut -d ' ' -f 1 >"$1/build/sources/$step" # as grade.sh notes it
    done
    # Newer than sources that were just unpacked, and equally new, as make wants what depends on each other.
    find "$1/build" -type f -exec touch -d "@$EPOCHREALTIME" {} +
}
