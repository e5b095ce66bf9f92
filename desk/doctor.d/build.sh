# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Finds and removes what another machine or compiler made in build/. Part of desk/doctor.
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

# gcc and clang leave their name and version in every object.
check_objects() {
    local version object
    version=$(version_of "$cc" -dumpfullversion)
    version=${version:-$(version_of "$cc" --version)}
    object=$(find build/judge build/cpu -name '*.o' -exec grep -a -L -F -e ") $version" -e "clang version $version" {} + 2>/dev/null | head -n 1)
    [[ -z $object ]] || remove_build "$object was not built by $cc $version" build/judge build/judge-* build/cpu
}

# Machine code runs on GPUs of the same major version; PTX is translated for any later one.
holds_code_for() {
    awk -v gpu="$1" '
        match($0, /sm_[0-9]+/) {
            code = substr($0, RSTART + 3, RLENGTH - 3) + 0
            if (code <= gpu + 0 && ($0 ~ /\.ptx/ || int(code / 10) == int(gpu / 10)))
                found = 1
        }
        END { exit !found }'
}

check_gpu_objects() {
    local object listing
    object=$(find build/gpu/labs -name step.o -print -quit 2>/dev/null)
    [[ -n $object && -n $capability ]] && has cuobjdump || return 0
    listing=$(cuobjdump --list-elf "$object" 2>/dev/null; cuobjdump --list-ptx "$object" 2>/dev/null)
    holds_code_for "${capability/./}" <<<"$listing" ||
        remove_build "build/gpu holds no code for this GPU (compute capability $capability)" build/gpu
}

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
    ((!cpu_works)) || check_objects
    check_gpu_objects
}
