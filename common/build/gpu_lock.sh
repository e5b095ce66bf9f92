# The lock of a GPU. Whoever measures on a GPU of this machine holds it: students' desks and the grading of a
# class belong to several users and folders, and would make each other's times longer.
# Sourced after prelude.sh.
# shellcheck shell=bash
#
# It is flock's lock on the file histolab-gpu-UUID in a directory that every user of the machine can write to and that is
# sticky, so that nobody removes another's file: /run/lock, or /tmp where /run/lock is not such a directory. GPU_LOCKS
# names another one. The file is made without following links (O_EXCL), and is opened for reading only, so it does not
# matter who made it. A process that ends gives the lock back, however it ends.
#
# Where no such file can be made or opened, a note says so once, and the run goes on without the lock. The lock keeps
# apart runs that agree to use it. It does not stop a user of the machine who means harm: he could hold it for ever, or
# use the GPU without it.

. common/build/attend.sh

gpu_lock='' # the descriptor of the lock that this process holds

# lock_gpu UUID: waits until nobody else on this machine measures on that GPU, then holds it until unlock_gpu or the
# end of this process and its children. Does nothing if this process holds a lock already, or if there is no GPU (an
# empty UUID, or `cpu`).
lock_gpu() {
    [[ -z $gpu_lock && ${1:-cpu} != cpu ]] || return 0
    name_gpu_lock "$1"
    [[ -n $gpu_lock ]] && ! flock -n "$gpu_lock" || return 0
    progress "waiting for the GPU $1: another run on this machine measures on it"
    attend flock "$gpu_lock"
    progress ''
}

unlock_gpu() {
    [[ -z $gpu_lock ]] || exec {gpu_lock}>&-
    gpu_lock=''
}

# name_gpu_lock UUID: sets `gpu_lock`; a judge may take and give back the lock itself. Only a file is opened: opening a pipe would
# wait for its other end.
name_gpu_lock() {
    local file
    file=$(gpu_lock_file "$1")
    [[ -e $file || -L $file ]] || (umask 022; set -C; : >"$file") 2>/dev/null
    [[ -f $file && ! -L $file ]] && { exec {gpu_lock}<"$file"; } 2>/dev/null && return
    gpu_lock=''
    # shellcheck disable=SC2154  # prelude.sh sets it
    [[ -n ${gpu_lock_noted-} ]] || printf '%s: the lock %s cannot be used: times are longer if another run measures on this GPU now (GPU_LOCKS=DIR names a directory for locks)\n' \
        "$program" "$file" >&2
    gpu_lock_noted=1
}

gpu_lock_file() {
    local directory=${GPU_LOCKS:-/run/lock}
    # Not where only root may write.
    [[ -n ${GPU_LOCKS-} || -k $directory ]] || directory=/tmp
    echo "$directory/histolab-gpu-${1//[^A-Za-z0-9-]/_}"
}
