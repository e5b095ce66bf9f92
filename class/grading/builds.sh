# Builds of submitted steps, in isolation. Sourced by submissions.sh and grade-step.
# shellcheck shell=bash

build_timeout=60 # seconds until a build is stopped

# Adds class/isolate to the settings of the judge; sets make_step, the command that builds a step inside, and `builds`, the
# directory of this run's builds.
choose_isolation() {
    local why file run on_gpu=()
    [[ $device == cpu ]] || on_gpu=(--gpu)
    export ISOLATE_LEVEL=bubblewrap
    if ! why=$(class/isolate --available "${on_gpu[@]}" 2>&1); then
        [[ -z $require_isolation ]] || fault "no isolation: $why"
        printf 'grade.sh: no isolation: %s\n' "$why" >&2
        ISOLATE_LEVEL=limits
    elif [[ -n $why ]]; then
        printf 'grade.sh: %s\n' "$why" >&2
        ISOLATE_LEVEL=landlock
    fi
    BWRAP_KNOWS=$(bwrap --help 2>&1)
    [[ $ISOLATE_LEVEL != bubblewrap ]] || export BWRAP_KNOWS
    settings+=("isolate class/isolate")
    # In the sandbox nothing of the harness is made, and no GPU tells what to build for.
    make_step=(make ARCH="$(architecture)")
    for file in build/{cpu,gpu}/{emulator/*,runner,problems/*}/*.o build/host/common/contract/*.o build/{contract,cpu/nvcc}; do
        [[ -e $file ]] && make_step+=("--assume-old=$file")
    done
    # A path without blanks whatever $out is, and neutral: compilers name it in what students read.
    run=$(realpath "$out" | sha256sum)
    builds=build/class/${run:0:12}
}

architecture() {
    [[ $device == gpu ]] || return 0
    sed -n 's/^arch //p' "$device_file"
}

# Builds this tree's own step of each problem as a submission's step is built. If that fails, the harness is at
# fault, not a student.
try_builds() {
    local step place built function tried=''
    progress 'trying a build'
    for step in "${steps[@]##*/}"; do
        function=$(function_of "labs/$step")
        [[ " $tried " != *" $function "* && -x build/$device/labs/$step/runner ]] || continue
        tried+=" $function"
        build_submitted_step "$step" "labs/$step/$function.cu" own && [[ $(<"$place/status") == 0 ]] ||
            fault "builds of submissions do not work here: $(tail -n 1 "$place/output")"
        try_emulated
        try_counted "labs/$step"
    done
}

try_emulated() {
    local emulated
    [[ $device == gpu ]] || return 0
    build_emulated
    [[ -x $emulated/runner-checked ]] || fault "builds of submissions for the emulator's checks do not work here: $(tail -n 1 "$place/output")"
}

# What counts this tree's own step has to count others' steps, too: where a rubric pays predicted times, they would earn
# nothing otherwise.
try_counted() {
    local file
    is_counted || return 0
    for file in "build/cpu/$1"/{runner-counted,*.code}; do
        [[ ! -e $file || -e $built/${file##*/} ]] && continue
        rm "$place/status" # the next grading tries again
        fault "builds of submissions for counters do not work here (${file##*/}): --no-count leaves counters out"
    done
}

# build_submitted_step STEP SOURCE HASH: equal sources are built once, since many submissions contain steps that
# nobody has changed. Sets `place`, the directory that holds the source, and `built`, that of the runner; place/status is
# the build's exit status. It does not exist if the sandbox could not be made (125) or the disk is full: the next
# caller tries again.
build_submitted_step() {
    local step=$1 source=$2 turn status
    place=$builds/$step/$3 built=build/$device/$place
    ! is_built || return 0
    mkdir -p "$place" || return 3
    exec {turn}>"$place.lock" || return 3
    flock "$turn"
    if ! is_built; then
        rm -rf "$built" "$place/status"
        cp "$source" "$place/" || return 3
        make_runners
        status=$?
        ((status)) || make_code
        rm -f "$built"/*.{o,s} "$built"/step.{cpp,ii}
        keep_build_log
        if ((status)) && disk_is_full; then
            echo "there is no space left for builds in $PWD/build" >>"$place/output"
        elif ((status != 125)); then
            echo "$status" >"$place/status"
        fi
    fi
    exec {turn}>&-
}

# On a GPU: what the emulator's checks run of a step that has been built. Sets `emulated`, its directory. Where it does not build there,
# nothing is checked.
build_emulated() {
    local turn built=build/cpu/$place
    emulated=$built
    exec {turn}>"$place.lock" || return 3
    flock "$turn"
    if [[ ! -e $place/emulated ]]; then
        rm -rf "$built"
        make_in_sandbox runner runner-checked
        rm -f "$built"/*.{o,s} "$built"/step.{cpp,ii}
        : >"$place/emulated"
    fi
    exec {turn}>&-
}

# Prints the notes (take-in.sh) of all submissions that have this very source of the step.
same_sources() {
    grep -lxF -- "$hash" "$out"/records/[!-]*/"$step.source"
}

# Once a step has been graded: what is large of its build, if no other submission has the same source. Steps that fill
# hundreds of megabytes each would fill the disk for all. If the step is graded again, it is built again.
drop_large_build() {
    [[ -n $submission && $hash != - ]] || return 0
    (($(same_sources | wc -l) > 1)) ||
        find "$place" "$built" ${emulated:+"$emulated"} -type f -size +16M -delete
}

# make_in_sandbox TARGET...: of what is built of the step at hand.
make_in_sandbox() {
    class/isolate build --timeout "$build_timeout" "$place" "$built" -- "${make_step[@]}" "${@/#/"$built/"}" >"$place/output" 2>&1
}

# What counters need is built in the same call, where they are wanted. The verdict does not depend on it: without it all the rest
# may build.
make_runners() {
    local targets=(runner)
    [[ $device == gpu ]] || targets+=(runner-checked)
    is_counted && make_in_sandbox "${targets[@]}" runner-counted || make_in_sandbox "${targets[@]}"
}

# Nothing is said if it fails.
make_code() {
    is_counted && find_code_arch || return 0
    local code=build/code/$code_arch/$place
    class/isolate build --timeout "$build_timeout" "$place" "$code" -- common/build/code "$code/code" "$place" "$code_arch" >/dev/null 2>&1 &&
        mv "$code/code" "$built/$code_arch.code"
    rm -rf "$code"
}

disk_is_full() {
    local kb
    kb=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
    ((kb < 100000))
}

# Or has failed to build.
is_built() {
    [[ -e $place/status ]] && { [[ -x $built/runner ]] || [[ $(<"$place/status") != 0 ]]; }
}

# What the compiler said, within reason, of a file called as its author knows it.
keep_build_log() {
    local said=$built/build.log
    [[ -s $said ]] || said=$place/output
    head -c 200000 "$said" | sed "s|$built/|$step/|g; s|$place/|$step/|g" >"$place/build.log"
    mkdir -p "$built" && cp "$place/build.log" "$built/build.log"
}
