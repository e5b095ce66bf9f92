# What a command in isolation may use. Sourced by class/isolate, at the tree's root.
# shellcheck shell=bash

# The limits are several times what an honest step needs. CUDA reserves address space by the terabyte, so on a
# GPU only the watch (watch.c) bounds memory.
set_limits() {
    processes=256 temporary_mb=128 descriptors=256
    case $1 in
        build) cpu_s=300 address_mb=8192 memory_mb=8192 file_mb=256 ;;
        cpu) cpu_s=3600 address_mb=4096 memory_mb=4096 file_mb=64 ;;
        gpu) cpu_s=7200 address_mb=unlimited memory_mb=16384 file_mb=512 descriptors=1024 ;;
    esac
    local machine_kb
    read -r _ machine_kb _ </proc/meminfo # its first line: MemTotal
    ((memory_mb * 1024 <= machine_kb / 2)) || memory_mb=$((machine_kb / 2048))
}

# Sets `limited`: the words that go before a command, behind those of the sandbox (enter.c).
limited_command() {
    local address_kb=$address_mb
    [[ $address_mb == unlimited ]] || address_kb=$((address_mb * 1024))
    add_processes_there
    limited=("$cpu_s" $((file_mb * 1024)) "$processes" "$address_kb" "$descriptors")
}

# The kernel limits the processes of a user: since Linux 5.14 those in one user namespace, before that all of
# them, so that the ones already there are added. Root changes to a user that nobody else is.
add_processes_there() {
    local major minor
    IFS=.- read -r major minor _ </proc/sys/kernel/osrelease
    ((dropped_uid)) || { [[ $level == bubblewrap ]] && ((major * 1000 + minor >= 5014)); } ||
        processes=$((processes + $(find /proc/[0-9]*/task -mindepth 1 -maxdepth 1 -user "$UID" 2>/dev/null | wc -l)))
}

# become FUNCTION: calls it as a child whose memory is watched, with that of all that it starts, and never returns. The function ends with
# exec, or exits.
become() {
    local gate
    need watch
    # If the machine runs out of memory, this is killed first.
    echo 1000 2>/dev/null >/proc/self/oom_score_adj
    # The child begins when the watch closes the gate's other end: a child that ended while this shell was still there
    # would be reaped by it, and the watch would wait for ever.
    exec {gate}<> <(:)
    {
        exec {gate}<&- # else it would hold that end itself
        read -r <&9
        exec 9<&-
        trap - INT QUIT # a shell lets what it starts like this ignore them
        "$1"
        exit
    } <&0 9</dev/fd/"$gate" &
    exec "$tree/build/isolate/watch" "$memory_mb" $!
}
