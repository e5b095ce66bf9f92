# What grading this tree's steps (grade.sh) and grading submissions (class/grading/) share: which steps, on which
# device, the harness's builds, and the judge with what it compares a step with. Sourced, at the tree's root.
# shellcheck shell=bash disable=SC2154  # the variables that callers set
#
# Set by the options (grade.sh): device, pattern, iterations, jobs, out, judge_options, seed_options.
# The functions below use, and their callers set: records (the file that records are added to),
# device_file (what the program `device` printed), logs (a folder), function (of the step at hand).

# shellcheck source=common/build/steps.sh
. common/build/steps.sh

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

# Directory of each step that the pattern selects, and the functions that these implement.
select_steps() {
    steps=() functions=()
    local directory function
    for directory in labs/*/; do
        directory=${directory%/}
        # shellcheck disable=SC2053  # the right side is a pattern
        [[ ${directory#labs/} == $pattern && -n $(function_of "$directory") ]] || continue
        steps+=("$directory")
        function=$(function_of "$directory")
        [[ " ${functions[*]} " == *" $function "* ]] || functions+=("$function")
    done
    ((${#steps[@]})) || usage_error "no step under labs/ matches '$pattern': $(cd labs && echo */)"
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

# ---- the harness --------------------------------------------------------------------------------

make_folder() {
    if ! mkdir -p "$out/logs" 2>/dev/null || [[ ! -w $out ]]; then
        usage_error "cannot write to '$out': choose another folder with --out"
    fi
}

# The commit; of a copy without git, a hash of the harness's files.
harness_version() {
    git describe --always --dirty 2>/dev/null ||
        echo "files-$(find Makefile grade.sh common -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12)"
}

# make_harness TARGET...: what no student has a part in.
make_harness() {
    make -j"$jobs" "$@" >"$out/logs/harness.log" 2>&1 ||
        { tail -n 20 "$out/logs/harness.log" >&2; fault "the harness does not build: see $out/logs/harness.log"; }
}

# The judge knows which values its options can take; it comes first, and the long builds after it.
build_judges() {
    version=$(harness_version)
    progress 'building'
    make_harness "${functions[@]/#/build/judge-}"
    for function in "${functions[@]}"; do
        "build/judge-$function" --dry-run --iterations "$iterations" "${judge_options[@]}" "${seed_options[@]}" || exit $?
    done
}

# What steps are compared with: directories; none on the emulator, which times nothing.
find_baselines() {
    baselines=()
    [[ $device == gpu ]] || return 0
    baselines=(common/baselines/*/)
    baselines=("${baselines[@]%/}")
}

# All that steps are linked to and compared with: if that does not build, it is no fault of a step's.
build_harness() {
    find_baselines
    local runners=("${baselines[@]/#/build/gpu/}") calls=("${functions[@]/#/build/$device/problems/}")
    local targets=("build/$device/device" "build/$device/runner/runner.o" "${calls[@]/%//call.o}" "${runners[@]/%//runner}")
    [[ $device == cpu ]] && targets+=(build/cpu/emulator/racy.o)
    make_harness "${targets[@]}"
    common/build/evidence "build/$device/runner/runner.o" "${functions[0]}" >/dev/null ||
        fault "common/build/evidence cannot read what the compiler made: are nm, readelf and objdump of binutils there?"
}

# A file that was moved back into its place is older than what was built of another, and make would not
# see that it has changed: its content tells.
forget_stale() {
    local seen=build/$device/$1/source.sha256 hash
    hash=$(cat "$1"/*.cu | sha256sum)
    [[ -e $seen && $(<"$seen") == "$hash" ]] && return
    rm -f "build/$device/$1"/{step.o,checked.o,runner,runner-checked}
    mkdir -p "build/$device/$1" && echo "$hash" >"$seen"
}

# This tree's own steps, all at once; one that fails to build is for its verdict to tell.
build_steps() {
    local targets=("${steps[@]/#/build/$device/}") directory
    for directory in "${steps[@]}"; do forget_stale "$directory"; done
    targets=("${targets[@]/%//runner}")
    [[ $device == cpu ]] && targets+=("${targets[@]/%/-checked}")
    make -k -j"$jobs" "${targets[@]}" >"$out/logs/build.log" 2>&1
}

# ---- the judge ----------------------------------------------------------------------------------

# judge NAME OPTION...: one record.
judge() {
    local name=$1
    shift
    "build/judge-$function" --device "$device_file" --record "$records" --step "$name" --harness "$version" \
        --log "$logs/$name.log" --iterations "$iterations" "${judge_options[@]}" "${seed_options[@]}" "$@"
}

# What the steps are compared with, measured in the same run: the CPU reference, the streaming reads
# that set the roof, an empty kernel, and what libraries offer. On the emulator nothing is timed.
measure_baselines() {
    [[ $device == gpu ]] || return 0
    local directory name runner
    progress "timing the CPU reference"
    judge reference --kind baseline --reference || exit $?
    for directory in "${baselines[@]}"; do
        name=${directory##*/} runner=build/gpu/$directory/runner
        progress "measuring $name"
        case $name in
            read_*) judge "$name" --kind read --read "$runner" ;;
            empty_*) judge "$name" --kind empty --unchecked "$runner" ;;
            *) [[ -e $directory/$function.cu ]] || continue
                judge "$name" --kind baseline --runner "$runner" ;;
        esac || fault "the baseline $name failed: see its record in $records"
    done
}

# Sets `comparison`, the judge's options that tell it of the baselines measured into a file.
read_comparison() {
    local roof
    comparison=()
    [[ $device == gpu ]] || return 0
    comparison=(--reference-seconds "$(report/value "$1" "$function" baseline reference_s)")
    roof=$(report/value "$1" "$function" read gbps)
    [[ -z $roof ]] || comparison+=(--roof-gbps "$roof") # an input of no bytes has none
    comparison+=(--overhead-seconds "$(report/value "$1" "$function" read overhead_s)")
}

# grade_step STEP SOURCE BUILT OPTION...: have the judge grade what was built of a step's source.
grade_step() {
    local step=$1 source=$2 built=$3 hash intended
    shift 3
    hash=$(sha256sum <"$source")
    local options=(--source-sha256 "${hash%% *}" "${comparison[@]}" "$@")
    intended=$(step_header "$step" intended 2>/dev/null)
    [[ -n $intended ]] && options+=(--intended "$intended")
    if [[ ! -x $built/runner || ($device == cpu && ! -x $built/runner-checked) ]]; then
        cp "$built/build.log" "$logs/$step.log"
        judge "$step" --verdict build-failed "${options[@]}"
        return
    fi
    [[ $device == cpu ]] && options+=(--check-runner "$built/runner-checked")
    # What common/build/evidence found: for the log, and what is grave for the verdict.
    [[ -s $built/evidence ]] && sed 's/^[a-z]*: /evidence: /' "$built/evidence" >>"$logs/$step.log"
    options+=(--evidence "$(sed -n 's/^flag: //p' "$built/evidence" | paste -sd ';' -)")
    judge "$step" --runner "$built/runner" "${options[@]}"
}
