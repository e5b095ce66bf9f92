# Grading a stack of submissions beside this tree's own versions of the steps. Sourced by grade.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034  # what grade.sh and grading.sh set and use
# shellcheck disable=SC2030,SC2031   # a slot is a subshell, and what it sets is its own
#
# A run lives in one folder ($out, see grade.sh --help). What is done is what results.jsonl says: a step
# of a submission is graded unless a record was made from the same source. So a run that was killed goes
# on with the same command; and nothing else has to be kept about how far it came.
#
# Work is done in slots: on the cpu device --jobs of them, each of which takes in, builds and grades one
# submission at a time; on GPUs one for each GPU, which only grades, while --jobs builders run ahead.
# A slot is a subshell of this one. It writes a step's record to a file of its own, and adds it to
# results.jsonl in one write when all is decided: appending writes do not mix.

EXIT_NO_GPU=4 # of a slot: its GPU does not answer any more

grade_submissions() {
    unset MAKEFLAGS MFLAGS MAKELEVEL # of a make that has started this
    umask 022
    make_folder
    take_lock
    work=$out/work seed_options=()
    mkdir -p "$work" "$out"/{submissions,logs,baselines} || fault "cannot write to $out"
    [[ -z $seed ]] || seed_options=(--seed "$seed")
    build_judges
    build_harness
    make_harness build/isolate/filter
    build_steps
    umask 077 # what students handed in and how they did is for the instructor's eyes
    trap 'stop 130' INT
    trap 'stop 143' TERM HUP
    open_run
    name_submissions
    find_slots
    choose_isolation
    try_builds
    tidy redo
    mark_for_regrading
    grade_all
    finish
}

# Nothing needs to be put in order: that is done by the next run, since this one may end in any way.
stop() {
    trap - INT TERM HUP
    end_jobs
    progress ''
    printf 'grade.sh: stopped; the same command goes on from here\n' >&2
    exit "$1"
}

end_jobs() {
    local job
    for job in $(jobs -p); do kill "$job" 2>/dev/null; done
    wait
}

# ---- the run: its lock, its options, its records --------------------------------------------------

# Every process of a run holds the lock, so that what a killed run has left behind ends before the next.
take_lock() {
    command -v flock >/dev/null || fault "flock is missing: install util-linux"
    local host process
    exec {lock}>>"$out/lock" || fault "cannot write to $out"
    if ! flock -n "$lock"; then
        read -r host process <"$out/lock"
        [[ $host != "$HOSTNAME" ]] || ! kill -0 "$process" 2>/dev/null ||
            fault "another grading is at work in $out (process $process): wait for it, or choose another folder with --out"
        printf 'grade.sh: waiting for the last steps of a killed run\n' >&2
        flock -w 900 "$lock" || fault "$out is in use: wait, or choose another folder with --out"
    fi
    echo "$HOSTNAME $$" >"$out/lock"
}

# What decides the results besides the sources, a line each. The seed comes first and is nobody's business.
run_options() {
    local i
    printf 'device %s\niterations %s\nbuild-timeout %s\n' "$device" "$iterations" "$build_timeout"
    for ((i = 0; i < ${#judge_options[@]}; i++)); do
        case ${judge_options[i]} in
            --warm) echo warm ;;
            --image) printf 'image %s\n' "$(sha256sum <"${judge_options[++i]}")" ;;
            *) printf '%s %s\n' "${judge_options[i]#--}" "${judge_options[++i]}" ;;
        esac
    done | LC_ALL=C sort
    find Makefile common -type f ! -name '*.sh' ! -name '*.md' | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12 | sed 's/^/harness /'
}

# A new run draws its seed; one that is there must have been made with these options.
open_run() {
    local options different
    options=$(run_options)
    if [[ ! -e $out/run ]]; then
        [[ ! -e $out/results.jsonl ]] || mv "$out/results.jsonl" "$out/results.previous.jsonl"
        [[ -n $seed ]] || seed=$(od -An -N8 -tu8 /dev/urandom | tr -d ' ')
        { printf '%s\n' "$seed" "$options" >"$work/run" && sync "$work/run" && mv "$work/run" "$out/run"; } || fault "cannot write to $out"
    fi
    different=$(diff <(tail -n +2 "$out/run") <(printf '%s\n' "$options") |
        sed -n 's/^< /there: /p; s/^> /here: /p' | cut -c 1-60 | paste -sd ',')
    [[ -z $seed || $seed == "$(head -n 1 "$out/run")" ]] || different=${different:-another seed}
    [[ -z $different ]] ||
        usage_error "$out holds a grading with other options (${different//,/, }): choose another folder with --out, or remove that one"
    seed_options=(--seed-file "$out/run")
}

# tidy [redo]: leave in results.jsonl what counts, and move the rest to superseded.jsonl (class.awk says
# what), by a new file that takes the old one's place. Reads what is graded. Nobody else may be at work.
tidy() {
    [[ -e $work/drop ]] || : >"$work/drop"
    touch "$out/results.jsonl"
    DROP=$work/drop KEPT=$work/kept SUPERSEDED=$work/superseded LC_ALL=C awk -v redo="${1:+1}" -f class/class.awk \
        -f report/records.awk <"$out/results.jsonl" >"$work/graded" ||
        fault "cannot read $out/results.jsonl"
    {
        cat "$work/superseded" >>"$out/superseded.jsonl" &&
            find "$out/baselines" -name '*.jsonl' -exec cat {} + >"$work/results.jsonl" &&
            cat "$work/kept" >>"$work/results.jsonl" && sync "$work/results.jsonl" &&
            mv "$work/results.jsonl" "$out/results.jsonl"
    } || fault "cannot write to $out"
    local key hash verdict success uuid detail
    declare -gA graded_hash=() graded_verdict=() graded_success=() graded_uuid=() graded_detail=()
    while IFS=$'\t' read -r key hash verdict success uuid detail; do
        graded_hash[$key]=$hash graded_verdict[$key]=$verdict graded_success[$key]=$success
        graded_uuid[$key]=$uuid graded_detail[$key]=$detail
    done <"$work/graded"
    : >"$work/drop"
}

# --regrade: what it names is no longer graded. Done once: the file `regrade` says so until the run ends.
mark_for_regrading() {
    [[ -n $regrade && "$regrade" != "$(cat "$out/regrade" 2>/dev/null)" ]] || return 0
    local id step key who='*' what=$regrade
    [[ $regrade != */* ]] || who=${regrade%/*} what=${regrade##*/}
    while read -r key id step; do
        # shellcheck disable=SC2053  # the right sides are patterns
        [[ -n ${graded_hash[$key]-} && $step == $what && ${id#-} == $who ]] && printf '%s\n' "$key"
    done < <(wanted) >"$work/drop"
    [[ -s $work/drop ]] || usage_error "--regrade '$regrade' names nothing that has been graded into $out"
    tidy redo
    printf '%s\n' "$regrade" >"$out/regrade"
}

# ---- submissions ------------------------------------------------------------------------------------

# A path as text without control characters; printf %b gives it back.
escaped() {
    local LC_ALL=C text=${1//\\/\\\\} i letter
    escape=$text
    [[ $text == *[[:cntrl:]]* ]] || return 0
    escape=''
    for ((i = 0; i < ${#text}; i++)); do
        letter=${text:i:1}
        case $letter in
            $'\t') letter='\t' ;;
            $'\n') letter='\n' ;;
            $'\r') letter='\r' ;;
            [[:cntrl:]]) printf -v letter '\\0%03o' "'$letter" ;;
        esac
        escape+=$letter
    done
}

# Sets `id`: a path's last part without an archive's ending, of harmless characters, given to nobody else.
make_id() {
    local LC_ALL=C name=${1##*/} number=1
    name=${name%.zip} name=${name%.tgz} name=${name%.tar.gz}
    name=${name//[^A-Za-z0-9._@+-]/_}
    [[ $name != [.-]* ]] || name=_${name:1}
    name=${name:0:100}
    [[ -n $name && $name != @ ]] || name=_
    id=$name
    while [[ -n ${path_of[$id]-} ]]; do id=$name-$((++number)); done
}

# Sets ids[], and path_of[id], the absolute path. A path that had an id in this folder keeps it.
name_submissions() {
    local id path given i absolute=() escape
    local -A id_of=()
    ids=()
    declare -gA path_of=() given_of=()
    while IFS=$'\t' read -r id given _; do
        [[ -n $id ]] || continue
        printf -v path %b "$given"
        [[ $path == /* ]] || path=$caller/$path
        given_of[$id]=$given
        absolute+=("$path") ids+=("$id")
    done < <(cat "$out/submissions.tsv" 2>/dev/null)
    local earlier=${#ids[@]}
    for path in "${submissions[@]}"; do
        [[ $path == /* ]] || path=$caller/$path
        absolute+=("$path")
    done
    mapfile -d '' absolute < <(realpath -zsm -- "${absolute[@]}")
    for ((i = 0; i < earlier; i++)); do
        path_of[${ids[i]}]=${absolute[i]}
        id_of[${absolute[i]}]=${ids[i]}
    done
    ids=()
    local -A chosen=()
    for ((; i < ${#absolute[@]}; i++)); do
        path=${absolute[i]}
        id=${id_of[$path]-}
        [[ -n $id ]] || make_id "$path"
        escaped "${submissions[i - earlier]}"
        path_of[$id]=$path id_of[$path]=$id given_of[$id]=$escape
        [[ -n ${chosen[$id]-} ]] || ids+=("$id")
        chosen[$id]=1
    done
    write_submissions
}

# submissions.tsv: id, path as given, and what was noticed when it was taken in.
write_submissions() {
    local id escape noticed
    for id in "${!path_of[@]}"; do
        noticed=''
        [[ ! -s $out/logs/$id/intake.log ]] ||
            noticed=$(tail -n 20 "$out/logs/$id/intake.log" | sed 's/^intake: //; $!s/$/;/' | paste -sd ' ')
        escaped "$noticed"
        printf '%s\t%s\t%s\n' "$id" "${given_of[$id]}" "$escape"
    done | LC_ALL=C sort >"$work/submissions.tsv"
    mv "$work/submissions.tsv" "$out/submissions.tsv" || fault "cannot write to $out"
}

# In a slot: a clean copy of a submission's steps. Where there is none, a file says why: `refused`, or,
# if the submission has no part in that, `failed`.
take_in() {
    local told=$out/logs/$1 status
    rm -rf "$out/submissions/$1" "$told"/{refused,failed,intake.log}
    mkdir -p "$out/submissions/$1" "$told" || return 3
    timeout -k 5 600 class/intake "${path_of[$1]}" "$out/submissions/$1" 2>"$told/intake.log"
    status=$?
    ((status)) || return 0
    sed -n '$s/^intake: //p' "$told/intake.log" >"$work/said-$slot"
    [[ -s $work/said-$slot ]] || echo "class/intake ended with status $status" >"$work/said-$slot"
    mv "$work/said-$slot" "$told/$([[ $status == 1 ]] && echo refused || echo failed)" || return 3
}

# ---- builds -----------------------------------------------------------------------------------------

choose_isolation() {
    local why gpu=()
    [[ $device == cpu ]] || gpu=(--gpu)
    if ! why=$(class/isolate --available "${gpu[@]}" 2>&1); then
        [[ -z $require_isolation ]] || fault "no isolation: $why"
        printf 'grade.sh: no isolation: %s\n' "$why" >&2
        export ISOLATE_LIMITS_ONLY=1
    fi
    judge_options+=(--isolate class/isolate)
    # In the sandbox nothing of the harness is made, and no GPU tells what to build for.
    local file
    make_step=(make ARCH="$(architecture)")
    for file in "build/$device"/{emulator,runner,problems/*}/*.o build/cpu/rewrite common/build/evidence; do
        [[ -e $file ]] && make_step+=("--assume-old=$file")
    done
    # A path without blanks whatever $out is, and neutral: compilers name it in what students read.
    local run
    run=$(realpath "$out" | sha256sum)
    builds=build/class/${run:0:12}
}

# This tree's own step of each problem is built as a submission's would be: if that fails, it is no
# student's fault.
try_builds() {
    local step place built function tried=''
    progress 'trying a build'
    for step in "${steps[@]##*/}"; do
        function=$(function_of "labs/$step")
        [[ " $tried " != *" $function "* && -x build/$device/labs/$step/runner ]] || continue
        tried+=" $function"
        build_submitted_step "$step" "labs/$step/$function.cu" "own" && [[ $(cat "$place/status") == 0 ]] ||
            fault "builds of submissions do not work here: $(tail -n 1 "$place/output")"
    done
}

architecture() {
    local found
    [[ $device == gpu ]] || return 0
    found=$(sed -n 's/^arch //p' "$work"/device-*.txt | sort -u)
    if [[ -n $found && $found != *$'\n'* ]]; then echo "$found"; else echo all-major; fi
}

# Equal sources are built once: submissions contain what nobody has changed. Sets `place`, the directory
# that holds the source, and `built`, that of the runner; place/status tells how it went.
build_submitted_step() {
    local step=$1 source=$2 hash=$3 turn status targets
    place=$builds/$step/$hash built=build/$device/$place
    ! is_built || return 0
    mkdir -p "$place" || return 3
    exec {turn}>"$place.lock" || return 3
    flock "$turn"
    if ! is_built; then
        rm -rf "$built" "$place/status"
        cp "$source" "$place/$function.cu" || return 3
        targets=("$built/runner")
        [[ $device == gpu ]] || targets+=("$built/runner-checked")
        class/isolate build --timeout "$build_timeout" "$place" "$built" -- \
            "${make_step[@]}" "${targets[@]}" >"$place/output" 2>&1
        status=$?
        rm -f "$built"/*.o "$built/step.cpp"
        keep_build_log
        # 125: the sandbox could not be made. No status: whoever asks next tries again.
        if ((status)) && disk_is_full; then
            echo "there is no space left for builds in $PWD/build" >>"$place/output"
        elif ((status != 125)); then
            echo "$status" >"$place/status"
        fi
    fi
    exec {turn}>&-
}

disk_is_full() {
    local kb
    kb=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
    ((kb < 100000))
}

# Or has failed to.
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

# ---- grading, in a slot -----------------------------------------------------------------------------

# What the submission's step has come to: `hash` of its source, or `-` and in `absent` why there is none.
look_at_source() {
    source=$out/submissions/$submission/labs/$step/$function.cu absent='' hash=- failed=''
    [[ -n $submission ]] || source=labs/$step/$function.cu
    if [[ -e $source ]]; then
        hash=$(sha256sum <"$source")
        hash=${hash%% *}
    elif [[ -e $out/logs/$submission/failed ]]; then
        failed=$(<"$out/logs/$submission/failed")
    elif [[ -e $out/logs/$submission/refused ]]; then
        absent=$(<"$out/logs/$submission/refused")
    else
        absent="the submission has no $step/$function.cu"
    fi
}

is_graded() {
    [[ ${graded_hash[$key]-} == "$hash" && ${graded_verdict[$key]} != harness-error ]] &&
        [[ $hash != - || ${graded_detail[$key]} == "${absent:0:200}" ]]
}

# for_each_step COMMAND ID: run it for each step of a submission that has no record yet. Without an id
# they are this tree's own steps.
for_each_step() {
    local directory
    for directory in "${steps[@]}"; do
        kill -0 $$ 2>/dev/null || return 0 # the run was killed
        at_step "${2:-/}/${directory##*/}"
        is_graded || "$1" || return
    done
}

# Sets what the functions below work with: the step of a key (see class.awk), `//UUID/STEP` for an own one.
at_step() {
    step=${1##*/} submission=${1%/*}
    [[ $submission != /* ]] || submission=''
    key=${submission:-//$uuid}/$step function=$(function_of "labs/$step") logs=$out/logs/$submission
    mkdir -p "$logs"
    look_at_source
}

build_ahead() {
    [[ $hash == - ]] || build_submitted_step "$step" "$source" "$hash"
}

# One step. Its record is final when a GPU answers after it: a lost GPU is nobody's fault, and what ran
# when it went runs again.
record_step() {
    local turn status
    for turn in 1 2; do
        rm -f "$records" "$logs/$step.log"
        judge_step 2>"$work/said-$slot"
        status=$?
        [[ -s $records ]] || judge_failed "$status"
        gpu_is_sound && { add_record; return; }
        gpu_comes_back || break
    done
    rm -f "$records"
    judge "$step" --submission "$submission" --source-sha256 "${hash#-}" --verdict harness-error \
        --detail "the GPU was lost while this ran: grade it again when the GPU is back"
    add_record || return
    gpu_answers || return "$EXIT_NO_GPU"
}

judge_step() {
    local place='' built=build/$device/labs/$step status=0 options=(--submission "$submission")
    [[ -z $failed ]] || { printf '%s\n' "$failed" >&2; return 3; }
    if [[ $hash == - ]]; then
        judge "$step" "${options[@]}" --verdict missing --detail "${absent:0:200}"
        return
    fi
    if [[ -n $submission ]]; then
        build_submitted_step "$step" "$source" "$hash" || return
        is_built || { tail -n 1 "$place/output" >&2; return 3; }
        status=$(<"$place/status")
    fi
    ((status != 124)) || options+=(--detail "the build was stopped: it took more than $build_timeout s, or too much memory")
    read_comparison "$out/baselines/$uuid-$function.jsonl"
    grade_step "$step" "$source" "$built" "${options[@]}"
}

# The judge, or what comes before it, left no record: the harness's fault, so that it is tried again.
judge_failed() {
    judge "$step" --submission "$submission" --source-sha256 "${hash#-}" --verdict harness-error \
        --detail "status $1: $(head -n 1 "$work/said-$slot")"
}

# One write, whatever its length: see the top.
add_record() {
    cat "$records" >>"$out/results.jsonl" || return 3
}

gpu_is_sound() {
    [[ $device == cpu ]] || ! grep -qE '"verdict":"(crashed|timed-out|launch-failed|harness-error)"' "$records" || gpu_answers
}

# It can still be given memory and fill it.
gpu_answers() {
    [[ $device == cpu ]] || timeout -k 5 60 build/gpu/device >/dev/null 2>&1
}

gpu_comes_back() {
    local pause
    for pause in $gpu_patience; do
        sleep "$pause"
        gpu_answers && return
    done
    return 1
}
gpu_patience='1 5 20 60' # seconds between tries

# ---- slots ------------------------------------------------------------------------------------------

# Sets slot_gpu[] and slot_uuid[]: on the cpu device as many as there are jobs, without either.
find_slots() {
    local gpu i
    slot_gpu=() slot_uuid=()
    if [[ $device == cpu ]]; then
        build/cpu/device >"$work/device.txt" || fault "the emulator does not start"
        for ((i = 0; i < jobs; i++)); do
            slot_gpu+=('') slot_uuid+=('')
            cp "$work/device.txt" "$work/device-$i.txt"
        done
        return
    fi
    export CUDA_DEVICE_ORDER=${CUDA_DEVICE_ORDER:-PCI_BUS_ID} # as nvidia-smi counts
    rm -f "$work"/device-*.txt
    for gpu in $(chosen_gpus); do
        i=${#slot_gpu[@]}
        if ! CUDA_VISIBLE_DEVICES=$gpu timeout -k 5 60 build/gpu/device >"$work/device-$i.txt" 2>"$work/said"; then
            rm -f "$work/device-$i.txt"
            printf 'grade.sh: GPU %s cannot be used: %s\n' "$gpu" "$(tail -n 1 "$work/said")" >&2
            continue
        fi
        slot_gpu+=("$gpu") slot_uuid+=("$(sed -n 's/^uuid //p' "$work/device-$i.txt")")
    done
    ((${#slot_gpu[@]})) || fault "there is no GPU that can be used; what has been graded is kept, and the same command goes on"
    [[ -z $(printf '%s\n' "${slot_uuid[@]}" | sort | uniq -d) ]] || usage_error "--gpus names a GPU twice"
}

chosen_gpus() {
    local gpus=${gpus:-${CUDA_VISIBLE_DEVICES-}}
    if [[ -n $gpus ]]; then
        tr ',' ' ' <<<"$gpus"
    else
        nvidia-smi -L | sed -n 's/^GPU \([0-9]*\):.*/\1/p'
    fi
}

# start_job SLOT COMMAND...: in a subshell, as that slot.
start_job() {
    local slot=$1
    shift
    (
        trap - INT TERM HUP
        records=$work/record-$slot.jsonl device_file=$work/device-$slot.txt uuid=${slot_uuid[slot]-}
        [[ -z ${slot_gpu[slot]-} ]] || export CUDA_VISIBLE_DEVICES=${slot_gpu[slot]}
        "$@"
    ) </dev/null &
    job=$!
}

grade_own() {
    for_each_step record_step ''
}

# On the cpu device all at once, on a GPU what is left when the builders are done.
grade_one() {
    [[ $device == gpu ]] || take_in "$1" || return
    for_each_step record_step "$1"
}

build_one() {
    take_in "$1" && for_each_step build_ahead "$1"
}

# What to compare with, once for each GPU and problem, while nothing else runs.
measure_gpus() {
    local slot
    [[ $device == gpu ]] || return 0
    for slot in "${!slot_gpu[@]}"; do
        start_job "$slot" measure_gpu
        wait "$job" || fault "the baselines on GPU ${slot_gpu[slot]} failed"
    done
}

measure_gpu() {
    logs=$out/logs
    for function in "${functions[@]}"; do
        records=$out/baselines/$uuid-$function
        [[ ! -e $records.jsonl ]] || continue
        rm -f "$records"
        measure_baselines && mv "$records" "$records.jsonl" || return
    done
}

# Give the slots work until there is none: todo[] and, in each slot, this tree's own steps first.
run_slots() {
    local slot id job builders=0 next_builder=${#slot_gpu[@]} most=$((jobs > ${#slot_gpu[@]} ? jobs - ${#slot_gpu[@]} : 1))
    local ready=() busy=() lost=() own=("${!slot_gpu[@]}")
    local -A slot_of=() id_of=()
    [[ $device == gpu ]] || own=(0)
    while :; do
        for slot in "${!slot_gpu[@]}"; do
            [[ -z ${busy[slot]-}${lost[slot]-} ]] || continue
            id=''
            if [[ -n ${own[slot]-} ]]; then
                start_job "$slot" grade_own
                unset "own[slot]"
            elif [[ $device == cpu ]] && ((${#todo[@]})); then
                next todo
                start_job "$slot" grade_one "$id"
            elif ((${#ready[@]})); then
                next ready
                start_job "$slot" grade_one "$id"
            else
                continue
            fi
            busy[slot]=1 slot_of[$job]=$slot id_of[$job]=$id
        done
        while [[ $device == gpu ]] && ((builders < most && ${#todo[@]})); do
            next todo
            start_job "$((next_builder++))" build_one "$id"
            builders=$((builders + 1)) slot_of[$job]=builder id_of[$job]=$id
        done
        ((${#slot_of[@]})) || break
        wait -n
        for job in "${!slot_of[@]}"; do
            kill -0 "$job" 2>/dev/null || job_ended
        done
    done
}

# next LIST: takes its first as `id`.
next() {
    local -n list=$1
    id=${list[0]}
    list=("${list[@]:1}")
}

job_ended() {
    wait "$job"
    local status=$? slot=${slot_of[$job]}
    id=${id_of[$job]}
    unset "slot_of[$job]" "id_of[$job]"
    if ((status == 3)); then
        end_jobs
        fault "cannot write to $out; what has been graded is kept, and the same command goes on"
    fi
    if [[ $slot == builder ]]; then
        builders=$((builders - 1))
        ready+=("$id")
        return
    fi
    busy[slot]=''
    ((status == EXIT_NO_GPU)) || return 0
    lost[slot]=1 # what it has not done is for the next round
    printf 'grade.sh: GPU %s does not answer any more\n' "${slot_gpu[slot]}" >&2
}

# ---- the whole --------------------------------------------------------------------------------------

# Everything that must have a record: key, id or - for an own one, step.
wanted() {
    local directory id uuid
    for directory in "${steps[@]}"; do
        printf '%s\n' "${slot_uuid[@]}" | sort -u | while read -r uuid; do
            echo "//$uuid/${directory##*/} - ${directory##*/}"
        done
        for id in "${ids[@]}"; do echo "$id/${directory##*/} $id ${directory##*/}"; done
    done
}

# Sets `undone`, how many of those have no verdict yet, and todo[], the submissions among them.
count_undone() {
    local key id step
    local -A seen=()
    undone=0 todo=()
    while read -r key id step; do
        [[ -z ${graded_verdict[$key]-} || ${graded_verdict[$key]} == harness-error ]] || continue
        undone=$((undone + 1))
        [[ $id == - || -n ${seen[$id]-} ]] || todo+=("$id")
        seen[$id]=1
    done < <(wanted)
}

# What the harness could not do is tried again, unless it could do nothing at all.
grade_all() {
    local round all todo
    all=$(wanted | wc -l)
    count_undone
    for round in 1 2 3; do
        if ((round == 1)); then
            todo=("${ids[@]}") # each may have changed
        else
            find_slots
            tidy redo
        fi
        measure_gpus
        show_progress "$undone"
        run_slots
        hide_progress
        tidy
        count_undone
        ((undone == 0 || undone == all)) && break
    done
    write_submissions
    [[ $device == cpu ]] || measure_again
}

# A time that decides by little is measured a second time, on the same GPU. Both records stay, and
# class/points says which of the two counts.
measure_again() {
    local slot id step job again
    progress 'measuring again what decides by little'
    class/near-boundary "$out" >"$work/near" || return 0
    for slot in "${!slot_gpu[@]}"; do
        again=()
        while IFS=$'\t' read -r id step; do
            [[ ${graded_uuid[$id/$step]-} == "${slot_uuid[slot]}" ]] && again+=("$id/$step")
        done <"$work/near"
        ((${#again[@]})) && start_job "$slot" grade_again "${again[@]}"
    done
    wait
    progress ''
    tidy
}

grade_again() {
    local key
    for key; do
        kill -0 $$ 2>/dev/null || return 0
        at_step "$key"
        [[ ! -s $source ]] || record_step || return
    done
}

# On a terminal: how far it is, and what is left.
show_progress() {
    ticker=''
    [[ -t 2 ]] || return 0
    (
        trap - INT TERM HUP
        exec {lock}>&-
        start=$SECONDS
        before=$(grep -c '"kind":"step"' "$out/results.jsonl")
        while kill -0 $$ 2>/dev/null; do
            now=$(($(grep -c '"kind":"step"' "$out/results.jsonl") - before))
            failed=$(grep '"kind":"step"' "$out/results.jsonl" | grep -vc '"verdict":"pass"')
            progress "$now of $1 steps graded, $failed in all without a pass$(time_left "$now" "$1" $((SECONDS - start)))"
            sleep 2
        done
    ) &
    ticker=$!
}

hide_progress() {
    [[ -z $ticker ]] || { kill "$ticker"; wait "$ticker"; } 2>/dev/null
    progress ''
}

time_left() {
    local minutes
    (($1 > 5 && $1 < $2)) || return 0
    minutes=$((($2 - $1) * $3 / $1 / 60 + 1))
    if ((minutes < 90)); then echo ", about $minutes min left"; else echo ", about $((minutes / 60)) h $((minutes % 60)) min left"; fi
}

finish() {
    local key id step failed=0 worst=0
    while read -r key id step; do
        [[ ${graded_success[$key]-} == 1 ]] && continue
        if [[ $id == - && ${graded_verdict[$key]-harness-error} != harness-error ]]; then
            printf "grade.sh: this project's own %s did not pass here (%s): it cannot be graded by\n" "$step" "${graded_verdict[$key]}" >&2
        fi
        [[ $id == - ]] || failed=$((failed + 1))
    done < <(wanted)
    ((failed == 0)) || worst=1
    summary
    if ((undone)); then
        worst=3
        printf 'grade.sh: %d step%s could not be graded (harness-error: the records say why); the same command tries again\n' \
            "$undone" "$( ((undone == 1)) || echo s)" >&2
    else
        rm -rf "$out/regrade" "$builds" "build/$device/$builds"
    fi
    rm -rf "$work"
    exit "$worst"
}

# What a person wants to see in the morning.
summary() {
    progress 'writing feedback'
    class/feedback "$out" >/dev/null || fault "the feedback could not be written from $out/results.jsonl"
    progress ''
    # 1: written, and it has said who is not in the roster.
    [[ -z $formats ]] || class/export "$formats" "$out" || (($? == 1)) ||
        fault "the grade books could not be written from $out/results.jsonl"
    class/summary "$out" "$out" || fault "the summary could not be made from $out/results.jsonl"
    printf 'Records, logs, feedback and summary are in %s/.\n' "$out"
}
