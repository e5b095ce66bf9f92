# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The lock of a folder of results: two gradings that write to one would write everything twice, or half of it. Sourced after
# grading.sh.
# shellcheck shell=bash disable=SC2154  # out, of whoever sources this
#
# Every process of a run holds the lock, so that what a killed run has left behind ends before the next.

take_lock() {
    local host process
    exec {lock}>>"$out/lock" || fault "$(unwritable "$out")"
    if ! flock -n "$lock"; then
        read -r host process <"$out/lock"
        [[ $host != "$HOSTNAME" ]] || ! kill -0 "$process" 2>/dev/null ||
            fault "another grading is at work in $out (process $process): wait for it, or choose another folder with --out"
        printf 'grade.sh: waiting for the last steps of a killed run\n' >&2
        attend flock -w 900 "$lock" || fault "$out is in use: wait, or choose another folder with --out"
    fi
    echo "$HOSTNAME $$" >"$out/lock" || fault "$(unwritable "$out")"
}
