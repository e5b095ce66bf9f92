# What all who grade share: which steps, on which device, the harness's builds, the judge, and the baselines
# that a step is compared with. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash
#
# What a grading is stands in these variables. The functions here set them, from their arguments, and nobody else does:
#     out, jobs, version   begin_grading: the folder of results; compilers at a time; of the harness
#     device, iterations   choose_device: cpu or gpu
#     gpu, counting        choose_counting: of common/gpus; all steps are counted, or none
#     steps, functions     select_steps, take_steps: directories, and what these implement
#     begun                build_steps: those of the steps that somebody has begun
#     baselines            find_baselines: directories
#     described            build_judges: what the program `device` prints
#     run                  use_run: what the judge is called with

# shellcheck source=common/build/steps.sh
. common/build/steps.sh
. common/build/attend.sh
. common/build/cubin.sh
gpu='' counting=none baselines=()
declare -gA run=()

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

# select_steps PATTERN [ASSIGNED...]: those that the pattern selects and, where something is assigned, one of these patterns.
select_steps() {
    local pattern=$1 assigned=("${@:2}") directory selected=()
    check_folders "${assigned[@]:-$pattern}"
    while IFS= read -r directory; do
        fits "${directory#labs/}" "$pattern" && fits "${directory#labs/}" "${assigned[@]:-*}" && selected+=("$directory")
    done < <(steps_in_order)
    take_steps "${selected[@]}"
    ((${#steps[@]})) || usage_error "no step under labs/ matches '$pattern'${assigned:+, and what the assignment names: ${assigned[*]}} (ls labs/ lists them)"
}

# take_steps DIRECTORY...: those of a corpus.
take_steps() {
    local directory function
    steps=("$@") functions=()
    for directory; do
        function=$(function_of "$directory")
        [[ " ${functions[*]} " == *" $function "* ]] || functions+=("$function")
    done
}

# choose_device auto|cpu|gpu [ITERATIONS]
choose_device() {
    device=$1 iterations=${2-}
    if [[ $device == auto ]]; then
        device=cpu
        command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1 && device=gpu
    fi
    command -v make >/dev/null || fault "make is missing: install it (on Debian and Ubuntu: apt install make)"
    if [[ $device == gpu ]]; then
        command -v nvcc >/dev/null ||
            fault "nvcc is missing: install the CUDA Toolkit or put its bin directory on PATH; the emulator needs none (--device cpu, DEVICE=cpu make opt05)"
    else
        local compiler
        for compiler in "${CC:-gcc}" ${CXX:+"$CXX"}; do # the Makefile knows what belongs to a CC
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

# choose_counting GPU all|none, after choose_device.
choose_counting() {
    local files
    gpu=$1 counting=$2
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

# begin_grading FOLDER JOBS
begin_grading() {
    out=$1 jobs=$2 version=$(harness_version)
    if [[ ! -d $out/logs ]] && ! mkdir -p "$out/logs" 2>/dev/null || [[ ! -w $out ]]; then
        usage_error "cannot write to '$out': choose another folder with --out"
    fi
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
        { tail -n 20 "$out/logs/harness.log" >&2; failed "$out" "the harness does not build: see $out/logs/harness.log (make doctor says if a compiler is missing)"; }
}

# build_judges SETTING...: lines of a run file, such as "size 512x3984" (common/judge/options.h has them), of which the judge knows the
# values that they can take. It comes first, and the long builds after it.
build_judges() {
    local function
    progress 'building'
    make_harness "${functions[@]/#/build/judge-}" "build/$device/device"
    described=$("build/$device/device" 2>/dev/null) # one that fails is told of where it is needed
    for function in "${functions[@]}"; do check_settings "$function" "$@"; done
}

# As options, so that an error names what the user typed. The device has to have room for the size.
check_settings() {
    local line options=()
    [[ -z $described ]] || options=(--device /dev/stdin)
    [[ $device == gpu || $counting == none ]] || options+=(--gpu "common/gpus/$gpu.gpu")
    for line in "iterations $iterations" "${@:2}"; do
        options+=("--${line%% *}")
        [[ $line != *' '* ]] || options+=("${line#* }")
    done
    "build/judge-$1" --dry-run "${options[@]}" <<<"$described" || exit $?
}

# find_baselines PATTERN: what steps of these functions are compared with; none on the emulator, which times nothing.
find_baselines() {
    local directory implemented
    baselines=()
    [[ $device == gpu ]] || return 0
    for directory in common/baselines/$1/; do
        directory=${directory%/} implemented=$(function_of "${directory%/}")
        [[ " read_all ${functions[*]} " != *" $implemented "* ]] || baselines+=("$directory")
    done
}

# Everything that steps are linked with and compared with: if it does not build, no step is at fault. On a GPU the emulator looks at
# what handed-in steps do.
build_harness() {
    local targets=("${baselines[@]/#/build/gpu/}") function
    targets=("${targets[@]/%//runner}")
    for function in "${functions[@]}"; do
        targets+=(build/{cpu,"$device"}/problems/"$function"/parts)
        [[ $device == gpu || $counting == none ]] || targets+=("build/cpu/problems/$function/counted-parts")
    done
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

# build_steps DIRECTORY...: those that have changed since they were handed out, all at once; one that fails to build is reported by its
# verdict. The steps of a corpus were never handed out.
build_steps() {
    local targets=() directory
    begun=()
    for directory; do
        [[ $directory == labs/* ]] && not_started "${directory#labs/}" && continue
        begun+=("$directory") targets+=("build/$device/$directory/runner")
        mark_changed "$directory"
        [[ $device == gpu ]] || targets+=("build/cpu/$directory/runner-checked")
        ! is_counted || { find_counted_targets "build/cpu/$directory" && targets+=("${counted_targets[@]}"); }
    done
    ((!${#begun[@]})) || make_alone -k "${targets[@]}" >"$out/logs/build.log" 2>&1
}

# The hash of a step's source, as it was when build_steps built it.
source_hash() {
    echo "$(<"build/sources/$1")"
}

# ---- the judge ----------------------------------------------------------------------------------

# use_run FUNCTION FILE RECORDS LOGS: the judge of that function is called with this run file, adds records to the file RECORDS, and
# what is printed to files of the folder LOGS. What baselines showed it notes in FILE.told.
use_run() {
    run=([function]=$1 [file]=$2 [records]=$3 [logs]=$4)
}

# write_run DEVICE-FILE SETTING...: the run file. It may hold a seed that nobody should see.
write_run() {
    local file=${run[file]}
    (umask 077 && printf '%s\n' "device $1" "told $file.told" "histolab $(histolab_version)" "harness $version" \
        "iterations $iterations" "${@:2}" >"$file" && : >>"$file.told") || fault "cannot write $file"
}

# begin_run FUNCTION FILE RECORDS LOGS DEVICE-FILE SETTING...: of which no baseline has told anything.
begin_run() {
    use_run "${@:1:4}"
    (umask 077 && : >"$2.told") || fault "cannot write $2.told"
    write_run "${@:5}"
}

# judge NAME [BUILT] OPTION...: one record. BUILT is the directory of what was built of it. With in_place=exec, in place of the shell.
judge() {
    local name=$1
    shift
    attend ${in_place-} "build/judge-${run[function]}" "${run[file]}" "$@" --step "$name" --record "${run[records]}"
}

# What the steps are compared with, measured in the same run: the CPU reference, the streaming reads
# that set the roof, an empty kernel, and what libraries offer. On the emulator nothing is timed.
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
        [[ ! -e $directory/read_all.cu && ! -e $directory/${run[function]}.cu ]] || measure_baseline "$directory"
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
    judge "${1##*/}" "build/gpu/$1" --kind "$(baseline_kind "${1##*/}")" --log "${run[logs]}/${1##*/}.log"
}

measure_baseline() {
    progress "measuring ${1##*/}"
    judge_baseline "$1" || fault "the baseline ${1##*/} failed: see its record in ${run[records]}"
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
    judge "$step" "$built" --source-sha256 "$hash" --log "${run[logs]}/$step.log" ${intended:+--intended "$intended"} "$@"
}
