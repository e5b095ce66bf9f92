# Programs of build/isolate/. Sourced by sandbox.sh, at the tree's root, after prelude.sh.
# shellcheck shell=bash

# need PROGRAM: builds it where it is not there.
need() {
    local tree=${prelude%/common}
    [[ $tree/build/isolate/$1 -nt $tree/class/isolation/${1%.*}.c ]] || make -s -C "$tree" "build/isolate/$1" >/dev/null || fault "build/isolate/$1 does not build"
}
