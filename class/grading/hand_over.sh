# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# From a node's disk to the folder of the whole run: what a task of Slurm (slurm-slice) hands over as soon as it has made it.
# Sourced by the recipes.
# shellcheck shell=bash
#
# Several nodes write to that folder, and flock does not hold on all network file systems. So nothing is locked: each file
# has one name, and is renamed into place when it is whole.

# hand_over FILE...: from $out to $shared, in this order. Without $shared, on one machine, there is nothing to do.
hand_over() {
    [[ -n $shared ]] || return 0
    local file new
    for file; do
        [[ -e $out/$file ]] || continue
        new=$shared/$file.$HOSTNAME-$$.new
        mkdir -p "${new%/*}" && cp "$out/$file" "$new" && mv "$new" "$shared/$file" || return
    done
}

# hand_over_step WHO STEP: its log, then what came out. A record that is there already stays: a task that Slurm took for
# dead, and started again elsewhere, may have lived on.
hand_over_step() {
    [[ -n $shared && ! -e $shared/records/$1/$2.jsonl ]] || return 0
    local log=logs/$1/$2.log source=''
    [[ $1 != -* ]] || log=logs/$2.log source=records/$1/$2.source
    hand_over "$log" ${source:+"$source"} "records/$1/$2".{failed,jsonl} || return
    [[ ! -e $shared/records/$1/$2.jsonl ]] || rm -f "$shared/records/$1/$2.failed"
}
