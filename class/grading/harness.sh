# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What is built of this tree, carried from machine to machine. Sourced by slurm.sh, slurm-task and slurm-slice.
# shellcheck shell=bash
#
# Nodes of one kind can use the same builds. DIR/work/harness-KIND.tar holds those of the first node of its kind that has
# finished them. Nobody waits for it: a node that finds none builds its own.

# Sets `packed`, the file's path in the run's folder DIR: packed_for DIR.
packed_for() {
    local kind
    kind=$({
        uname -m
        getconf GNU_LIBC_VERSION
        "${CC:-gcc}" --version
        [[ $device == cpu ]] || nvcc --version
        # Steps are built for the GPUs that are there.
        [[ $device == cpu ]] || nvidia-smi -L | sed 's/^GPU [0-9]*: //; s/ (UUID.*//' | sort -u
    } 2>&1 | sha256sum)
    packed=$1/work/harness-${kind:0:12}.tar
}

# What build_all makes, and nothing else that has been built here.
pack_harness() {
    local new=$packed.$HOSTNAME-$$.new parts part built=()
    [[ ! -e $packed ]] || return 0
    parts=(build/judge{,-*} build/{grades,not-begun,isolate} "build/$device"/{device,nvcc,emulator,runner,problems,common} "${steps[@]/#/build/$device/}")
    for part in "${parts[@]}"; do [[ ! -e $part ]] || built+=("$part"); done
    tar -cf "$new" "${built[@]}" && mv "$new" "$packed"
}
