# Grades one step of a submission, or of this tree. Sourced by submissions.sh, whose variables it reads, and called in a subshell,
# so that nobody else sees its own.
# shellcheck shell=bash disable=SC2154  # the variables of submissions.sh
#
# It leaves records/WHO/STEP.jsonl. Where the harness fails, it leaves STEP.failed instead, and the next round tries again; where
# the harness fails with this step alone, the step has crashed. A class has thousands of steps: beside compilers, the judge and what
# these start, no program is started for a step with which nothing is wrong.

# grade_same STEP TWIN WHO...: those who have the very same source. TWIN has its record already, or is `-`.
grade_same() {
    local twin=$2 who place=''
    for who in "${@:3}"; do
        grade_step_of "$who" "$1" "$twin"
        [[ ! -e $record.jsonl ]] || twin=$who
    done
    [[ -z $place ]] || drop_build
}

# grade_step_of WHO STEP TWIN
grade_step_of() {
    step=$2 submission=$1 lost=''
    [[ $1 != -* ]] || submission=''
    record=$out/records/$1/$2 logs=$out/logs/$submission
    read_source
    use_run "$function" "$work/run-$function" "$record.jsonl" "$logs"
    forget_record
    if [[ $3 != - ]]; then
        take_over "$3"
    elif attempt && [[ -e $record.failed ]]; then
        find_whose_fault
    fi
    release_gpu
}

# Sets `hash` of the source that is to be graded, or `-` and either `absent`, the options for a record of why there is none,
# or `failed`, if that is the harness's fault; and `source`.
read_source() {
    local line own=(labs/"$step"/*.cu)
    absent=() failed='' hash=- function=${own[0]##*/}
    function=${function%.cu}
    IFS= read -r line <"$record.source"
    case $line in
        '- '*) line=${line#- } absent=(--verdict missing --detail "${line:0:200}") ;;
        '= '*) line=${line#= } absent=(--verdict not-started --detail "${line#* }" --source-sha256 "${line%% *}") ;;
        '! '*) failed=${line#! } ;;
        *) hash=$line ;;
    esac
    source=$out/submissions/$submission/labs/$step/$function.cu
    [[ -n $submission ]] || source=labs/$step/$function.cu
}

# What was there counts no more.
forget_record() {
    { [[ ! -e $record.jsonl ]] || supersede "$record.jsonl"; } && { [[ ! -e $record.failed ]] || rm "$record.failed"; } ||
        fault "$(unwritable "$out")"
}

# take_over TWIN: its record and log, under this submission's name.
take_over() {
    local line rest log=$out/logs/$1/$step.log
    line=$(<"$out/records/$1/$step.jsonl") || fault "cannot read $out/records/$1/$step.jsonl"
    rest=${line#*'"submission":"'}
    { [[ ! -e $log ]] || copy "$log" "$logs/$step.log"; } &&
        printf '%s"submission":"%s"%s\n' "${line%%'"submission":"'*}" "$submission" "${rest#*\"}" >"$record.jsonl" ||
        fault "$(unwritable "$out")"
}

# Sets `built`, the directory of the runner, and `status` of its build.
build() {
    built=build/$device/labs/$step status=0 emulated=''
    [[ -n $submission && $hash != - ]] || return 0
    build_submitted_step "$step" "$source" "$hash" || return
    is_built || { tail -n 1 "$place/output" >&2; return 3; }
    status=$(<"$place/status")
    [[ $device == cpu || $status != 0 ]] || build_emulated
}

# One record.
judge_step() {
    local options=(--submission "$submission" --unsettled "$record.failed")
    [[ -z $failed ]] || { printf '%s\n' "$failed" >&2; return 3; }
    if [[ $hash == - ]]; then
        judge "$step" "${options[@]}" "${absent[@]}"
        return
    fi
    # Times of submissions earn points on a log scale: a process more moves them by less than a twentieth of one.
    [[ -z $submission || $device == cpu ]] || options+=(--processes 1)
    mapfile -t -O ${#options[@]} options < <(lock_options)
    [[ -z $emulated ]] || options+=(--emulated "$emulated")
    ((status != 124)) || options+=(--detail "the build was stopped: it took more than $build_timeout s, or too much memory")
    grade_step "$step" "$hash" "$built" "${options[@]}"
}

# judge_failed DETAIL: the harness's fault.
judge_failed() {
    forget_record
    judge "$step" --submission "$submission" --source-sha256 "${hash#-}" --unsettled "$record.failed" --verdict harness-error --detail "$1"
}

# A verdict that a lost GPU could be the reason of stands where the GPU answers after it. What ran when it was lost runs
# again, once it has come back.
measure() {
    local turn outcome
    for turn in 1 2; do
        forget_record
        [[ ! -e $logs/$step.log ]] || rm "$logs/$step.log"
        judge_step 2>"$said"
        outcome=$?
        leave_place
        [[ -s $record.jsonl || -s $record.failed ]] || { judge_failed "status $outcome: $(head -n 1 "$said")"; outcome=3; }
        [[ ! -s $record.jsonl ]] || return 0
        if gpu_answers; then
            ((outcome == 3)) || mv "$record.failed" "$record.jsonl" || fault "$(unwritable "$out")"
            return
        fi
        gpu_comes_back || break
    done
    lost=1
    judge_failed "the GPU was lost while this ran: grade it again when the GPU is back"
    gpu_answers || : >"$work/lost"
}

# One record. Only what runs needs the GPU. Fails if that is lost.
attempt() {
    local outcome
    build 2>"$said"
    outcome=$?
    [[ $hash == - || ! -x $built/runner ]] || take_gpu || return
    if ((outcome)); then
        judge_failed "status $outcome: $(head -n 1 "$said")"
    else
        measure
    fi
    return 0
}

# A harness-error is the submission's own if it comes twice, and this project's own version passes in between: nobody
# is paid for bringing the harness down.
find_whose_fault() {
    release_gpu # the judge may have given it back
    [[ -n $submission && $hash != - && -z $failed$lost ]] && take_gpu && own_version_works || return 0
    attempt && [[ -e $record.failed ]] || return 0
    local why
    why=$(. report/lib/views.sh && cells_of detail "$record.failed")
    forget_record
    judge "$step" --submission "$submission" --source-sha256 "$hash" --verdict crashed --detail \
        "the harness could not work with this step (${why:0:200}), and could with this project's own version right after"
}

# Builds and grades this project's own version by the very same commands.
own_version_works() {
    local control=$work/control-$BASHPID place built emulated='' outcome=1 options
    mkdir -p "$control.logs" || return
    use_run "$function" "$work/run-$function" "$control" "$control.logs"
    if build_submitted_step "$step" "labs/$step/$function.cu" "own-$BASHPID" 2>/dev/null && is_built; then
        mapfile -t options < <(lock_options)
        grade_step "$step" "$(source_hash "labs/$step")" "$built" "${options[@]}" 2>/dev/null
        outcome=$?
        leave_place
    fi
    use_run "$function" "$work/run-$function" "$record.jsonl" "$logs"
    rm -rf "$control" "$control.logs" "${place:?}" "${built:?}"
    return "$outcome"
}
