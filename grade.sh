#!/usr/bin/env bash
# Usage: ./grade.sh [OPTION...]
# Builds, checks and times the steps under labs/; prints a table and draws charts from the records.
#
#   --device auto|gpu|cpu  where the steps run: a GPU if there is one, else the emulator (auto)
#   --steps PATTERN        only these, as the shell matches names: 'opt0[1-5]*'
#   --iterations N         calls that a sample stands for (1000; on the emulator 10)
#   --input NAME           which input; opt has walk (graded), course, uniform, constant, hot, ramp, edges
#   --image FILE           a file in place of a drawn input: for opt a PGM or a Parboil .bin, for text any text
#   --size N or RxC        elements, or rows x columns (default: the graded size; on the emulator a smaller one)
#   --seed N               of the input (default: one that nobody has seen)
#   --warm                 the same window for every call, so that the GPU's L2 cache helps
#   --samples N            timed samples of a step (10; more while they spread)
#   --budget SECONDS       for the samples of a slow step, which then makes fewer calls (6)
#   --timeout SECONDS      until a step that gives no answer is stopped (60)
#   --jobs N               compilers at a time (all cores)
#   --out DIR              where results go (results)
#
# In DIR: results.jsonl (the records, see report/README.md), table.txt, charts, and in logs/ what the
# compilers and the steps printed. An older results.jsonl is kept as results.previous.jsonl.
#
# Exit status: 0 every step passed, 1 some did not, 2 wrong usage, 3 the harness could not work.

set -u
caller=$PWD
cd -- "$(dirname -- "${BASH_SOURCE[0]}")" || exit 3

usage_error() {
    printf 'grade.sh: %s\n' "$1" >&2
    exit 2
}

fault() {
    printf 'grade.sh: %s\n' "$1" >&2
    exit 3
}

# Progress is for a person who waits: a terminal sees it, a pipe does not.
progress() {
    [[ -t 2 ]] && printf '\r\e[K%s' "$1" >&2
}

# A path as the caller meant it, who may stand in another folder.
from_caller() {
    if [[ $1 == /* || $caller == "$PWD" ]]; then echo "$1"; else echo "$caller/$1"; fi
}

parse_options() {
    device=auto pattern='*' iterations='' jobs=$(nproc) out=results judge_options=()
    while (($#)); do
        case $1 in
            --help | -h)
                sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
                exit 0
                ;;
            --warm)
                judge_options+=("$1")
                shift
                continue
                ;;
            --device | --steps | --iterations | --input | --image | --size | --seed | --samples | --budget | --timeout | --jobs | --out)
                (($# >= 2)) || usage_error "$1 needs a value: see --help"
                ;;&
            --device) device=$2 ;;
            --steps) pattern=$2 ;;
            --iterations) iterations=$2 ;;
            --image)
                [[ -r $(from_caller "$2") ]] || usage_error "cannot read the image '$2'"
                judge_options+=("$1" "$(from_caller "$2")")
                ;;
            --input | --size | --seed | --samples | --budget | --timeout) judge_options+=("$1" "$2") ;;
            --jobs) jobs=$2 ;;
            --out)
                [[ -n $2 ]] || usage_error "--out needs a folder's name"
                out=$(from_caller "$2")
                ;;
            -*) usage_error "unknown option '$1': see --help" ;;
            *) usage_error "unexpected argument '$1': see --help" ;;
        esac
        shift 2
    done
    [[ $device =~ ^(auto|gpu|cpu)$ ]] || usage_error "--device is auto, gpu or cpu, not '$device'"
    [[ $jobs =~ ^[1-9][0-9]*$ ]] || usage_error "--jobs takes a whole number from 1 on, not '$jobs'"
}

# Directory of each step that the pattern selects.
select_steps() {
    steps=()
    for directory in labs/*/; do
        directory=${directory%/}
        # shellcheck disable=SC2053  # the right side is a pattern
        [[ ${directory#labs/} == $pattern && -n $(function_of "$directory") ]] && steps+=("$directory")
    done
    ((${#steps[@]})) || usage_error "no step under labs/ matches '$pattern': $(cd labs && echo *)"
}

# The function that a step implements: the name of its .cu file.
function_of() {
    local file
    for file in "$1"/*.cu; do
        [[ -e $file ]] && basename "$file" .cu
        return
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
    [[ -n $iterations ]] || iterations=$([[ $device == gpu ]] && echo 1000 || echo 10)
}

open_results() {
    if ! mkdir -p "$out/logs" 2>/dev/null || [[ ! -w $out ]]; then
        usage_error "cannot write to '$out': choose another folder with --out"
    fi
    records=$out/results.jsonl
    rm -f "$out"/logs/*.log
    [[ -e $records ]] && mv "$records" "$out/results.previous.jsonl"
}

# The commit; of a copy without git, a hash of the harness's files.
harness_version() {
    git describe --always --dirty 2>/dev/null ||
        echo "files-$(find Makefile grade.sh common -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12)"
}

# Build the harness, then all steps at once; a step that fails to build is for its verdict to tell.
build() {
    version=$(harness_version)
    local functions=() targets=() step
    for step in "${steps[@]}"; do
        functions+=("$(function_of "$step")")
        targets+=("build/$device/$step/runner")
        [[ $device == cpu ]] && targets+=("build/cpu/$step/runner-checked")
    done
    mapfile -t functions < <(printf '%s\n' "${functions[@]}" | sort -u)
    baselines=()
    if [[ $device == gpu ]]; then
        baselines=(common/baselines/*/)
        baselines=("${baselines[@]%/}")
    fi
    local runners=("${baselines[@]/#/build/gpu/}")
    # All that is linked to a step, too: if that does not build, it is no fault of the step's.
    local harness=("${functions[@]/#/build/judge-}" "build/$device/device" "build/$device/runner/runner.o")
    for step in "${functions[@]}"; do harness+=("build/$device/runner/call_$step.o"); done
    [[ $device == cpu ]] && harness+=(build/cpu/emulator/racy.o)
    progress 'building'
    make -j"$jobs" "${harness[@]}" "${runners[@]/%//runner}" >"$out/logs/harness.log" 2>&1 ||
        { tail -n 20 "$out/logs/harness.log" >&2; fault "the harness does not build: see $out/logs/harness.log"; }
    make -k -j"$jobs" "${targets[@]}" >"$out/logs/build.log" 2>&1
}

# judge STEP-DIRECTORY OPTION...: one record.
judge() {
    local step=$1 name=${1##*/}
    shift
    "build/judge-$function" --device "$out/device.txt" --record "$records" --step "$name" \
        --harness "$version" --log "$out/logs/$name.log" --iterations "$iterations" "${judge_options[@]}" "$@"
}

# What the steps are compared with, measured in the same run: the CPU reference, the streaming reads
# that set the roof, an empty kernel, and what libraries offer. On the emulator nothing is timed.
measure_baselines() {
    comparison=()
    [[ $device == gpu ]] || return 0
    local directory runner roof
    progress "timing the CPU reference"
    judge reference --kind baseline --reference || exit $?
    for directory in "${baselines[@]}"; do
        runner=build/gpu/$directory/runner
        progress "measuring ${directory##*/}"
        case $directory in
            */read_*) judge "$directory" --kind read --read "$runner" ;;
            */empty_*) judge "$directory" --kind empty --unchecked "$runner" ;;
            *) [[ -e $directory/$function.cu ]] || continue
                judge "$directory" --kind baseline --runner "$runner" ;;
        esac || fault "the baseline ${directory##*/} failed: see its record in $records"
    done
    comparison=(--reference-seconds "$(report/value "$records" "$function" baseline reference_s)")
    roof=$(report/value "$records" "$function" read gbps)
    [[ -z $roof ]] || comparison+=(--roof-gbps "$roof") # an input of no bytes has none
    comparison+=(--overhead-seconds "$(report/value "$records" "$function" read overhead_s)")
}

grade_step() {
    local step=$1 built=build/$device/$1 hash intended
    hash=$(sha256sum "$step/$function.cu")
    local options=(--source-sha256 "${hash%% *}" "${comparison[@]}")
    intended=$(common/step header "${step##*/}" intended 2>/dev/null)
    [[ -n $intended ]] && options+=(--intended "$intended")
    if [[ ! -x $built/runner || ($device == cpu && ! -x $built/runner-checked) ]]; then
        cp "$built/build.log" "$out/logs/${step##*/}.log"
        judge "$step" --verdict build-failed "${options[@]}"
        return
    fi
    [[ $device == cpu ]] && options+=(--check-runner "$built/runner-checked")
    # What common/evidence found: for the log, and what is grave for the verdict.
    [[ -s $built/evidence ]] && sed 's/^[a-z]*: /evidence: /' "$built/evidence" >>"$out/logs/${step##*/}.log"
    options+=(--evidence "$(sed -n 's/^flag: //p' "$built/evidence" | paste -sd ';' -)")
    judge "$step" --runner "$built/runner" "${options[@]}"
}

grade_steps() {
    local step done=0 previous=''
    worst=0
    for step in "${steps[@]}"; do
        function=$(function_of "$step")
        [[ $function != "$previous" ]] && measure_baselines
        previous=$function
        progress "$((++done)) of ${#steps[@]}: ${step##*/}"
        grade_step "$step"
        case $? in
            0) ;;
            1) ((worst > 1)) || worst=1 ;;
            2) exit 2 ;; # wrong usage is the same for every step; the judge has said what is wrong
            *) worst=3 ;;
        esac
    done
    progress ''
}

show() {
    report/table "$records" | tee "$out/table.txt"
    ((PIPESTATUS[0] == 0)) || fault "the table could not be made from $records"
    command -v gnuplot >/dev/null || report/ladder "$records"
    report/plot "$records" "$out" || fault "the charts could not be drawn from $records"
    printf 'Records, table and charts are in %s/.\n' "$out"
}

parse_options "$@"
select_steps
choose_device
open_results
build
"build/$device/device" >"$out/device.txt" || exit 3
grade_steps
show
exit "$worst"
