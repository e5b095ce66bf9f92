# The GPU of a run, on which one step at a time is measured. Sourced by submissions.sh.
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
        fault "the GPU cannot be used ($(tail -n 1 "$work/said")): make doctor says more, and --device cpu needs none. What has been graded is kept, and the same command goes on"
    uuid=$(sed -n 's/^uuid //p' "$device_file")
}

# Opens the locks: the judge waits for the place of the next one who measures, and for the GPU's locks when all that can be done
# without the GPU is done. Fails if the GPU is lost.
take_gpu() {
    [[ -z ${held-} && $device != cpu ]] || return 0 # already
    [[ ! -e $work/lost ]] || return
    exec {next}>"$work/next" {held}>"$work/lock"
    name_gpu_lock "$uuid"
}

# For a judge that is not told of locks: waits for them here.
lock_taken_gpu() {
    local lock
    for lock in $held $gpu_lock; do flock "$lock" || fault "cannot lock $out/work/lock, or the GPU's lock of this machine"; done
}

# What a judge is told that takes the locks itself.
lock_options() {
    [[ -z ${held-} ]] || printf '%s\n' ${next:+--place "$next"} --locks "$held${gpu_lock:+,$gpu_lock}" --counting-lock "$work/counting"
}

# Whose judge has had the GPU needs no place: it may have the GPU still, and whoever has the place waits for it.
leave_place() {
    [[ -z ${next-} ]] || exec {next}>&-
    next=''
}

# The next one may measure, while this process does what is left.
release_gpu() {
    leave_place
    [[ -z ${held-} ]] || exec {held}>&-
    held=''
    unlock_gpu
}

# It can still be given memory and fill it.
gpu_answers() {
    [[ $device == cpu ]] || timeout -k 5 60 build/gpu/device >/dev/null 2>&1
}

gpu_comes_back() {
    local seconds
    for seconds in 1 5 20 60; do
        [[ ! -e $work/lost ]] || return # another has waited for it
        sleep "$seconds"
        gpu_answers && return
    done
    return 1
}

# ---- CPUs ---------------------------------------------------------------------------------------

# On the cpu device each worker has some of its own, so that a step that starts many processes crowds
# out nobody but itself. In the sandbox a step cannot change its affinity; without one it can.

# Sets `cpus_of`, those of each worker, as taskset writes them. Where there are fewer CPUs than workers, some have the same one.
share_cpus() {
    local range cpus=() number first last
    cpus_of=()
    range=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
    for range in ${range//,/ }; do
        for ((first = ${range%-*}; first <= ${range#*-}; first++)); do cpus+=("$first"); done
    done
    for ((number = 0; number < jobs; number++)); do
        first=$((number * ${#cpus[@]} / jobs)) last=$(((number + 1) * ${#cpus[@]} / jobs))
        ((last > first)) || last=$((first + 1))
        printf -v "cpus_of[number]" '%s,' "${cpus[@]:first:last-first}"
    done
}

# take_cpus WORKER: moves this process there, and so all that it starts. Where the system forbids it, all share all CPUs.
take_cpus() {
    [[ $device != cpu ]] || taskset -cp "${cpus_of[$1]%,}" "$BASHPID" >/dev/null 2>&1
}
