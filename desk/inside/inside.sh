# What profile and access share. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR/../..
. common/build/steps.sh
. common/build/cubin.sh

# The first argument of each program. Sets `asked`, the step as the user named it, `directory`, where it is,
# `source` and `built`.
choose_step() {
    asked=${1-}
    [[ -n $asked ]] || usage_error "which step? For example: make $program-opt05"
    if [[ -d $asked ]]; then
        directory=${asked%/}
    else
        find_step "$asked"
        directory=labs/$step
    fi
    built=build/gpu/$directory
    source=$(compgen -G "$directory/*.cu") || usage_error "there is no .cu file in $directory"
}

# needs COMMAND WHERE-FROM
needs() {
    find_tool "$1" && return
    fault "$1 is missing: $2; make doctor says more"
}

needs_nvcc() {
    needs nvcc "install the CUDA Toolkit, or put its bin directory on PATH"
}

# The GPU that the emulator is, in the environment's GPU: h200 if it names none.
choose_gpu() {
    export GPU=${GPU:-h200}
    [[ $GPU =~ ^[A-Za-z0-9_-]+$ && -e common/gpus/$GPU.gpu ]] ||
        usage_error "there is no GPU '$GPU'; GPU= is one of: $(cd common/gpus && printf '%s\n' *.gpu | sed 's/[.]gpu$//' | paste -sd ' ')"
}

# build TARGET [VARIABLE=VALUE]: quiet, unless the step does not compile.
build() {
    local said status
    said=$(make -s -j"$(nproc)" "$@" 2>&1 >/dev/null)
    status=$?
    [[ -z $said ]] || printable "$said" >&2
    ((status == 0)) || fault "$directory cannot be built: see above"
}
