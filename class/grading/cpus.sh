# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The CPUs of a run. Each grading that runs at the same time as others has CPUs of its own, so that a step that starts
# many processes crowds out nobody but itself. Sourced by gpus.sh.
# shellcheck shell=bash
#
# On the cpu device: work/cpus-N, one for each job, holds the CPUs of that slot as taskset writes them, and who
# grades there holds it as a lock: make starts the jobs, but does not number them. With several GPUs: work/cpus-UUID, for
# who has locked that GPU. In the sandbox of the cpu device a step cannot change its affinity. On a GPU, and without a
# sandbox, it can.

# share_cpus NAME...: writes work/cpus-NAME for each. Where there are fewer CPUs than names, some have the same one.
share_cpus() {
    local range cpus=() number=0 first last name
    range=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
    for range in ${range//,/ }; do
        for ((first = ${range%-*}; first <= ${range#*-}; first++)); do cpus+=("$first"); done
    done
    for name; do
        first=$((number * ${#cpus[@]} / $#)) last=$((++number * ${#cpus[@]} / $#))
        ((last > first)) || last=$((first + 1))
        (IFS=, && echo "${cpus[*]:first:last-first}") >"$work/cpus-$name" || fault "$(unwritable "$out")"
    done
}

# use_cpus NAME: moves this process there, and so all that it starts.
use_cpus() {
    [[ ! -s $work/cpus-$1 ]] || taskset -cp "$(<"$work/cpus-$1")" "$BASHPID" >/dev/null 2>&1
    return 0 # where the system forbids it, all share all CPUs
}

# Holds a slot as long as this process and its children live. Each job finds one: there are as many.
take_cpus() {
    local file slot
    while :; do
        for file in "$work"/cpus-*; do
            exec {slot}>>"$file"
            ! flock -n "$slot" || { use_cpus "${file##*/cpus-}"; return; }
            exec {slot}>&-
        done
        pause
    done
}
