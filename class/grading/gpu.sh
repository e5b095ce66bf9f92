# The GPU of a run, on which one step at a time is measured. Sourced by submissions.sh and the recipes.
# shellcheck shell=bash
# class/README.md says what files of work/ are about it.

. common/build/gpu_lock.sh

# Sets uuid and device_file: the GPU that CUDA_VISIBLE_DEVICES names first, else the first of this machine. The cpu device's is `cpu`.
find_gpu() {
    rm -f "$work/lost"
    device_file=$work/device uuid=cpu
    if [[ $device == cpu ]]; then
        build/cpu/device >"$device_file" || fault "the emulator does not start"
        share_cpus
        return
    fi
    export CUDA_DEVICE_ORDER=${CUDA_DEVICE_ORDER:-PCI_BUS_ID} CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-0} # as nvidia-smi counts
    CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES%%,*}
    timeout -k 5 60 build/gpu/device >"$device_file" 2>"$work/said" ||
        fault "the GPU cannot be used ($(tail -n 1 "$work/said")); what has been graded is kept, and the same command goes on"
    uuid=$(sed -n 's/^uuid //p' "$device_file")
}

# Waits for the place of the next one who measures, which one step has. The judge waits for the GPU's locks when all that can be done without
# the GPU is done, and gives the place up then. Fails if the GPU is lost.
take_gpu() {
    [[ -z ${held-} && $device != cpu ]] || return 0 # already
    exec {next}>"$work/next" {held}>"$work/lock"
    flock "$next"
    [[ ! -e $work/lost ]] || return
    name_gpu_lock "$uuid"
}

# For a judge that is not told of locks: waits for them here.
lock_taken_gpu() {
    local lock
    for lock in $held $gpu_lock; do flock "$lock" || fault "cannot lock $out/work/lock, or the GPU's lock of this machine"; done
    exec {next}>&-
}

# What a judge is told that takes the locks itself.
lock_options() {
    [[ -z ${held-} ]] || printf '%s\n' --place "$next" --locks "$held${gpu_lock:+,$gpu_lock}" --counting-lock "$work/counting"
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

# On the cpu device each grading that runs at the same time as others has some of its own, so that a step that starts many processes crowds
# out nobody but itself. work/cpus-N, one for each job, holds the CPUs of that slot as taskset writes them, and who grades there holds
# it as a lock: make starts the jobs, but does not number them. In the sandbox a step cannot change its affinity; without one it can.

# Where there are fewer CPUs than jobs, some have the same one.
share_cpus() {
    local range cpus=() number first last
    range=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
    for range in ${range//,/ }; do
        for ((first = ${range%-*}; first <= ${range#*-}; first++)); do cpus+=("$first"); done
    done
    for ((number = 0; number < jobs; number++)); do
        first=$((number * ${#cpus[@]} / jobs)) last=$(((number + 1) * ${#cpus[@]} / jobs))
        ((last > first)) || last=$((first + 1))
        (IFS=, && echo "${cpus[*]:first:last-first}") >"$work/cpus-$number" || fault "$(unwritable "$out")"
    done
}

# Moves this process to a slot, and so all that it starts, and holds it as long as they live. Each job finds one: there are as many.
take_cpus() {
    local file slot
    while :; do
        for file in "$work"/cpus-*; do
            exec {slot}>>"$file"
            if flock -n "$slot"; then
                taskset -cp "$(<"$file")" "$BASHPID" >/dev/null 2>&1 # where the system forbids it, all share all CPUs
                return 0
            fi
            exec {slot}>&-
        done
        pause 0.04
    done
}
