# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Baselines that use CUB, measured with another CUB as well: CCCL=DIR names a folder that holds cub/, thrust/ and cuda/, as
# NVIDIA's CCCL has them. Each such baseline is then built a second time, with these headers in place of the toolkit's
# (README.md beside it says where to get them). Sourced by grading.sh.
# shellcheck shell=bash

# cub_version DIR: as 3.5.0; nothing where DIR does not hold CUB.
cub_version() {
    local number
    number=$(sed -n 's/^#define CUB_VERSION \([0-9][0-9]*\).*/\1/p' "$1/cub/version.cuh" 2>/dev/null)
    [[ -z $number ]] || echo "$((number / 100000)).$((number / 100 % 1000)).$((number % 100))"
}

# Adds to `baselines`: build/baselines/cub_sum-3.5.0 is a link to common/baselines/cub_sum. The Makefile builds what
# lies in build/baselines with the headers of CCCL.
add_cccl_baselines() {
    local directory link version
    [[ -n ${CCCL-} ]] || return 0
    version=$(cub_version "$(from_caller "$CCCL")")
    [[ -n $version ]] || usage_error "CCCL names a folder that holds cub/, thrust/ and cuda/, and '$CCCL' has no cub/version.cuh: see common/README.md"
    CCCL=$(cd -- "$(from_caller "$CCCL")" && pwd) || exit 2
    export CCCL
    for directory in "${baselines[@]}"; do
        [[ $directory == common/* ]] && grep -qs '#include <cub/' "$directory"/*.cu || continue
        link=build/baselines/${directory##*/}-$version
        mkdir -p build/baselines && ln -sfn "../../$directory" "$link" || fault "cannot write to build/baselines"
        baselines+=("$link")
    done
}

# described_for DIRECTORY: the device file, with the CUB that this baseline is built with.
described_for() {
    if [[ $1 == build/baselines/* ]]; then sed "s/^cub .*/cub ${1##*-}/" "$device_file"; else cat "$device_file"; fi
}
