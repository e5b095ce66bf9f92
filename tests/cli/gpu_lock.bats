#!/usr/bin/env bats
# The lock that all runs and all users of a machine share for each GPU: common/build/gpu_lock.sh.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    export GPU_LOCKS=$BATS_TEST_TMPDIR/locks program=test
    mkdir "$GPU_LOCKS"
    lock=$GPU_LOCKS/histolab-gpu-GPU-1
    . common/build/gpu_lock.sh
    # shellcheck disable=SC2317  # lock_gpu calls it
    progress() { echo "$1"; }
}

# Another process that holds GPU-1 until it is told to end.
hold() {
    coproc holder { . common/build/gpu_lock.sh && lock_gpu GPU-1 && echo held && read -r _; }
    read -r _ <&"${holder[0]}"
}

@test "one run at a time for each GPU; killed with -9, it gives the lock back" {
    hold
    run -124 timeout 0.2 bash -c 'progress() { :; }; . common/build/gpu_lock.sh; lock_gpu GPU-1'
    lock_gpu GPU-2
    unlock_gpu
    # shellcheck disable=SC2154  # coproc sets it
    kill -9 "$holder_PID"
    wait "$holder_PID" || true
    lock_gpu GPU-1
    run -0 lock_gpu GPU-1 # what holds it does not wait for itself
    [ -z "$output" ]
}

@test "who waits says for what, and gets the lock when it is given back" {
    hold
    lock_gpu GPU-1 >"$BATS_TEST_TMPDIR/said" &
    until [ -s "$BATS_TEST_TMPDIR/said" ]; do :; done
    [[ $(<"$BATS_TEST_TMPDIR/said") == "waiting for the GPU GPU-1: another run on this machine measures on it" ]]
    echo end >&"${holder[1]}"
    wait $!
}

@test "without a GPU nothing is locked" {
    lock_gpu cpu
    lock_gpu ''
    [ -z "$(ls "$GPU_LOCKS")" ]
}

@test "links and pipes in the lock's place are not opened, and a run goes on with one note" {
    : >"$BATS_TEST_TMPDIR/elsewhere"
    ln -s "$BATS_TEST_TMPDIR/elsewhere" "$lock"
    mkfifo "$GPU_LOCKS/histolab-gpu-GPU-2"
    ln -s "$BATS_TEST_TMPDIR/new" "$GPU_LOCKS/histolab-gpu-GPU-3"
    for gpu in 1 2 3; do
        run -0 lock_gpu "GPU-$gpu"
        [[ $output == "test: the lock $GPU_LOCKS/histolab-gpu-GPU-$gpu cannot be used: "* && ${#lines[@]} -eq 1 ]]
    done
    [ ! -e "$BATS_TEST_TMPDIR/new" ]
    run -0 eval 'lock_gpu GPU-1; lock_gpu GPU-1'
    [ "${#lines[@]}" -eq 1 ]
    GPU_LOCKS=$BATS_TEST_TMPDIR/none run -0 lock_gpu GPU-1
    [[ $output == *"cannot be used"* ]]
}

@test "the lock can be taken by another user, whatever the first one's umask is; a name cannot lead elsewhere" {
    (umask 077 && lock_gpu GPU-1)
    [ "$(stat -c %A "$lock")" = -rw-r--r-- ]
    [ "$(gpu_lock_file ../../etc/GPU)" = "$GPU_LOCKS/histolab-gpu-______etc_GPU" ]
    unset GPU_LOCKS
    [[ $(gpu_lock_file GPU-1) == @(/run/lock|/tmp)/histolab-gpu-GPU-1 && -k $(dirname "$(gpu_lock_file GPU-1)") ]]
}
