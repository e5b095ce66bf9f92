# Tools and names for reading a step's machine code. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash

# find_tool COMMAND: one that is only in a toolkit's directory, or in one of PyPI's wheels, is put on PATH.
find_tool() {
    command -v "$1" >/dev/null && return
    local place nvcc
    nvcc=$(command -v nvcc)
    for place in "${nvcc%/*}" /usr/local/cuda/{bin,compute-sanitizer} /opt/nvidia/nsight-compute/* \
        {"${VIRTUAL_ENV-}",~/.local,/usr/local,/usr}/lib/python3*/{site,dist}-packages/nvidia/cu1*/bin; do
        [[ -x $place/$1 ]] && { PATH=$PATH:$place; return; }
    done
    return 1
}

# gpu_arch GPU: what code is made for, such as sm_90, of a file of common/gpus; nothing where there is none.
gpu_arch() {
    sed -n 's/^compute_capability *\([0-9]*\)\.\([0-9]*\).*/sm_\1\2/p' "common/gpus/$1.gpu" 2>/dev/null
}

# source_names FILE: for each function in nvdisasm's output, its name in the object, a tab, and its name in the source.
source_names() {
    local names
    names=$(sed -n 's/^\.text\.\([^ ]*\):$/\1/p' "$1")
    if command -v c++filt >/dev/null; then
        paste <(echo "$names") <(c++filt <<<"$names")
    else
        paste <(echo "$names") <(echo "$names")
    fi
}
