# The sandbox: the words that go before a command, in the array `sandbox`. Sourced by class/isolate, at the tree's
# root. `level` says of what it is made: bubblewrap, landlock, or nothing but limits.
# shellcheck shell=bash

tree=$PWD
. class/isolation/need.sh

# The level that the caller has chosen, or the best that is there. bwrap that is there and fails is a fault: what
# should hold must not stop to hold unnoticed.
choose_level() {
    level=${ISOLATE_LEVEL-}
    case $level in
        bubblewrap | landlock | limits) ;;
        '')
            level=bubblewrap
            command -v bwrap >/dev/null && return
            level=limits
            ! { need landlock && "$tree/build/isolate/landlock" --read / true; } 2>/dev/null || level=landlock
            ;;
        *) usage_error "ISOLATE_LEVEL is bubblewrap, landlock or limits, not '$level'" ;;
    esac
}

# Root makes the sandbox with its privileges and gives them up before the command, since a limit on processes
# does not bind root. Sets `dropped_uid`, a user ID that nobody else has; 0 if this user is not root, or may become
# nobody else.
choose_user() {
    dropped_uid=0
    ((EUID)) && return
    local first count
    read -r first _ count </proc/self/uid_map
    if ((first == 0 && count > 2100000000)); then
        dropped_uid=$((2000000000 + $$))
    else # a container: its users are few
        dropped_uid=$((count > 65000 ? 30000 + $$ % 30000 : 0))
    fi
    [[ $level == bubblewrap ]] || setpriv "--reuid=$dropped_uid" "--regid=$dropped_uid" --clear-groups true 2>/dev/null ||
        dropped_uid=0
}

# ---- at each level ------------------------------------------------------------------------------

# make_sandbox KIND: sets `sandbox` to what every command gets; KIND is build, cpu or gpu.
make_sandbox() {
    sandbox=()
    choose_user
    case $level in
        bubblewrap) begin_bubblewrap "$1" ;;
        landlock) begin_landlock "$1" ;;
    esac
}

# show PATH [read|write|device]: makes it visible at the same path.
show() {
    [[ -e $1 ]] || return 0
    case $level in
        bubblewrap) show_in_bubblewrap "$1" "${2-read}" ;;
        landlock) sandbox+=("--${2-read}" "$1") ;;
    esac
}

# Ends the options of the sandbox, and gives up root inside. What follows are limits and the command.
close_sandbox() {
    local enter=$tree/build/isolate/enter give_up=() fd
    need enter
    ((EUID)) || give_up=(--powerless)
    ((!dropped_uid)) || give_up+=(--user "$dropped_uid")
    if [[ $level == bubblewrap ]]; then
        # /dev was writable until now, for a GPU's devices.
        sandbox+=(--remount-ro /dev --remount-ro / --)
        ((dropped_uid)) && give_up+=(--open /tmp --open /dev/shm) || give_up=()
        exec {fd}<"$enter" # a mount would name this tree
        enter=/proc/self/fd/$fd
    else
        show "$enter"
        give_up+=(--die-with-parent)
    fi
    sandbox+=("$enter" "${give_up[@]}")
}

begin_bubblewrap() {
    local directory
    known=${BWRAP_KNOWS-$(bwrap --help 2>&1)} # grade.sh has asked once for thousands of runs
    need "filter.$1"
    exec {filter}<"$tree/build/isolate/filter.$1"
    sandbox=(bwrap --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try
        --hostname sandbox --new-session --die-with-parent --seccomp "$filter")
    if ((dropped_uid)); then
        sandbox+=(--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP)
    else
        sandbox+=(--unshare-user)
    fi
    local size=()
    [[ $known == *--size* ]] && size=(--size $((temporary_mb << 20)))
    sandbox+=(--proc /proc)
    # A step that writes there could have another process killed in its place (oom_score_adj). CUDA does not start
    # where it cannot name its threads there.
    [[ $1 == gpu ]] || sandbox+=(--remount-ro /proc)
    sandbox+=(--dev /dev)
    [[ $1 == gpu ]] || sandbox+=(--ro-bind /dev/null /dev/zero) # filter.c says why
    sandbox+=("${size[@]}" --tmpfs /dev/shm "${size[@]}" --tmpfs /tmp
        --ro-bind /usr /usr)
    show /etc/alternatives
    show /etc/ld.so.cache
    for directory in /bin /sbin /lib*; do
        if [[ -L $directory && $directory -ef /usr$directory ]]; then
            sandbox+=(--symlink "usr$directory" "$directory")
        else
            show "$directory"
        fi
    done
}

# The directories above a path hold nothing else.
show_in_bubblewrap() {
    local parent=${1%/*} option
    case $2 in
        read) option=--ro-bind ;;
        write) option=--bind ;;
        device) option=--dev-bind ;;
    esac
    while [[ -n $parent ]]; do
        sandbox+=(--dir "$parent")
        parent=${parent%/*}
    done
    sandbox+=("$option" "$1" "$1")
}

# Every runner has the same name: neither a person's paths nor whether it is the checked one are to be read. A mount
# would name them (/proc/self/mountinfo), so it is copied.
show_runner() {
    local copied
    if [[ $known == *--perms* ]]; then
        exec {copied}<"$1"
        sandbox+=(--dir /step --perms 0555 --file "$copied" /step/runner)
    else
        sandbox+=(--dir /step --ro-bind "$1" /step/runner)
    fi
    sandbox+=(--chdir /tmp)
}

# Without namespaces the command keeps this process's ID, unless it is a build, which signals nobody.
begin_landlock() {
    local path self=$BASHPID
    need landlock
    need filter
    exec {filter}< <("$tree/build/isolate/filter" "$1" "$self")
    sandbox=("$tree/build/isolate/landlock" --seccomp "$filter")
    for path in /usr /bin /sbin /lib* /etc/alternatives /etc/ld.so.cache /sys/devices/system/cpu; do show "$path"; done
    for path in /dev/{null,full,random,urandom}; do show "$path" device; done
}

# ---- what is shown ------------------------------------------------------------------------------

# Of a compiler outside /usr, shows the directory that holds its bin and lib, unless that would show somebody's home.
# $CC and $CXX, which make takes, may name one that is not the first on PATH.
show_compilers() {
    local prefix prefixes cc=${CC-} cxx=${CXX-}
    mapfile -t prefixes < <(type -P make gcc g++ clang clang++ nvcc nvdisasm "${cc%% *}" "${cxx%% *}" | xargs -r -d '\n' readlink -f --)
    for prefix in "${prefixes[@]%/*/*}"; do
        [[ $prefix/ == / || $prefix/ == /usr/* || ${HOME:-/}/ == "$prefix"/* || $tree/ == "$prefix"/* ]] || show "$prefix"
    done
}

# Prints the device file of the GPU that CUDA_VISIBLE_DEVICES names, if that is one number in the order of the
# bus; nothing if it cannot tell.
chosen_gpu() {
    [[ ${CUDA_DEVICE_ORDER-} == PCI_BUS_ID && ${CUDA_VISIBLE_DEVICES-} =~ ^[0-9]+$ ]] || return
    local information minor devices=()
    for information in /proc/driver/nvidia/gpus/*/information; do
        minor=$(sed -n 's/^Device Minor:[[:space:]]*//p' "$information" 2>/dev/null)
        [[ -n $minor && -e /dev/nvidia$minor ]] && devices+=("/dev/nvidia$minor")
    done
    echo "${devices[CUDA_VISIBLE_DEVICES]-}"
}

# Only the GPU that the caller has chosen, if it has: the others may be timing somebody else's step.
show_gpu() {
    local path chosen
    chosen=$(chosen_gpu)
    [[ -z $chosen ]] || environment+=(CUDA_VISIBLE_DEVICES=0) # it is the only one that opens
    show /sys
    for path in /dev/nvidia* /dev/dri; do
        [[ -n $chosen && $path =~ ^(/dev/dri|/dev/nvidia[0-9]+)$ && $path != "$chosen" ]] || show "$path" device
    done
    # The driver's library may lie anywhere that the loader has been told of.
    local IFS=:
    for path in ${LD_LIBRARY_PATH-}; do
        [[ -e $path/libcuda.so.1 ]] && show "$path"
    done
    [[ $level != landlock ]] || show_processes
}

# What CUDA's driver reads of /proc. Of processes only this one, which becomes the step; CUDA names its threads there.
show_processes() {
    local path
    show /proc/self write
    for path in /proc/{driver,devices,cpuinfo,meminfo,modules,version,stat,filesystems,sys/vm,sys/kernel}; do
        show "$path"
    done
}

# Sets `paths`: what the build of a step needs of the harness, no other steps, no solutions, no judge.
find_harness() {
    paths=("$tree"/{Makefile,emulator,common/{lab.h,prelude.sh,build,runner}} "$tree"/common/problems/*/contract.h \
        "$tree"/build/{cpu,gpu}/{emulator,runner,problems} "$tree"/build/{contract,code-file,cpu/nvcc})
}

show_harness() {
    local path paths
    find_harness
    for path in "${paths[@]}"; do show "$path"; done
}

# Nothing else of the environment gets in. ccache would look for its cache.
clean_environment() {
    local name
    environment=(env -i "PATH=$PATH" HOME=/tmp LC_ALL=C CCACHE_DISABLE=1)
    for name in LD_LIBRARY_PATH CC CXX "${!CUDA_@}" "${!NVIDIA_@}"; do
        [[ -n ${!name-} ]] && environment+=("$name=${!name}")
    done
}

# Prints a file of the harness that the user of the sandbox cannot read, if there is one.
unreadable() {
    ((dropped_uid)) || return
    local paths
    find_harness
    find "${paths[@]}" "$tree/build/isolate/enter" ! -perm -o+r 2>/dev/null | head -n 1
}
