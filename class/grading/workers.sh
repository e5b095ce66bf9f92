# What has no record yet, and who makes it: workers, each of which grades one step after the other. Sourced by submissions.sh.
# shellcheck shell=bash disable=SC2154  # the variables of submissions.sh

# Everything that must have a record: WHO and step.
wanted() {
    local step who
    for who in "-$uuid" "${ids[@]}"; do
        for step in "${steps[@]##*/}"; do echo "$who $step"; done
    done
}

# is_done WHO STEP: it has a verdict, and not of an earlier source.
is_done() {
    local record=$out/records/$1/$2
    [[ -e $record.jsonl && ! $record.source -nt $record.jsonl ]]
}

# Writes work/own and work/handed-in, what is left to grade, a line each: a step, who has a record of the same source or `-`, and all who
# wait for one. Sets `undone`, their number, and `own_undone`, that of this tree's own. While --regrade is at work, a record from
# before it is nobody's.
list_undone() {
    local who step source record key
    local -A twin=() waiting=()
    local order=()
    undone=0 own_undone=0
    while read -r who step; do
        record=$out/records/$who/$step
        IFS= read -r source <"$record.source"
        [[ $who != -* && $source != [-=!]' '* ]] && key="$step $source" || key="$step $who"
        if ! is_done "$who" "$step"; then
            [[ -n ${waiting[$key]-} ]] || order+=("$key")
            waiting[$key]+=" $who"
            undone=$((undone + 1))
            [[ $who != -* ]] || own_undone=$((own_undone + 1))
        elif [[ ! -e $out/regrade || $record.jsonl -nt $out/regrade ]]; then
            twin[$key]=$who
        fi
    done < <(wanted)
    : >"$work/own"
    for key in "${order[@]}"; do
        [[ ${waiting[$key]} != ' -'* ]] || echo "${key%% *} -${waiting[$key]}" >>"$work/own"
    done
    for key in "${order[@]}"; do
        [[ ${waiting[$key]} == ' -'* ]] || printf '%s\n' "${key%% *} ${twin[$key]--}${waiting[$key]}"
    done >"$work/handed-in" || fault "$(unwritable "$out")"
}

# work_off FILE MOST: so many workers at a time grade what the file lists. Fails if one could not. All that they start holds the
# lock of work/busy: what a killed worker has left ends before anybody else grades the same.
work_off() {
    local number busy workers=() status=0
    { rm -rf "$work/begun" && mkdir "$work/begun" && exec {busy}>"$work/busy" && flock -s "$busy"; } || fault "$(unwritable "$out")"
    for ((number = 0; number < $2; number++)); do
        work_on "$1" "$number" </dev/null >>"$out/logs/grading.log" 2>&1 &
        workers+=($!)
    done
    exec {busy}>&-
    for number in "${workers[@]}"; do wait "$number" || status=1; done 2>/dev/null # a shell tells of who was killed
    exec {busy}>"$work/busy"
    attend flock "$busy"
    exec {busy}>&-
    return "$status"
}

# Grades each line of the file that no other worker has begun: work/begun/NUMBER can be made once. Nobody waits for the results of a
# run whose grade.sh was killed.
work_on() {
    local line number=0 status=0 said=$work/said-$2
    exec {attending}>&-
    attending=''
    take_cpus "$2"
    while read -ra line; do
        number=$((number + 1))
        begin_line "$number" || continue
        [[ ! -e $work/lost ]] && kill -0 "$grader" 2>/dev/null || break
        (grade_same "${line[@]}") || status=1
    done <"$1"
    return "$status"
}

begin_line() {
    local status
    set -o noclobber
    { true >"$work/begun/$1"; } 2>/dev/null
    status=$?
    set +o noclobber
    return "$status"
}
