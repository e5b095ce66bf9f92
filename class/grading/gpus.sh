# The GPUs of a run. Each is a lock: who measures on one holds it. Sourced by submissions.sh and the recipes.
# shellcheck shell=bash
# class/README.md says what files of work/ are about them.

. common/build/gpu_lock.sh

# Sets uuids[] and writes the files above: which of the GPUs that were asked for can be used.
find_gpus() {
    local gpu uuid slots
    uuids=()
    rm -f "$work"/{cpus,device,lost}-*
    if [[ $device == cpu ]]; then
        uuids=(cpu)
        build/cpu/device >"$work/device-cpu" || fault "the emulator does not start"
        echo '- cpu' >"$work/gpus"
        mapfile -t slots < <(seq "$jobs")
        share_cpus "${slots[@]}"
        return
    fi
    export CUDA_DEVICE_ORDER=${CUDA_DEVICE_ORDER:-PCI_BUS_ID} # as nvidia-smi counts
    : >"$work/gpus"
    for gpu in $(chosen_gpus); do
        if ! CUDA_VISIBLE_DEVICES=$gpu timeout -k 5 60 build/gpu/device >"$work/said-device" 2>"$work/said"; then
            printf 'grade.sh: GPU %s cannot be used: %s\n' "$gpu" "$(tail -n 1 "$work/said")" >&2
            continue
        fi
        uuid=$(sed -n 's/^uuid //p' "$work/said-device")
        [[ ! -e $work/device-$uuid ]] || usage_error "--gpus names a GPU twice"
        mv "$work/said-device" "$work/device-$uuid"
        echo "$gpu $uuid" >>"$work/gpus"
        uuids+=("$uuid")
    done
    ((${#uuids[@]})) || fault "there is no GPU that can be used; what has been graded is kept, and the same command goes on"
    # Judge and step both need one while the clocks run.
    (($(nproc) < 2 * ${#uuids[@]})) || share_cpus "${uuids[@]}"
}

chosen_gpus() {
    local chosen=${gpus:-${CUDA_VISIBLE_DEVICES-}}
    if [[ -n $chosen ]]; then
        tr ',' ' ' <<<"$chosen"
    else
        nvidia-smi -L | sed -n 's/^GPU \([0-9]*\):.*/\1/p'
    fi
}

name_lost_gpus() {
    local gpu uuid
    while read -r gpu uuid; do
        [[ ! -e $work/lost-$uuid ]] || printf 'grade.sh: GPU %s does not answer any more\n' "$gpu" >&2
    done <"$work/gpus"
}

# use_gpu GPU UUID: sets what the judge needs to know.
use_gpu() {
    uuid=$2 device_file=$work/device-$2 runs=$work/run-$2
    [[ $device == cpu ]] || { export CUDA_VISIBLE_DEVICES=$1 && use_cpus "$2"; }
}

# Waits for the place of the next one who measures on a GPU, which one step has: of the GPUs that nobody measures on, then of
# any, the first, or of the one with the UUID given. The judge waits for the GPU's locks when all that can be done without
# the GPU is done, and gives the place up then. Fails if no GPU is left. Of those who wait, one looks and the others queue.
take_gpu() {
    [[ -z ${held-} ]] || return 0 # already
    local queue left
    [[ $device != cpu ]] || { use_gpu - cpu; return; }
    exec {queue}>"$work/queue${1:+-$1}"
    flock "$queue"
    until take_place is_idle "${1-}" || take_place true "${1-}"; do
        [[ -n $left ]] || return 1
        wait_for_place "${1-}"
    done
    exec {queue}>&-
}

# take_place CONDITION [UUID]: sets `next` and `held`, and `left`: whether there is a GPU.
take_place() {
    local gpu listed
    left=''
    while read -r gpu listed; do
        [[ ${2:-$listed} == "$listed" && ! -e $work/lost-$listed ]] || continue
        left=1
        exec {next}>"$work/next-$listed"
        if flock -n "$next" && "$1" "$listed"; then
            exec {held}>"$work/lock-$listed"
            name_gpu_lock "$listed"
            use_gpu "$gpu" "$listed"
            return
        fi
        exec {next}>&-
    done <"$work/gpus"
    return 1
}

is_idle() {
    flock -n "$work/lock-$1" true
}

# Where there is one GPU to wait for, its next one's turn ends the wait at once.
wait_for_place() {
    local gpu listed
    [[ -n $1 || $(wc -l <"$work/gpus") -eq 1 ]] || { pause 0.04; return; }
    read -r gpu listed < <(grep " $1" "$work/gpus")
    flock "$work/next-$listed" true
}

# For a judge that is not told of locks: waits for them here.
lock_taken_gpu() {
    local lock
    for lock in $held $gpu_lock; do flock "$lock" || fault "cannot lock $out/work/lock-$uuid, or the GPU's lock of this machine"; done
    exec {next}>&-
}

# What a judge is told that takes the locks itself.
lock_options() {
    [[ -z ${held-} ]] || printf '%s\n' --place "$next" --locks "$held${gpu_lock:+,$gpu_lock}" --counting-lock "$work/counting-$uuid"
}

# The next one may measure, while this process does what is left.
release_gpu() {
    [[ -z ${held-} ]] || exec {held}>&- {next}>&-
    held=''
    unlock_gpu
}

# has_cell COLUMN TEXT FILE: whether a record of the file has that text there; TEXT is a regular expression.
has_cell() {
    (
        . report/lib/views.sh
        cells_of "$1" "$3"
    ) | grep -qxE -- "$2"
}

# A record is final if the GPU answers after it: the loss of a GPU is not the fault of the step.
gpu_is_sound() {
    [[ $device == cpu ]] || ! has_cell verdict 'crashed|timed-out|launch-failed|harness-error' "$1" || gpu_answers
}

# It can still be given memory and fill it.
gpu_answers() {
    [[ $device == cpu ]] || timeout -k 5 60 build/gpu/device >/dev/null 2>&1
}

gpu_comes_back() {
    local seconds
    for seconds in 1 5 20 60; do
        sleep "$seconds"
        gpu_answers && return
    done
    return 1
}

# ---- CPUs ---------------------------------------------------------------------------------------

# Each grading that runs at the same time as others has some of its own, so that a step that starts many processes crowds out nobody
# but itself. On the cpu device work/cpus-N, one for each job, holds the CPUs of that slot as taskset writes them, and who grades there
# holds it as a lock: make starts the jobs, but does not number them. With several GPUs: work/cpus-UUID, for who has locked that GPU.
# In the sandbox of the cpu device a step cannot change its affinity. On a GPU, and without a sandbox, it can.

# share_cpus NAME...: writes work/cpus-NAME for each. Where there are fewer CPUs than names, some have the same one.
share_cpus() {
    local range cpus=() number=0 first last name
    range=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
    for range in ${range//,/ }; do
        for ((first = ${range%-*}; first <= ${range#*-}; first++)); do cpus+=("$first"); done
    done
    for name; do
        first=$((number * ${#cpus[@]} / $#)) last=$((++number * ${#cpus[@]} / $#))
        ((last > first)) || last=$((first + 1))
        (IFS=, && echo "${cpus[*]:first:last-first}") >"$work/cpus-$name" || fault "$(unwritable "$out")"
    done
}

# use_cpus NAME: moves this process there, and so all that it starts.
use_cpus() {
    [[ ! -s $work/cpus-$1 ]] || taskset -cp "$(<"$work/cpus-$1")" "$BASHPID" >/dev/null 2>&1
    return 0 # where the system forbids it, all share all CPUs
}

# Holds a slot as long as this process and its children live. Each job finds one: there are as many.
take_cpus() {
    local file slot
    while :; do
        for file in "$work"/cpus-*; do
            exec {slot}>>"$file"
            ! flock -n "$slot" || { use_cpus "${file##*/cpus-}"; return; }
            exec {slot}>&-
        done
        pause 0.04
    done
}
