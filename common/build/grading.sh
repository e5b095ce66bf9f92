# What all who grade share: which steps, on which device, the harness's builds, the judge, and the baselines
# that a step is compared with. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash disable=SC2154  # the variables that callers set
#
# Callers set, from their options: device, pattern, iterations, jobs, out, and settings: an array of lines
# for the run file ("size 512x3984"; common/judge/options.h says which there are). Who wants counters sets gpu,
# the name of a file of common/gpus, and counting: all steps are counted, or none.
# Who wants some baselines only sets baseline_pattern.
# Callers set, for the functions of the judge: records (the file that records are added to), logs (a
# directory), device_file (what the program `device` printed), runs (run files are $runs-FUNCTION), and
# function (of the step at hand).

# shellcheck source=common/build/steps.sh
. common/build/steps.sh
. common/build/attend.sh
. common/build/cubin.sh
gpu='' counting=none baseline_pattern='*' assigned=()

# ---- steps and device ---------------------------------------------------------------------------

# The function that a step implements: the name of its .cu file.
function_of() {
    local file
    for file in "$1"/*.cu; do
        [[ -e $file ]] || return
        file=${file##*/}
        echo "${file%.cu}"
        return
    done
}

# Directory of each step that the pattern selects, and an assignment if there is one, and the functions that these implement.
select_steps() {
    steps=() functions=()
    local directory function
    check_folders "${assigned[@]:-$pattern}"
    while IFS= read -r directory; do
        fits "${directory#labs/}" "$pattern" && fits "${directory#labs/}" "${assigned[@]:-*}" || continue
        steps+=("$directory") function=$(function_of "$directory")
        [[ " ${functions[*]} " == *" $function "* ]] || functions+=("$function")
    done < <(steps_in_order)
    ((${#steps[@]})) || usage_error "no step under labs/ matches '$pattern'${assigned:+, and what the assignment names: ${assigned[*]}} (ls labs/ lists them)"
}

# Sets `begun`: the directories of those selected steps that have changed since they were handed out. The steps of a
# corpus were never handed out.
find_begun() {
    local directory
    begun=()
    for directory in "${steps[@]}"; do
        [[ $directory == labs/* ]] && not_started "${directory#labs/}" || begun+=("$directory")
    done
}

choose_device() {
    if [[ $device == auto ]]; then
        device=cpu
        command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1 && device=gpu
    fi
    command -v make >/dev/null || fault "make is missing: install it (on Debian and Ubuntu: apt install make)"
    if [[ $device == gpu ]]; then
        command -v nvcc >/dev/null ||
            fault "nvcc is missing: install the CUDA Toolkit or put its bin directory on PATH, or use --device cpu"
    else
        local cc=${CC:-gcc} cxx=${CXX:-} compiler
        [[ -n $cxx ]] || { [[ $cc == *clang* ]] && cxx=clang++ || cxx=g++; }
        for compiler in "$cc" "$cxx"; do
            command -v "$compiler" >/dev/null ||
                fault "the compiler '$compiler' is missing: install g++ (make deps), or set CC=clang CXX=clang++"
        done
    fi
    [[ -n $iterations ]] || iterations=$([[ $device == gpu ]] && echo 1000 || echo 2)
}

# ---- counters (on the cpu device) ---------------------------------------------------------------

# Whether steps are counted.
is_counted() {
    [[ $device == cpu && $counting == all ]]
}

check_gpu() {
    local files
    [[ $device == cpu && $counting != none ]] || return 0
    [[ $gpu != */* && -e common/gpus/$gpu.gpu ]] && return
    files=(common/gpus/*.gpu) files=("${files[@]##*/}")
    usage_error "there is no GPU '$gpu': common/gpus has ${files[*]%.gpu}"
}

# Sets `code_arch`: what a step's machine code is made for, which tells the time model more. Fails where the tools for it
# are missing.
find_code_arch() {
    find_tool nvcc && find_tool nvdisasm || return
    code_arch=$(gpu_arch "$gpu")
}

# Sets `counted_targets`: what the counters of a step need, built in this directory.
find_counted_targets() {
    counted_targets=("$1/runner-counted")
    ! find_code_arch || counted_targets+=("$1/$code_arch.code")
}

# ---- the harness --------------------------------------------------------------------------------

make_folder() {
    if [[ ! -d $out/logs ]] && ! mkdir -p "$out/logs" 2>/dev/null || [[ ! -w $out ]]; then
        usage_error "cannot write to '$out': choose another folder with --out"
    fi
}

# The lock of the folder: two gradings that write to one would write everything twice, or half of it. Every process of a run
# holds it, so that what a killed run has left behind ends before the next.
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

# The commit; of a copy without git, a number that its files' content gives.
harness_version() {
    [[ ! -e .git ]] || ! git describe --always --dirty 2>/dev/null || return
    shopt -s globstar
    local sum=0 of
    while read -r of _; do ((sum = 31 * sum + of)); done < <(cksum Makefile grade.sh {common,emulator}/** 2>/dev/null)
    printf 'files-%012x\n' $((sum & 0xffffffffffff))
}

# make_alone ARGUMENT...: two gradings of one tree, into two folders, build in the same place: one after the other.
make_alone() {
    mkdir -p build && attend flock build make -j"$jobs" "$@"
}

# make_harness TARGET...: what no student has a part in.
make_harness() {
    make_alone "$@" >"$out/logs/harness.log" 2>&1 ||
        { tail -n 20 "$out/logs/harness.log" >&2; failed "$out" "the harness does not build: see $out/logs/harness.log"; }
}

# The judge knows which values its options can take. It comes first, and the long builds after it.
build_judges() {
    version=$(harness_version)
    progress 'building'
    make_harness "${functions[@]/#/build/judge-}" "build/$device/device"
    described=$("build/$device/device" 2>/dev/null) # one that fails is told of where it is needed
    for function in "${functions[@]}"; do check_settings; done
}

# As options, so that an error names what the user typed. The device has to have room for the size.
check_settings() {
    local line options=()
    [[ -z $described ]] || options=(--device /dev/stdin)
    [[ $device == gpu || $counting == none ]] || options+=(--gpu "common/gpus/$gpu.gpu")
    for line in "iterations $iterations" "${settings[@]}"; do
        options+=("--${line%% *}")
        [[ $line != *' '* ]] || options+=("${line#* }")
    done
    "build/judge-$function" --dry-run "${options[@]}" <<<"$described" || exit $?
}

# What steps of these functions are compared with: directories; none on the emulator, which times nothing.
find_baselines() {
    local directory implemented
    baselines=()
    [[ $device == gpu ]] || return 0
    for directory in common/baselines/$baseline_pattern/; do
        directory=${directory%/} implemented=$(function_of "${directory%/}")
        [[ " read_all ${functions[*]} " != *" $implemented "* ]] || baselines+=("$directory")
    done
}

# Everything that steps are linked with and compared with: if it does not build, no step is at fault.
build_harness() {
    find_baselines
    local runners=("${baselines[@]/#/build/gpu/}") calls place
    local targets=("build/$device/device" build/contract build/cpu/nvcc build/cpu/runner/with-{plain,checked}.o "${runners[@]/%//runner}")
    for place in build/{cpu,"$device"}; do # on a GPU the emulator looks at what handed-in steps do
        calls=("${functions[@]/#/$place/problems/}")
        targets+=("$place/runner/"{runner.o,host.o,watch.o,entry_points} "${calls[@]/%//call.o}")
    done
    [[ $device == gpu || $counting == none ]] || targets+=(build/cpu/runner/with-counted.o)
    make_harness "${targets[@]}"
}

# mark_changed DIRECTORY: a file that was moved back into its place is older than what was built of another, so make goes by the time
# at which its content was last seen to be another one.
mark_changed() {
    local seen=build/sources/$1 hash
    hash=$(hash_of "$1")
    [[ -e $seen && $(<"$seen") == "$hash" ]] && return
    [[ -d ${seen%/*} ]] || mkdir -p "${seen%/*}"
    echo "$hash" >"$seen"
}

# This tree's own steps that somebody has begun, all at once; one that fails to build is reported by its verdict.
build_steps() {
    find_begun
    ((${#begun[@]})) || return 0
    local targets=("${begun[@]/#/build/$device/}") directory
    for directory in "${begun[@]}"; do mark_changed "$directory"; done
    targets=("${targets[@]/%//runner}")
    [[ $device == cpu ]] && targets+=("${targets[@]/%/-checked}")
    for directory in "${begun[@]}"; do
        is_counted || break
        find_counted_targets "build/cpu/$directory"
        targets+=("${counted_targets[@]}")
    done
    make_alone -k "${targets[@]}" >"$out/logs/build.log" 2>&1
}

# The hash of a step's source, as it was when build_steps built it.
source_hash() {
    echo "$(<"build/sources/$1")"
}

# ---- the judge ----------------------------------------------------------------------------------

# The run file of the function at hand. It may hold a seed that nobody should see.
begin_run() {
    {
        (umask 077 && printf '%s\n' "device $device_file" "histolab $(histolab_version)" "harness $version" \
            "iterations $iterations" "${settings[@]}" '# told by baselines' >"$runs-$function")
    } || fault "cannot write $runs-$function"
}

# told_by_baselines RUN-FILE: what the judge has added to it.
told_by_baselines() {
    sed '1,/^# told by baselines$/d' "$1"
}

# judge NAME [BUILT] OPTION...: one record. BUILT is the directory of what was built of it. With in_place=exec, in place of the shell.
judge() {
    local name=$1
    shift
    attend ${in_place-} "build/judge-$function" "$runs-$function" "$@" --step "$name" --record "$records"
}

# What the steps are compared with, measured in the same run: the CPU reference, the streaming reads
# that set the roof, an empty kernel, and what libraries offer. The judge notes in the run file what it
# compares steps with. On the emulator nothing is timed.
measure_baselines() {
    [[ $device == gpu ]] || return 0
    measure_reference
    measure_reads
}

# On all CPUs: nothing else should run.
measure_reference() {
    progress "timing the CPU reference"
    judge reference --kind reference || exit $?
}

# What runs on the GPU.
measure_reads() {
    local directory
    for directory in "${baselines[@]}"; do
        [[ ! -e $directory/read_all.cu && ! -e $directory/$function.cu ]] || measure_baseline "$directory"
    done
}

# baseline_kind NAME: for the judge.
baseline_kind() {
    case $1 in
        read_*) echo read ;;
        empty_*) echo empty ;;
        *) echo baseline ;;
    esac
}

# judge_baseline DIRECTORY: one record.
judge_baseline() {
    judge "${1##*/}" "build/gpu/$1" --kind "$(baseline_kind "${1##*/}")" --log "$logs/${1##*/}.log" --device "$device_file"
}

measure_baseline() {
    progress "measuring ${1##*/}"
    judge_baseline "$1" || fault "the baseline ${1##*/} failed: see its record in $records"
}

# A step that nobody has begun is neither built nor run: a record says so. Returns the judge's status, 1.
record_not_started() {
    local copy=()
    [[ ${why_not_begun[$1]} != *'under another name' ]] || copy=(--detail "${why_not_begun[$1]}")
    judge "$1" --verdict not-started "${copy[@]}" --source-sha256 "$(hash_of "labs/$1")"
}

# grade_step STEP HASH BUILT OPTION...: have the judge grade what was built of a source with that hash.
grade_step() {
    local step=$1 hash=$2 built=$3 intended
    shift 3
    intended=$(step_header "$step" intended 2>/dev/null)
    ! is_counted || set -- --gpu "common/gpus/$gpu.gpu" "$@"
    judge "$step" "$built" --source-sha256 "$hash" --log "$logs/$step.log" ${intended:+--intended "$intended"} "$@"
}
