# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Finds and removes what another machine made in build/. Part of desk/doctor.
# shellcheck shell=bash

# remove_build WHY PATH...
remove_build() {
    local why=$1
    shift
    if rm -rf "$@" 2>/dev/null; then
        mended "$why: removed; it is built again when it is next needed"
    else
        problem "$why, and it cannot be removed" "rm -rf $*"
    fi
}

# The two bytes of a program's header that say what processor it is for.
processor_of() { od -An -j 18 -N 2 -t x1 "$1"; }

check_build() {
    local object judge
    object=$(find build -name '*.o' -print -quit 2>/dev/null)
    [[ -n $object ]] || return 0
    if [[ $(processor_of "$object") != "$(processor_of "$BASH")" ]]; then
        remove_build 'build/ holds code for another kind of processor' build
        return
    fi
    for judge in build/judge-*; do
        [[ -x $judge ]] || continue
        "$judge" --inputs >/dev/null 2>&1 && continue
        remove_build 'build/ was made on another system, and its judge does not start here' build
        return
    done
}
