# Builds of submitted steps, in isolation. Sourced by submissions.sh.
# shellcheck shell=bash

build_timeout=60 # seconds until a build is stopped

# Adds the sandbox to the settings of the judge; sets make_step, the command that builds a step inside, and `builds`, the
# directory of this run's builds.
choose_isolation() {
    local why file run on_gpu=()
    [[ $device == cpu ]] || on_gpu=(--gpu)
    export ISOLATE_LEVEL=bubblewrap
    if ! why=$(build/isolate/isolate --available "${on_gpu[@]}" 2>&1); then
        [[ -z $require_isolation ]] || fault "no isolation: $why"
        printf 'grade.sh: no isolation: %s\n' "$why" >&2
        ISOLATE_LEVEL=limits
    elif [[ -n $why ]]; then
        printf 'grade.sh: %s\n' "$why" >&2
        ISOLATE_LEVEL=landlock
    fi
    BWRAP_KNOWS=$(bwrap --help 2>&1)
    [[ $ISOLATE_LEVEL != bubblewrap ]] || export BWRAP_KNOWS
    settings+=("isolate build/isolate/isolate")
    # In the sandbox nothing of the harness is made, and no GPU tells what to build for.
    make_step=(make -k ARCH="$(architecture)")
    for file in build/{cpu,gpu}/{emulator/*,runner,problems/*}/*.o build/host/common/contract/*.o build/{contract,code-file,cpu/nvcc}; do
        [[ -e $file ]] && make_step+=("--assume-old=$file")
    done
    # A path without blanks whatever $out is, and neutral: compilers name it in what students read.
    run=$(realpath "$out" | sha256sum)
    builds=build/class/${run:0:12}
    ! is_counted || find_code_arch || code_arch=''
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
    find_counted_targets "build/cpu/$1"
    for file in "${counted_targets[@]}"; do
        [[ ! -e $file || -e $built/${file##*/} ]] && continue
        rm "$place/status" # the next grading tries again
        fault "builds of submissions for counters do not work here (${file##*/}): --no-count leaves counters out"
    done
}

# build_submitted_step STEP SOURCE HASH: one at a time of a source. Sets `place`, the directory that holds the source, and `built`, that
# of the runner; place/status is the build's exit status. It is empty or missing if the sandbox could not be made (125) or the disk
# is full: the next caller tries again.
build_submitted_step() {
    local step=$1 source=$2 status
    place=$builds/$step/$3 built=build/$device/$place
    ! is_built || return 0
    [[ -d $place ]] || mkdir -p "$place" || return 3
    [[ ! -e $built ]] || rm -rf "$built"
    copy "$source" "$place/${source##*/}" || return 3
    make_runners
    status=$?
    keep_build_log
    if ((status)) && disk_is_full; then
        echo "there is no space left for builds in $PWD/build" >>"$place/output"
    elif ((status != 125)); then
        echo "$status" >"$place/status"
    fi
}

# make_places FILE: the directories of what work_off is to build.
make_places() {
    local step twin who hash
    while read -r step twin who _; do
        IFS= read -r hash <"$out/records/$who/$step.source"
        [[ $twin != - || $hash == [-=!]' '* ]] || printf '%s\0' "$builds/$step/$hash"
    done <"$1" | xargs -0r mkdir -p || fault "$(unwritable build)"
}

# copy FROM TO: without a program, also of zero bytes.
copy() {
    local LC_ALL=C part
    while IFS= read -rd '' part; do printf '%s\0' "$part"; done <"$1" >"$2" && printf '%s' "$part" >>"$2"
}

# On a GPU: what the emulator's checks run of a step that has been built. Sets `emulated`, its directory. Where it does not build there,
# nothing is checked.
build_emulated() {
    local built=build/cpu/$place
    emulated=$built
    [[ ! -s $place/emulated ]] || return 0
    [[ ! -e $built ]] || rm -rf "$built"
    make_in_sandbox runner runner-checked
    echo built >"$place/emulated"
}

# Once all who have a source have their records: its builds take no more room, since those of a class would fill a disk. Where the
# step is graded again, it is built again. Emptied without a program, and nowhere but there; the run's end removes them.
drop_build() {
    local file folder
    for folder in "$place" "$built" "$emulated"; do
        [[ $folder == ?(build/?pu/)build/class/?*/?*/?* ]] || continue
        for file in "$folder"/{status,emulated,runner*,*.code,*.o}; do
            [[ ! -f $file || -L $file ]] || : >"$file"
        done
    done
}

# make_in_sandbox TARGET...: of what is built of the step at hand.
make_in_sandbox() {
    build/isolate/isolate build --timeout "$build_timeout" "$place" "$built" -- "${make_step[@]}" "${@/#/"$built/"}" >"$place/output" 2>&1
}

# What counters need is built in the same call, where they are wanted. The verdict does not depend on it: without it all the rest
# may build.
make_runners() {
    local targets=(runner)
    [[ $device == gpu ]] || targets+=(runner-checked)
    is_counted && make_in_sandbox "${targets[@]}" runner-counted ${code_arch:+"$code_arch.code"} || make_in_sandbox "${targets[@]}"
}

# Asked only where what was said may be of that.
disk_is_full() {
    local kb
    [[ $(<"$place/output") == *'No space left'* || ! -s $place/output ]] || return
    kb=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
    ((kb < 100000))
}

# Or has failed to build.
is_built() {
    [[ -s $place/status ]] && { [[ -x $built/runner ]] || [[ $(<"$place/status") != 0 ]]; }
}

# What the compiler said, within reason, of a file called as its author knows it.
keep_build_log() {
    local LC_ALL=C file=$built/build.log said=''
    [[ -f $file && -s $file && -r $file ]] || file=$place/output
    IFS= read -rd '' -n 200000 said <"$file"
    said=${said//"$built"/"$step"}
    [[ -d $built ]] || mkdir -p "$built"
    printf '%s' "${said//"$place"/"$step"}" >"$built/build.log"
}
