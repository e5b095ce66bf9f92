#!/usr/bin/env bash
# Usage: ./grade.sh [OPTION...] [SUBMISSION...]
# Builds, checks and times the steps under labs/; prints a table and draws charts from the records.
# With SUBMISSIONs (directories, .tar.gz, .zip, .cu; or what a learning platform lets you download of a whole class, as
# .zip or folder: guides/instructors.md) it grades the steps of each submission, beside this tree's own.
# A handout cannot do that.
#
#   --device auto|gpu|cpu  where the steps run: a GPU if there is one, else the emulator (auto)
#   --steps PATTERN        only these steps, as the shell matches names: 'opt0[1-5]*'; or the beginning of a name: opt05
#   --iterations N         calls that a sample stands for (1000; on the emulator 2)
#   --input NAME           which input; opt has walk (graded), course, uniform, constant, hot, ramp, edges
#   --image FILE           a file instead of a drawn input: for opt a binary PGM, for text any text.
#                          It is all of the input: --input and --size are refused beside it
#   --size N or RxC        elements, or rows x columns (default: the graded size; on the emulator a smaller one, unless
#                          this says graded)
#   --seed N               seed of the input (default: one that nobody has seen)
#   --gpu NAME             on the cpu device: the GPU to count and predict times for, a file of common/gpus
#                          (h200, whose results are recorded in report/recorded)
#   --no-count             on the cpu device: without counters and predicted times, in up to half the time
#   --warm                 the same window for every call, so that the GPU's L2 cache helps
#   --energy               on a GPU: what a call takes of its energy, for this tree's own steps; 8 s more for each
#   --samples N            timed samples of a step (10, of submissions 5; more while they spread)
#   --budget SECONDS       time for the samples of a slow step, which then makes fewer calls (3)
#   --timeout SECONDS      time until a step that gives no answer is stopped (60). In the check on the emulator the calls
#                          of a sample may use 4 s of CPU time, or a fifteenth of a longer timeout, until they count as endless
#   --limit SECONDS        time that a step may take in all (600)
#   --jobs N               compilers at a time, and gradings on the cpu device (all cores)
#   --out DIR              where results go (results)
#
# DIR then holds results.jsonl (the records, see report/README.md), table.txt, charts, index.html (a page with both),
# what the compilers and the steps printed in logs/, and run-FUNCTION and .told, what the judge was told. Older records are
# kept in results.previous.jsonl, the last hundred.
#
# With submissions also:
#   --assignment FILE      what the class is asked for and what it is worth (class/assignment --help): steps, device, due
#                          date, late rule, rubric. DIR keeps a copy, which later runs take when none is named; --steps then
#                          chooses among its steps
#   --require-isolation    refuse to grade if submissions cannot be isolated (bubblewrap or Landlock)
#   --regrade PATTERN      grade again: 'opt05*' is that step of all, 'alice/opt*' are those of one submission
#
# However it was stopped, the same command continues where it was; a submission that has changed since then is
# graded again. With other steps, or another assignment, it also goes on with what is there: all graded steps count, or
# those that the assignment names. DIR then also holds index.html (the class in a browser: open it first), feedback/ (a
# page for each), submissions/ (clean copies), submissions.tsv (names, and what was noticed), people.tsv (who
# handed in what: class/people --help), handed-in/ (each person's files of a platform's download), superseded.jsonl
# (records that no longer count), and run (the options, and a seed to keep secret).
#
# --version prints the version of histolab, as every command of this tree does.
# Exit status: 0 every step passed, 1 some did not, 2 wrong usage, 3 the harness could not work.
# Completion of these options: . desk/completion.bash (or .zsh; in fish: source desk/completion.fish)
# If something is missing: make doctor. How to work with all this: guides/.

[[ $0 == */* ]] || exec "./$0" "$@" # bash grade.sh
. "${BASH_SOURCE[0]%/*}/common/prelude.sh" || exit 3
. common/build/grading.sh
. common/build/gpu_lock.sh

# shellcheck disable=SC2034,SC2128,SC2178 # most are read by their names; `steps` is the option here, and an array outside
parse_options() {
    local name steps='*' input image size samples budget timeout limit warm='' no_count='' words=()
    unset seed out
    device=auto pattern='*' iterations='' jobs=$(nproc) settings=() gpu='' energy='' assigned=()
    assignment='' require_isolation='' regrade=''
    take_options 'warm energy no-count require-isolation device= gpu= steps= iterations= input= image= size= seed= samples= budget=
        timeout= limit= jobs= out= assignment= regrade=' "$@"
    submissions=("${words[@]}") counting=${no_count:+none}
    must_match '^(auto|gpu|cpu)$' "is auto, gpu or cpu" device "$device"
    must_match '^[1-9][0-9]*$' "takes a whole number from 1 on" jobs "$jobs"
    [[ -n ${out-results} && ${out-} != *$'\n'* ]] || usage_error "--out needs a folder's name, on one line"
    [[ -v out || $caller == "$PWD" ]] || out=$PWD/results
    out=${out+$(from_caller "$out")} out=${out:-results} pattern=$steps assignment=${assignment:+$(from_caller "$assignment")}
    [[ -z $pattern || $pattern == *[*?[]* ]] || { make -s build/front && pattern="$(PROGRAM=grade.sh build/front --steps "$steps")*"; } || exit 2
    if [[ -v image ]]; then
        [[ -r $(from_caller "$image") ]] || usage_error "cannot read the image '$image'"
        image=$(from_caller "$image")
    fi
    for name in input image seed size samples budget timeout limit; do # what the judge is told, which checks it
        [[ -v $name ]] || continue
        [[ ${!name} != *$'\n'* ]] || usage_error "--$name takes one line"
        settings+=("$name ${!name}")
    done
    seed=${seed-}
    [[ -z $warm ]] || settings+=(warm)
    [[ -z $energy ]] || settings+=('energy 3')
    check_submissions
}

# must_match PATTERN WHAT OPTION VALUE
must_match() {
    [[ $4 =~ $1 ]] || usage_error "--$3 $2, not '$4'"
}

check_submissions() {
    local path
    [[ -d class ]] || ((${#submissions[@]} == 0)) ||
        usage_error "a handout grades no submissions: ${submissions[0]@Q} (--steps chooses steps, see --help)"
    ((${#submissions[@]})) || [[ -z $assignment$require_isolation$regrade ]] ||
        usage_error "--assignment, --require-isolation and --regrade are for submissions: name some"
    ((${#submissions[@]} == 0)) || [[ -z $energy ]] || usage_error "--energy is for this tree's own steps: leave it out"
    for path in "${submissions[@]}"; do
        [[ -e $(from_caller "$path") ]] || usage_error "there is no submission ${path@Q} (--steps chooses steps): see --help"
    done
    ((${#submissions[@]} != 1)) || grep -qsF $'\t'"$path"$'\t' "$out/submissions.tsv" || check_only_submission "$path"
}

# Alone on the command line, what cannot be a submission is a mistake. Among others it is some student's, and is refused alone;
# so is what DIR/submissions.tsv has already.
check_only_submission() {
    local path
    path=$(from_caller "$1")
    [[ ! -f $path/results.jsonl || ! -d $path/records ]] || usage_error "${1@Q} is a folder of results, and no submission: see --help"
    [[ ! -f $path || ${1,,} == *.@(zip|tgz|tar.gz|cu) ]] ||
        usage_error "${1@Q} is neither a directory nor a .tar.gz, .tgz, .zip or .cu, so no submission: see --help"
}

# rubric_sets EXPRESSION: whether a line of the rubric sets what that fits.
rubric_sets() {
    local rules=''
    [[ -n $RUBRIC || -z $assignment ]] || rules=$(class/assignment "$assignment" rubric)
    grep -q "^[^#]*[[:space:]]$1" <<<"${rules:-$(cat -- "${RUBRIC:-class/rubric}" 2>/dev/null)}"
}

# Counters are of the cpu device.
choose_counters() {
    [[ $device == cpu || -z $gpu ]] ||
        usage_error "--gpu is for the cpu device (--device cpu): on a GPU, make profile-opt05 shows its own counters"
    # A run that goes on counts as it did: a rubric that changes makes it no other run.
    [[ -n $counting ]] || counting=$(sed -n 's/^counting //p' "$out/run" 2>/dev/null)
    counting=${counting:-all}
    [[ $device == gpu || $counting == all ]] || ! rubric_sets predicted=1 || printf '%s\n' \
        "grade.sh: the rubric pays predicted times, and $out was graded without counters of every step: those have none. For these times grade into another folder (--out)" >&2
    choose_counting "${gpu:-h200}" "$counting"
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

# Sets `worst`, a status. On the emulator nothing is timed: as many steps at once as there are jobs.
grade_steps() {
    local directory function done=0 with_run='' with_baselines='' running=0
    worst=0
    for directory in "${steps[@]}"; do
        function=$(function_of "$directory")
        [[ $with_run == "$function" ]] ||
            begin_run "$function" "$out/run-$function" "$records" "$out/logs" "$device_file" "${settings[@]}"
        with_run=$function
        progress "$((++done)) of ${#steps[@]}: ${directory##*/}"
        if [[ " ${begun[*]} " != *" $directory "* ]]; then
            record_not_started "${directory##*/}"
        elif [[ $device == gpu ]]; then
            grade_on_gpu "$directory"
        else
            ((running < jobs)) || wait_for_one
            grade_beside "$directory" &
            ((++running))
        fi
        note_status $?
    done
    while ((running)); do wait_for_one; done
    progress ''
}

wait_for_one() {
    wait -n
    note_status $?
    ((--running))
}

grade_built() {
    grade_step "${1##*/}" "$(source_hash "$1")" "build/$device/$1"
}

# The judge takes this shell's place, so that it ends if the script does, however that ends.
grade_beside() {
    exec {attending}>&-
    attending='' in_place=exec
    grade_built "$1"
}

# Others get their turn between two steps.
grade_on_gpu() {
    local status
    lock_gpu "$(sed -n 's/^uuid //p' "$device_file")"
    [[ $with_baselines == "$with_run" ]] || measure_baselines
    with_baselines=$with_run
    grade_built "$1"
    status=$?
    unlock_gpu
    return "$status"
}

# Wrong usage is the same for every step; the judge has said what is wrong.
note_status() {
    case $1 in
        0) ;;
        1) ((worst > 1)) || worst=1 ;;
        2) exit 2 ;;
        *) worst=3 ;;
    esac
}

show() {
    report/table "$records" | tee "$out/table.txt"
    ((PIPESTATUS[0] == 0)) || fault "the table could not be made from $records"
    local made='Records, table and charts' drawn
    command -v gnuplot >/dev/null || made='Records and table'
    drawn=$(report/index "$records" "$out") || fault "the charts could not be drawn from $records"
    printf '%s\n' ${drawn:+"$drawn"} "$made are in $out/." # which nobody may read any more: ./grade.sh | head
}

# However much is left to do: a signal to this process alone ends it at once.
# shellcheck disable=SC2317  # a trap
stop() {
    trap '' INT TERM HUP
    end_attended
    progress ''
    local so_far=$out/results.jsonl
    printf 'grade.sh: stopped%s\n' "$([[ ! -s $so_far ]] || echo "; the records so far are in $so_far")" >&2
    exit "$1"
}

# What was graded before, up to so many records: a grading of some steps leaves the others as they were.
keep_previous() {
    local most=100 previous=$out/results.previous.jsonl
    [[ -e $records ]] || return 0
    { cat "$previous" "$records" 2>/dev/null | tail -n "$most" >"$previous.new" && mv "$previous.new" "$previous" && rm "$records"; } || fault "$(unwritable "$out")"
}

# For make last-opt05, of gradings that desk/records.sh reads, where the file still is what has passed.
keep_what_passed() {
    local step verdict hash
    source_hashes=() # they may be others by now
    while IFS=$'\t' read -r step verdict hash; do
        [[ $verdict != pass || $(hash_of "labs/$step") != "$hash" ]] || keep_passed "$step"
    done < <(. report/lib/views.sh && cells_of step,verdict,source_sha256 "$records")
}

grade_this_tree() {
    device_file=$out/device.txt
    [[ ! -e $out/run ]] || usage_error "$out holds a grading of submissions: choose another folder with --out"
    begin_grading "$out" "$jobs"
    take_lock
    rm -f "$out/logs"/*.log
    build_judges "${settings[@]}"
    records=$out/results.jsonl
    keep_previous
    find_baselines '*'
    build_harness
    build_steps "${steps[@]}"
    "build/$device/device" >"$device_file" || fault "the $device device does not work here: make doctor says more"
    grade_steps
    [[ ${out#"$PWD/"}/ != results/* ]] || keep_what_passed
    show
    exit "$worst"
}

parse_options "$@"
RUBRIC=${RUBRIC:+$(from_caller "$RUBRIC")} FLAGS=${FLAGS:+$(from_caller "$FLAGS")} # what this starts is called from the tree
export RUBRIC FLAGS
exec {attending}>&2
trap 'stop 130' INT
trap 'stop 143' TERM HUP
select_steps "$pattern"
if ((${#submissions[@]})); then . class/grading/assignment.sh && use_assignment "$assignment"; fi
choose_device "$device" "$iterations"
choose_counters
[[ $device == gpu || -z $energy ]] || usage_error "--energy is for a GPU (--device gpu): the cpu device has no counter of it"
((${#submissions[@]})) || grade_this_tree
. class/grading/submissions.sh
grade_submissions
