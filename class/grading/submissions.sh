# Grades a stack of submissions beside this tree's own versions of the steps. Sourced by grade.sh.
# shellcheck shell=bash
#
# A run lives in one folder ($out, see grade.sh --help). The folder is the only record of progress: graded is
# each step that has no record, or whose source has changed since its record was made. So the
# same command continues a run that was killed. class/README.md says what is in it.

. class/grading/assignment.sh
. class/grading/folder.sh
. class/grading/names.sh
. class/grading/take-in.sh
. class/grading/gpu.sh
. class/grading/builds.sh
. class/grading/one_step.sh
. class/grading/workers.sh
. class/grading/progress.sh

grade_submissions() {
    open_folder
    # As many as at the desk: the fewest for which the judge starts every part of a sample in a process of its own. It adds more
    # while they spread.
    [[ $device == cpu || " ${settings[*]}" == *' samples '* ]] || settings+=("samples 5")
    check_run
    build_all
    keep_private
    open_run
    keep_assignment
    name_submissions
    find_gpu
    choose_isolation
    remove_leftovers
    take_in_all
    say_found
    mark_for_regrading
    gather
    list_undone
    ((undone == 0)) || try_builds
    grade_all
    finish
}

open_folder() {
    unset MAKEFLAGS MFLAGS MAKELEVEL # of a make that has started this
    umask 022
    begin_grading "$out" "$jobs"
    take_lock
    work=$out/work logs=$out/logs grader=$$
    mkdir -p "$work" "$out"/{submissions,logs,baselines,records} || fault "$(unwritable "$out")"
}

build_all() {
    build_judges "${settings[@]}"
    [[ -n $described ]] || find_gpu # which says why, before what takes long
    find_baselines '*'
    build_harness
    make_harness build/grades build/not-begun build-isolate
    build_steps "${steps[@]}"
}

# What students handed in and how they did is for the instructor's eyes.
keep_private() {
    umask 077
    trap 'stop_class 130' INT
    trap 'stop_class 143' TERM HUP
}

stop_class() {
    trap '' INT TERM HUP
    end_attended
    hide_progress
    [[ ! -e $out/run ]] || gather # else there is no run to go on with
    printf 'grade.sh: stopped; the same command goes on from here\n' >&2
    exit "$1"
}

# ---- what is graded -----------------------------------------------------------------------------

# What a worker that failed has said last; or why it could not say anything.
last_words() {
    local words why
    words=$(tail -n 1 "$out/logs/grading.log" 2>/dev/null)
    ! why=$(unwritable "$out") || words=$why
    printf '%s\n' "${words:-a process of this run was killed}"
}

# The run files: what the judge is told of each problem, with what was measured on this GPU before.
write_runs() {
    local function measured
    for function in "${functions[@]}"; do
        measured=$out/baselines/$uuid-$function
        begin_run "$function" "$work/run-$function" "$measured.new" "$logs" "$device_file" "${settings[@]}"
        [[ ! -e $measured.jsonl ]] || cp "$measured.run" "$work/run-$function.told" || fault "$(unwritable "$out")"
    done
}

take_in_all() {
    local id roster files running=0 unwritten=''
    ! rubric_sets "partial=[0.]*[1-9]" || settings+=(shares)
    note_own_sources
    write_starters
    progress 'taking in submissions'
    files=$(assignment_value file)
    : >"$out/logs/grading.log"
    for id in "${ids[@]}"; do
        ((running < jobs)) || { wait -n || unwritten=1; ((--running)); }
        take_in "$id" "$files" </dev/null >>"$out/logs/grading.log" 2>&1 {attending}>&- &
        ((++running))
    done
    for ((; running; running--)); do wait -n || unwritten=1; done
    [[ -z $unwritten ]] || fault "submissions could not be taken in: $(last_words)"
    write_submissions
    roster=$(assignment_value roster) || exit
    gather
    people=''
    [[ -z $whole_perl ]] || people=$(class/people "$out" ${roster:+--roster "$roster"}) || (($? == 1)) || fault "it could not be told who handed in what"
}

# What steps are compared with, on this GPU: once for all runs of the folder.
measure_all_baselines() {
    local function
    [[ $device == gpu ]] || return 0
    progress "measuring what steps are compared with"
    for function in "${functions[@]}"; do
        [[ -e $out/baselines/$uuid-$function.jsonl ]] || attend measure_baselines_of "$function" >>"$out/logs/grading.log" 2>&1 ||
            fault "the baselines failed: $(last_words)"
    done
}

# measure_baselines_of FUNCTION: while nothing else runs.
measure_baselines_of() (
    measured=$out/baselines/$uuid-$1 attending=''
    take_gpu || fault "the GPU $uuid is lost"
    lock_taken_gpu
    rm -f "$measured.new"
    begin_run "$1" "$work/run-$1" "$measured.new" "$logs" "$device_file" "${settings[@]}"
    measure_baselines
    # For later runs.
    { cp "$work/run-$1.told" "$measured.run" && mv "$measured.new" "$measured.jsonl"; } || fault "$(unwritable "$out")"
)

# What the harness could not do is tried again, unless it could do nothing at all.
grade_all() {
    local round all most=$jobs began
    ((most > 1)) || [[ $device == cpu ]] || most=2 # one builds while another measures
    all=$(wanted | wc -l)
    for round in 1 2 3; do
        ((round == 1)) || { find_gpu && list_undone; }
        write_runs
        measure_all_baselines
        began=$SECONDS
        show_progress
        ((own_undone == 0)) || { work_off "$work/own" "$most" && say_how_long $((SECONDS - began)) "$own_undone"; }
        make_places "$work/handed-in"
        work_off "$work/handed-in" "$most" || made_incompletely=1
        hide_progress
        [[ ! -e $work/lost ]] || echo 'grade.sh: the GPU does not answer any more' >&2
        gather
        list_undone
        ((undone == 0 || undone == all)) && break
    done
}

# ---- the end ------------------------------------------------------------------------------------

finish() {
    local who step verdict failed=0 worst=0 broken=0
    wanted >"$work/wanted"
    (
        . report/lib/views.sh
        . class/view.sh
        class_view unsuccessful "$work/wanted" "$out/results.jsonl"
    ) >"$work/unsuccessful" || broken=$?
    ((broken == 0 || broken == 2)) || fault "cannot read $out/results.jsonl"
    while read -r who step verdict; do
        if [[ $who != -* ]]; then
            failed=$((failed + 1))
        elif [[ $verdict != harness-error ]]; then
            printf "grade.sh: this tree's own %s did not pass here (%s), so nothing can be compared with it\n" "$step" "$verdict" >&2
        fi
    done <"$work/unsuccessful"
    ((failed == 0)) || worst=1
    summary
    ((broken == 0)) || worst=3
    if ((undone)); then
        worst=3
        [[ -z ${made_incompletely-} ]] || last_words >&2
        printf 'grade.sh: %s could not be graded (harness-error: the records say why); the same command tries again\n' \
            "$(counted "$undone" step)" >&2
    else
        rm -rf "$out/regrade"
        [[ -z $builds ]] || rm -rf "$builds" "build"/{cpu,gpu}/"$builds"
    fi
    rm -rf "$work"
    exit "$worst"
}

# not_written WHAT: because the disk is full, if it is.
not_written() {
    local why
    why=$(unwritable "$out") && fault "the $1 could not be written: $why"
    fault "the $1 could not be written from $out/results.jsonl"
}

# What a person wants to see in the morning. `broken` is 2 where a line is no record: what reads the records says so, shows
# the others, and ends with 2.
summary() {
    local earlier
    earlier=$(assignment_value earlier)
    class/similar ${earlier:+--with "$earlier"} "$out" >/dev/null || echo 'grade.sh: which submissions are alike is not known' >&2
    class/pages "$out" >"$work/pages" || (($? == broken)) || not_written pages
    local -x SAID=yes # once for all views, also of extensions that fit nobody
    class/points --changes "$out" >"$work/changes" || (($? == broken)) || not_written 'points'
    say_changes
    cat "$work/pages"
    printf 'Also there: feedback/ (a page each)%s\n' "$([[ ! -e $out/similar.html ]] || echo ', similar.html (pairs that are alike)')"
}
