#!/usr/bin/env bats
# What code of strangers can reach from inside class/isolate: nothing of what it can reach outside, which
# is tried first. As root, and as an ordinary user, each in a home that no one else can enter; and at each level that
# closes anything.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup_file() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export source_tree
    export no_sandbox='' levels=bubblewrap
    make -s -C "$source_tree" build-isolate
    no_sandbox=$("$source_tree/class/isolate" --available)
    [[ -z $no_sandbox ]] || levels=''
    ! ISOLATE_LEVEL=landlock "$source_tree/class/isolate" run /bin/true || levels+=' landlock'
    local step runners=()
    export honest='opt01_single_thread byte02_shared_atomics text04_privatized sum05_sequential_addressing'
    for step in $honest; do runners+=(build/cpu/labs/"$step"/runner{,-checked}); done
    make -s -j2 -C "$source_tree" build/judge-opt_{2dhisto,bytehisto,texthisto,sum} build/cpu/device build/code-file \
        "${runners[@]}" >/dev/null
    export PATH=${PATH//"/usr/lib/ccache:"/} # others than root cannot write to its cache

    place=$(mktemp -d /var/tmp/isolate.XXXXXX) # not in /tmp, which is private inside
    export place graders=root
    chmod 755 "$place"
    ((EUID == 0)) && graders='root user' || graders=user
    mkdir -m 1777 "$place/open"
    gcc -o "$place/probe" "$source_tree/tests/fixtures/isolate_probe.c"
    gcc -o "$place/without-landlock" "$source_tree/tests/fixtures/without_landlock.c"
    for who in $graders; do
        make_home "$place/$who"
        ((EUID == 0)) && [[ $who == user ]] && chown -R 12345:12345 "$place/$who"
    done
    start_listener
}

# A grader's home: the lab, two submissions, results.
make_home() {
    local home=$1 file
    mkdir -p "$home"/lab/{build/{class,cpu/{labs,mine}},labs,results} "$home"/submissions/{mine,other}
    chmod 700 "$home"
    cp -a "$source_tree"/{Makefile,common,emulator,class} "$home/lab"
    cp -a "$source_tree"/labs/{opt01_single_thread,opt10_partials} "$home/lab/labs"
    cp -a "$source_tree"/build/{isolate,judge-opt_2dhisto,code-file} "$home/lab/build"
    cp -a "$source_tree"/build/cpu/{nvcc,emulator,runner,problems,device} "$home/lab/build/cpu"
    cp -a "$source_tree/build/cpu/labs/opt01_single_thread" "$home/lab/build/cpu/labs"
    cp "$home/lab/labs/opt01_single_thread/opt_2dhisto.cu" "$home/submissions/mine"
    for file in secret submissions/other/opt_2dhisto.cu lab/results/results.jsonl lab/results/run; do
        echo "nobody's business" >"$home/$file"
    done
    chmod 600 "$home/lab/results/run"
}

# Somebody on this machine who answers, on the network and under a name without a file.
start_listener() {
    perl -MIO::Socket::INET -MIO::Socket::UNIX -e '
        my $inet = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
        my $unix = IO::Socket::UNIX->new(Listen => 5, Local => "\0histolab-$$") or die;
        $| = 1;
        print $inet->sockport, "\n";
        if (fork == 0) { close $_ while $_ = $inet->accept }
        close $_ while $_ = $unix->accept' >"$place/port" 2>/dev/null 3>&- &
    echo $! >"$place/listener"
    while [[ ! -s $place/port ]]; do sleep 0.1; done
}

teardown_file() {
    [[ -n ${place-} ]] || return 0
    pkill -P "$(<"$place/listener")" || true
    kill "$(<"$place/listener")" || true
    rm -rf "$place"
}

setup() {
    bystander=''
    case $BATS_TEST_DESCRIPTION in
        *'--available'* | *'cannot be made'* | *'without a sandbox'*) ;; # these bring what they need
        *Landlock*) [[ $levels == *landlock* ]] || skip "this kernel has no Landlock" ;;
        *) [[ -z $no_sandbox ]] || skip "there is no sandbox here: class/isolate --available says why" ;;
    esac
    port=$(<"$place/port")
}

teardown() {
    stop_bystander
}

# as WHO COMMAND...: in that grader's lab.
as() {
    local who=$1 change=()
    shift
    ((EUID == 0)) && [[ $who == user ]] && change=(setpriv --reuid=12345 --regid=12345 --clear-groups)
    (cd "$place/$who/lab" && exec "${change[@]}" env "HOME=$place/$who" SECRET=token "$@")
}

give() {
    ((EUID == 0)) && [[ $1 == user ]] && chown -h 12345:12345 "$2"
    return 0
}

# A process of that grader's, as its judge is one: $bystander.
start_bystander() {
    stop_bystander
    as "$1" bash -c 'echo $$ >../pid; exec sleep 300' 3>&- &
    disown
    until [[ -s $place/$1/pid ]]; do sleep 0.02; done
    bystander=$(<"$place/$1/pid")
    rm "$place/$1/pid"
}

stop_bystander() {
    [[ -z $bystander ]] || kill -KILL "$bystander"
    bystander=''
}

in_build() {
    as "$1" class/isolate build ../submissions/mine build/cpu/mine -- "${@:2}"
}

# held COMMAND...: commands of bash's that each work outside, and fail inside, where they are seen to be tried. HOME, LAB and
# PID in them are the grader's own.
held() {
    local level
    for level in $levels; do
        ISOLATE_LEVEL=$level held_at_level "$@" || { echo "with $level"; return 1; }
    done
}

# Sets `who` of $graders for the level at hand: under Landlock the harder case alone, where what the code must not
# reach is of the same user.
each_grader() {
    if [[ $ISOLATE_LEVEL != landlock ]]; then echo "$graders"; elif [[ $graders == *user* ]]; then echo user; fi
}

held_at_level() {
    local who text tried
    for who in $(each_grader); do
        [[ "$*" != *PID* ]] || start_bystander "$who"
        tried='echo inside'
        for text; do
            text=${text//HOME/$place/$who}
            text=${text//LAB/$place/$who/lab}
            text=${text//PID/$bystander}
            as "$who" bash -c "$text" >/dev/null 2>&1 || { echo "$who could not do it outside either: $text"; return 1; }
            tried+=$'\n('$text$') >/dev/null 2>&1 && echo could: '${text@Q}
        done
        tried+=$'\necho tried'
        printf '#!/bin/bash\n%s\n' "$tried" >"$place/$who/runner"
        chmod 755 "$place/$who/runner"
        run as "$who" class/isolate run ../runner
        inside_failed "run by $who" || return 1
        run in_build "$who" bash -c "$tried"
        inside_failed "build by $who" || return 1
    done
}

# All was tried, and nothing could be done.
inside_failed() {
    # shellcheck disable=SC2154  # run sets them
    [[ $status -eq 0 && ${lines[0]} == inside && ${lines[-1]} == tried && $output != *could:* ]] && return
    printf '%s: exit status %d: %s\n' "$1" "$status" "$output"
    return 1
}

# The same for what only a program can do: probe_held NAME[.ARGUMENT]
probe_held() {
    local level
    for level in $levels; do
        ISOLATE_LEVEL=$level probe_held_at_level "$@" || { echo "with $level"; return 1; }
    done
}

probe_held_at_level() {
    local who name
    for who in $(each_grader); do
        [[ $1 != *PID* ]] || start_bystander "$who"
        name=${1//PID/$bystander}
        probe "$who" "$name"
        as "$who" "../$name" || { echo "$who could not do it outside either: $name"; return 1; }
        probe_fails "$who" "$name" || return 1
    done
}

# probe WHO NAME [DIRECTORY]: its processes are called after it and this place: count_of.
probe() {
    local file=$place/$1/${3-}$2
    cp "$place/probe" "$file.new"
    printf '\n%s %s' "$2" "${2%%.*}${place##*.}" >>"$file.new"
    mv -f "$file.new" "$file"
}

# probe_fails WHO NAME
probe_fails() {
    run as "$1" class/isolate run "../$2"
    [ "$status" -eq 1 ] || { echo "run by $1: $2: exit status $status: $output"; return 1; }
    probe "$1" "$2" submissions/mine/
    run in_build "$1" "../submissions/mine/$2"
    [ "$status" -eq 1 ] || { echo "build by $1: $2: exit status $status: $output"; return 1; }
}

# available_without PATH: with that PATH, in a lab whose kernel has Landlock, if it has; and in one whose has not.
available_without() {
    # shellcheck disable=SC2154  # run sets output and lines
    if [[ $levels == *landlock* ]]; then
        run -0 env "PATH=$1" class/isolate --available
        [ "${#lines[@]}" -eq 1 ]
        [[ $output == "Landlock in place of namespaces"* ]]
    fi
    run -1 as "${graders%% *}" "$place/without-landlock" env "PATH=$1" class/isolate --available
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "submissions can read and change files"* ]]
}

# ---- what it is for ----------------------------------------------------------------------------

@test "honest work goes on: a step is built and passes, and the files are the grader's" {
    for who in $graders; do
        run -0 in_build "$who" make build/cpu/mine/../nvcc
        run -0 as "$who" class/isolate build labs/opt01_single_thread build/cpu/labs/opt01_single_thread -- \
            bash -c 'rm build/cpu/labs/opt01_single_thread/runner && make build/cpu/labs/opt01_single_thread/runner'
        [ "$(stat -c %u "$place/$who/lab/build/cpu/labs/opt01_single_thread"/* | sort -u)" = "$(as "$who" id -u)" ]
        as "$who" build/cpu/device >"$place/device"
        run -0 as "$who" build/judge-opt_2dhisto /dev/null build/cpu/labs/opt01_single_thread --device "$place/device" \
            --record ../record --step honest --iterations 2 --size 64x64 --isolate build/isolate/isolate
        [ "$(jq -r .verdict "$place/$who/record")" = pass ]
    done
}

@test "a build finds the compilers that CC and CXX name, wherever they are installed" {
    mkdir -p "$place/toolchain/bin"
    printf '#!/bin/sh\nexec gcc "$@"\n' | tee "$place/toolchain/bin/mycc" >"$place/toolchain/bin/mycxx"
    chmod -R a+rX,a+x "$place/toolchain"
    for level in $levels; do
        # shellcheck disable=SC2016  # bash expands these inside
        ISOLATE_LEVEL=$level CC="$place/toolchain/bin/mycc -O1" CXX=$place/toolchain/bin/mycxx \
            run -0 in_build "${graders##* }" bash -c '$CC --version && $CXX --version'
    done
}

@test "a build reads its machine code" {
    local bin=$place/cuda/bin code=build/cpu/build/class/mine
    mkdir -p "$bin"
    printf '#!/bin/sh\ncat %s/log\nwhile [ "$1" ]; do [ "$1" != -o ] || : >"$2"; shift; done\n' "$bin" >"$bin/nvcc"
    printf '#!/bin/sh\ncat %s/code\n' "$bin" >"$bin/nvdisasm"
    cp "$source_tree/tests/fixtures/code-opt05.sass" "$bin/code"
    cp "$source_tree/tests/fixtures/inside-opt05.log" "$bin/log"
    chmod -R a+rX,a+x "$place/cuda"
    for who in $graders; do
        as "$who" cp -r ../submissions/mine build/class
        for level in $levels; do
            PATH=$bin:$PATH ISOLATE_LEVEL=$level run -0 as "$who" class/isolate build build/class/mine "$code" -- \
                common/build/code "$code/code" build/class/mine sm_90
            as "$who" grep -q ^kernel "$code/code"
            as "$who" rm -r "$code"
        done
    done
}

@test "how a runner ended is told" {
    for who in $graders; do
        printf '#!/bin/bash\nexit 3\n' >"$place/$who/runner"
        chmod 755 "$place/$who/runner"
        run -3 as "$who" class/isolate run ../runner
        probe "$who" segfault
        run -139 as "$who" class/isolate run ../segfault
        run -3 in_build "$who" bash -c 'exit 3'
        run -124 as "$who" class/isolate build --timeout 1 ../submissions/mine build/cpu/mine -- sleep 100
        run -3 as "$who" perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' build/isolate/isolate build ../submissions/mine build/cpu/mine -- bash -c 'exit 3'
    done
}

@test "a step of each problem passes" {
    cd "$source_tree"
    build/cpu/device >"$BATS_TEST_TMPDIR/device"
    for step in $honest; do
        file=(labs/"$step"/*.cu)
        run -0 build/judge-"$(basename "${file[0]}" .cu)" /dev/null build/cpu/labs/"$step" --device "$BATS_TEST_TMPDIR/device" \
            --record "$BATS_TEST_TMPDIR/record" --step "$step" --iterations 2 --isolate build/isolate/isolate
    done
    [ "$(jq -r .verdict "$BATS_TEST_TMPDIR/record" | sort | uniq -c | xargs)" = "4 pass" ]
}

@test "a runner that the sandbox's user cannot execute is the harness's fault" {
    ((EUID == 0)) || skip "only root's sandbox has another user"
    probe root unreadable
    chmod 700 "$place/root/unreadable"
    run -125 as root env ISOLATE_LEVEL=limits class/isolate run ../unreadable
    [[ $output == *"chmod a+rx"* ]]
}

@test "verdicts and details are the same inside" {
    cd "$source_tree"
    run -0 tests/part-changes --isolate \
        '/(null_pointer_on_host|endless_host|exits_in_call|prints_without_end|sum_no_reset)$'
    [ "${lines[-1]}" = '5 passed, 0 failed' ]
}

# ---- files -------------------------------------------------------------------------------------

@test "it sees no home, no other submission, no results, no other step, no judge" {
    held 'cat HOME/secret' \
        'ls HOME/submissions/other' \
        'cat HOME/submissions/mine/../other/opt_2dhisto.cu' \
        'cat LAB/results/results.jsonl' \
        'cat LAB/results/run' \
        'cat LAB/labs/opt10_partials/opt_2dhisto.cu' \
        'cat LAB/build/judge-opt_2dhisto' \
        'cat LAB/common/judge/trial.c' \
        'cat /etc/passwd' \
        'ls /var/lib'
    levels=bubblewrap held "ls $place/probe" # Landlock does not hide that a file is there
}

@test "root's files stay root's" {
    ((EUID == 0)) || skip "only root can try"
    graders=root held 'cat /etc/shadow' \
        'chown 0 /tmp && chmod 1777 /tmp && touch /usr/written && rm /usr/written' \
        'echo 1 >/proc/sys/kernel/core_uses_pid'
}

@test "it writes nowhere but to its build directory and its own /tmp" {
    held 'touch HOME/written' \
        'touch LAB/common/lab.h' \
        'touch HOME/submissions/mine/opt_2dhisto.cu' \
        'touch LAB/build/cpu/nvcc' \
        'echo >>LAB/build/cpu/labs/opt01_single_thread/runner'
    for who in $graders; do
        run -0 in_build "$who" bash -c 'echo kept >build/cpu/mine/it; echo lost >/tmp/histolab-it'
        [ "$(cat "$place/$who/lab/build/cpu/mine/it")" = kept ]
        [ ! -e /tmp/histolab-it ]
    done
}

@test "a build leaves plain files: no link that leads out" {
    for who in $graders; do
        run -0 in_build "$who" bash -c 'cd build/cpu/mine; ln -s /etc/passwd runner; mkfifo pipe; mkdir -p a; ln -s / a/b; mkdir shut; ln -s / shut/c; chmod 0 shut'
        [ ! -L "$place/$who/lab/build/cpu/mine/runner" ]
        [ "$(find "$place/$who/lab/build/cpu/mine" ! -type f ! -type d)" = "" ]
        ln -s /bin/true "$place/$who/link"
        run -125 as "$who" class/isolate run ../link
        # Deeper than anything honest: whoever looks there later would have to follow.
        run -1 in_build "$who" perl -e 'chdir "build/cpu/mine"; for (1 .. 3000) { mkdir "d"; chdir "d" } symlink "/", "e"'
        [[ $output == *"cannot be taken back" ]]
        rm -rf "$place/$who/lab/build/cpu/mine"
    done
}

@test "no file gets the right to run as its owner, who will be the grader, in a folder that others may enter" {
    probe_held set_id
    run ! in_build "${graders##* }" chmod g+s build/cpu/mine
}

@test "descriptors and environment of the caller do not come along" {
    exec 9<"$place"
    held 'ls /proc/self/fd/9/' \
        '[[ -n ${SECRET-} ]]'
    exec 9<&-
}

@test "a GPU's devices are there with --device gpu, and only then; of several, the one that was chosen" {
    ((EUID == 0)) && ! compgen -G '/dev/nvidia*' || skip "only root can make up devices, and only where there are none"
    driver=$place/driver # not below /dev
    mkdir -p "$driver"/nvidia/gpus/{a,b,c}
    # The first on the bus is not here, as in a container.
    for gpu in a7 b3 c0; do
        printf 'Model: none\nDevice Minor: \t %s\n' "${gpu#?}" >"$driver/nvidia/gpus/${gpu%?}/information"
    done
    printf '#!/bin/bash\nls -d /dev/nvidia* | tr "\\n" " "; echo "$CUDA_VISIBLE_DEVICES"
        [[ -d /sys/class ]] && echo it >/dev/nvidiactl && ! touch /dev/more 2>/dev/null\n' >"$place/root/runner"
    chmod 755 "$place/root/runner"
    # What happens to /dev and /proc/driver happens to this process's view of them.
    run -0 as root unshare -m --propagation private bash -c '
        mkdir "$1/dev" && mount --rbind /dev "$1/dev"
        mount -t tmpfs none /dev && for path in null zero full random urandom tty; do
            touch "/dev/$path" && mount --bind "$1/dev/$path" "/dev/$path" || exit 90
        done
        ln -s /proc/self/fd /dev/fd
        for path in nvidiactl nvidia0 nvidia3; do mknod -m 666 "/dev/$path" c 1 3; done
        mount --bind "$1" /proc/driver
        isolate="class/isolate run --device gpu ../runner"
        $isolate && export CUDA_DEVICE_ORDER=PCI_BUS_ID && CUDA_VISIBLE_DEVICES=0 $isolate &&
            CUDA_VISIBLE_DEVICES=1 $isolate && CUDA_VISIBLE_DEVICES=5 $isolate' bash "$driver"
    expected=('/dev/nvidia0 /dev/nvidia3 /dev/nvidiactl ' '/dev/nvidia3 /dev/nvidiactl 0'
        '/dev/nvidia0 /dev/nvidiactl 0' '/dev/nvidia0 /dev/nvidia3 /dev/nvidiactl 5')
    [ "$output" = "$(printf '%s\n' "${expected[@]}")" ]
    run ! as root class/isolate run ../runner
}

@test "--gpu asks --available for a GPU, too" {
    ! command -v nvidia-smi >/dev/null || skip "here is a GPU"
    [[ -z $no_sandbox ]] || skip "$no_sandbox"
    run -1 class/isolate --available --gpu
    [[ $output == *": inside bubblewrap the GPU is not found ("*nvidia-smi* ]]
}

# ---- others ------------------------------------------------------------------------------------

@test "no network, not even this machine's" {
    held "exec 9<>/dev/tcp/127.0.0.1/$port" \
        "perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => qq(\\0histolab-$(<"$place/listener")))'"
}

@test "no sight of the judge, and no way to signal it or to read its memory" {
    held 'kill -0 PID' \
        'ls /proc/PID/fd/' \
        'cat /proc/PID/environ' \
        '(($(ls -d /proc/[0-9]* | wc -l) > 8))'
    probe_held peek.PID
}

@test "others' limits, priority and signals stay theirs; no socket to the host, no lower oom score" {
    probe_held limit_other.PID
    probe_held slow_other.PID
    probe_held signal_by_owner.PID
    probe_held host_socket
    probe_held lower_oom_score
}

# A runner that prints where it is and whatever names it, and fails if it finds the caller's paths.
@test "nothing inside a runner's sandbox tells whose it is, or whether it is the checked one" {
    for who in $graders; do
        cat >"$place/$who/runner" <<'END'
#!/bin/bash
echo "$0"
exec cat /proc/self/mountinfo /proc/self/environ /proc/self/cmdline /proc/mounts /proc/1/cmdline /proc/self/cgroup
END
        chmod 755 "$place/$who/runner"
        cp -p "$place/$who/runner" "$place/$who/runner-checked"
        for name in runner runner-checked; do
            as "$who" class/isolate run "../$name" >"$BATS_TEST_TMPDIR/$name" || true
            grep -aq '^/step/runner$' "$BATS_TEST_TMPDIR/$name"
            run ! grep -aE "${place##*/}|checked|histolab" "$BATS_TEST_TMPDIR/$name"
        done
    done
}

@test "no new namespaces, no keys of the user's, no log of the kernel's" {
    probe_held keep_a_key
    # Some systems refuse these to everybody.
    for name in namespace namespace_by_clone kernel_log; do
        for who in $graders; do
            probe "$who" "$name"
            probe_fails "$who" "$name"
        done
    done
    ((EUID)) || graders=root probe_held namespace
}

# ---- limits ------------------------------------------------------------------------------------

# Inside is no /dev/zero.
@test "the disk: files have a size, and so has /tmp" {
    held 'yes | head -c 100M >HOME/big && rm HOME/big'
    # shellcheck disable=SC2016
    for place_inside in /tmp /dev/shm; do
        held 'for i in {1..4}; do yes | head -c 40M >'$place_inside'/big.$$.$i || e=1; done; rm '$place_inside'/big.$$.*; ! ((e))'
    done
    for who in $graders; do
        run ! in_build "$who" bash -c 'yes | head -c 300M >build/cpu/mine/big'
        [ "$(stat -c %s "$place/$who/lab/build/cpu/mine/big")" -le $((256 << 20)) ]
        rm "$place/$who/lab/build/cpu/mine/big"
    done
}

@test "memory: of one process, and where nobody would look for it" {
    probe_held reserve.9
    probe_held memory_without_address
    probe_held fill_pipes.24
}

# In the graders' labs build/isolate/little lets all processes of a step or of a build hold 300 MiB together.
with_little_memory() {
    local sources
    mapfile -t sources < <(printf '%s\n' "$source_tree"/class/isolation/*.c | grep -v /enter.c)
    sed 's/}, [0-9]*}/}, 300}/' "$source_tree/class/isolation/enter.c" >"$place/enter.c"
    gcc -I"$source_tree"/{class/isolation,common} "$place/enter.c" "${sources[@]}" -o "$place/little"
    local who
    for who in $graders; do cp "$place/little" "$place/$who/lab/build/isolate"; done
}

@test "memory: of all processes together" {
    with_little_memory
    for who in $graders; do
        for level in $levels; do
            [[ $level == landlock && $who == user || $level == bubblewrap && $who == "${graders%% *}" ]] || continue # a few of all
            probe "$who" hoard.2
            ISOLATE_LEVEL=$level run -0 as "$who" build/isolate/little run ../hoard.2
            probe "$who" hoard.9
            ISOLATE_LEVEL=$level run ! as "$who" build/isolate/little run ../hoard.9
            [[ $output == 'stopped: all its processes together hold more than 300 MiB' ]]
        done
    done
    probe "${graders%% *}" hoard.9 submissions/mine/
    run ! as "${graders%% *}" build/isolate/little build ../submissions/mine build/cpu/mine -- ../submissions/mine/hoard.9
    until_gone hoard
}

# watched NAME [SCRIPT]: runs that probe, or a script, and nothing but its memory is bounded.
watched() {
    [[ $# -eq 1 ]] || { printf '#!/bin/bash\n%s\n' "$2" >"$place/${graders%% *}/$1" && chmod 755 "$place/${graders%% *}/$1"; }
    as "${graders%% *}" env ISOLATE_LEVEL=limits build/isolate/little run "../$1"
}

@test "memory: what watches the sum counts shared pages once, and processes that have lost their parents; nothing stays behind" {
    open_homes
    with_little_memory
    who=${graders%% *}
    for name in share.9 orphans.9 orphans.2; do probe "$who" $name; done
    run -0 watched share.9
    run -0 watched orphans.2
    run ! watched orphans.9
    [ "$output" = 'stopped: all its processes together hold more than 300 MiB' ]
    run -0 watched runner 'setsid sleep 300 & cat' <<<'what it reads' # and what it leaves
    [ "$output" = 'what it reads' ]
    run -7 watched runner 'exit 7'
    run -139 watched runner 'kill -SEGV $$'
    until_gone orphans
}

@test "processes: a number that the machine can bear" {
    probe_held multiply.600
    for who in $graders; do
        probe "$who" multiply.100
        run -0 as "$who" class/isolate run ../multiply.100
    done
}

# Processes of that probe's.
count_of() {
    pgrep -c -x "$1${place##*.}" || true
}

# until_gone NAME
until_gone() {
    for ((turn = 0; turn < 300; turn++)); do
        [ "$(count_of "$1")" -eq 0 ] && return
        sleep 0.1
    done
    echo "there are still $(count_of "$1") of $1"
    return 1
}

# until_there NAME NUMBER: or until what was started last has ended.
until_there() {
    until (($(count_of "$1") >= $2)); do
        kill -0 $! || { echo "there are only $(count_of "$1") of $1"; return 1; }
        sleep 0.1
    done
}

@test "it stays on the CPUs that it was started on" {
    (($(nproc) > 1)) || skip "there is one CPU"
    probe_held change_affinity
}

@test "a build that was stopped says nothing of what stopped it" {
    for who in $graders; do
        run -124 --separate-stderr as "$who" class/isolate build --timeout 1 ../submissions/mine build/cpu/mine -- bash -c 'echo begun >&2; sleep 20'
        # shellcheck disable=SC2154
        [[ $output == '' && $stderr == begun ]] || { echo "$who: $stderr"; return 1; }
    done
}

@test "a fork bomb is bounded, and goes with its sandbox" {
    for who in $graders; do
        probe "$who" bomb
        as "$who" class/isolate run ../bomb >/dev/null 2>&1 3>&- &
        isolate=$!
        until_there bomb 100
        most=$(count_of bomb)
        ((most <= 300))
        kill -KILL $isolate
        until_gone bomb
    done
}

@test "nothing stays behind when a runner or a build ends" {
    for who in $graders; do
        probe "$who" leave
        run -0 as "$who" class/isolate run ../leave
        until_gone leave
        probe "$who" leave submissions/mine/
        run -0 in_build "$who" "$place/$who/submissions/mine/leave"
        [ "$(count_of leave)" -eq 0 ]
    done
}

@test "nothing stays behind when judge or build is killed" {
    as root build/cpu/device >"$place/device" || as user build/cpu/device >"$place/device"
    for level in $levels; do ISOLATE_LEVEL=$level killed_leaves_nothing; done
}

killed_leaves_nothing() {
    for who in $(each_grader); do
        probe "$who" settle
        as "$who" bash -c 'mkdir -p ../built && cp ../settle ../built/runner && cp ../settle ../built/runner-checked'
        as "$who" build/judge-opt_2dhisto /dev/null ../built --device "$place/device" --record ../record --iterations 2 \
            --isolate build/isolate/isolate >/dev/null 2>&1 3>&- &
        judge=$!
        until_there settle 2
        kill -KILL "$judge"
        until_gone settle

        probe "$who" settle submissions/mine/
        as "$who" bash -c 'echo $$ >../pid; class/isolate build "$@"; exit' bash \
            ../submissions/mine build/cpu/mine -- "$place/$who/submissions/mine/settle" >/dev/null 2>&1 3>&- &
        until_there settle 2
        kill -KILL "$(<"$place/$who/pid")"
        until_gone settle
        rm "$place/$who/pid"
    done
}

# Until it has read who its user is, bubblewrap's first process inside does not die with the one outside.
@test "nothing of bubblewrap's stays when caller and isolate are killed while it starts" {
    cd "$source_tree"
    mkdir "$BATS_TEST_TMPDIR/bin"
    cat >"$BATS_TEST_TMPDIR/bin/bwrap" <<END
#!/bin/bash
[[ \$1 != --help ]] || exec $(command -v bwrap) --help
sleep 300 &
echo \$! >$BATS_TEST_TMPDIR/first
wait
END
    chmod 755 "$BATS_TEST_TMPDIR/bin/bwrap"
    for call in 'run /bin/true' "build labs/opt01_single_thread $BATS_TEST_TMPDIR/built -- true"; do
        # shellcheck disable=SC2086  # words
        ISOLATE_LEVEL=bubblewrap PATH=$BATS_TEST_TMPDIR/bin:$PATH setsid build/isolate/isolate $call >/dev/null 2>&1 3>&- &
        isolate=$!
        until [[ -s $BATS_TEST_TMPDIR/first ]]; do sleep 0.02; done
        first=$(<"$BATS_TEST_TMPDIR/first")
        kill -KILL -- "-$isolate"
        for turn in {1..100}; do kill -0 "$first" 2>/dev/null || break; sleep 0.05; done
        run ! kill -0 "$first"
        rm "$BATS_TEST_TMPDIR/first"
    done
}

# ---- without bubblewrap ------------------------------------------------------------------------

@test "--available says what is missing and how to get it, and what holds instead, in one line" {
    cd "$source_tree"
    run class/isolate --available
    [ "$output" = "$no_sandbox" ]
    mkdir "$place/few"
    printf '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n' >"$place/few/bwrap"
    chmod 755 "$place/few/bwrap"
    available_without "$place/few:$PATH"
    [[ $output == *"No permissions to create new namespace"*"user namespaces"* ]]
    for tool in bash env true; do
        ln -s "$(type -P $tool)" "$place/few/"
    done
    rm "$place/few/bwrap"
    available_without "$place/few"
    [[ $output == *"apt install bubblewrap"* ]]
}

@test "a sandbox that cannot be made is the harness's fault, not the step's" {
    cd "$source_tree"
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\necho "bwrap: no more namespaces" >&2\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/bwrap"
    chmod 755 "$BATS_TEST_TMPDIR/bin/bwrap"
    build/cpu/device >"$BATS_TEST_TMPDIR/device"
    run -3 env "PATH=$BATS_TEST_TMPDIR/bin:$PATH" build/judge-opt_2dhisto /dev/null build/cpu/labs/opt01_single_thread \
        --device "$BATS_TEST_TMPDIR/device" --record "$BATS_TEST_TMPDIR/record" --isolate build/isolate/isolate
    [[ $output == *"could not make a sandbox"*"no more namespaces"* ]]
    [ ! -e "$BATS_TEST_TMPDIR/record" ]
}

# Root's steps run as another user, whose processes are bounded, and who has to come to them.
open_homes() {
    for who in $graders; do chmod 711 "$place/$who"; done
}

@test "limits hold without a sandbox" {
    open_homes
    for who in $graders; do
        export ISOLATE_LEVEL=limits
        for name in reserve.9 multiply.600; do
            probe "$who" "$name"
            run -1 as "$who" class/isolate run "../$name"
        done
        printf '#!/bin/bash\nhead -c 100M /dev/zero >%s/big\n' "$place/open" >"$place/$who/runner"
        chmod 755 "$place/$who/runner"
        run -153 as "$who" class/isolate run ../runner
        [ "$(stat -c %s "$place/open/big")" -eq $((64 << 20)) ]
        rm "$place/open/big"
        printf '#!/bin/bash\necho "$(ulimit -t) $(nice)"\n' >"$place/$who/runner"
        run -0 as "$who" class/isolate run ../runner
        [ "$output" = "3600 10" ]
        run -124 as "$who" class/isolate build --timeout 1 ../submissions/mine build/cpu/mine -- sleep 100
        run -0 in_build "$who" bash -c 'cp /bin/true build/cpu/mine && chmod 6755 build/cpu/mine/true'
        [ "$(stat -c %a "$place/$who/lab/build/cpu/mine/true")" = 755 ]
    done
}

@test "an honest build has processes enough without a sandbox" {
    open_homes
    for who in $graders; do
        run -0 as "$who" env ISOLATE_LEVEL=limits class/isolate build ../submissions/mine build/cpu/mine -- \
            bash -c '(/bin/true) && (/bin/true) && ulimit -u'
        [ "${#lines[@]}" -eq 1 ]
        [ "$output" -ge 256 ]
    done
}

@test "honest work goes on without a sandbox: the best level is taken that is there" {
    local without kernel=()
    without_bubblewrap
    for turn in landlock limits; do
        [[ $turn != landlock || $levels == *landlock* ]] || continue
        for who in $graders; do
            [[ $turn != limits ]] || kernel=("$place/without-landlock")
            # Other tests have touched sources, and nothing of the harness is made inside.
            find "$place/$who/lab/build" -type f -exec touch -d "@$EPOCHREALTIME" {} +
            run -0 as "$who" "${kernel[@]}" env "PATH=$without" class/isolate build labs/opt01_single_thread \
                build/cpu/labs/opt01_single_thread -- \
                bash -c 'rm build/cpu/labs/opt01_single_thread/runner && make build/cpu/labs/opt01_single_thread/runner'
            as "$who" build/cpu/device >"$place/device"
            rm -f "$place/$who/record"
            run -0 as "$who" "${kernel[@]}" env "PATH=$without" build/judge-opt_2dhisto /dev/null \
                build/cpu/labs/opt01_single_thread --device "$place/device" --record ../record --step honest \
                --iterations 2 --size 64x64 --isolate build/isolate/isolate
            [ "$(jq -r .verdict "$place/$who/record")" = pass ]
            run as "$who" "${kernel[@]}" env "PATH=$without" class/isolate build labs/opt01_single_thread build/cpu/mine -- \
                cat /etc/passwd
            [[ $status -eq 0 || $turn == landlock ]] && [[ $status -ne 0 || $turn == limits ]]
        done
    done
}

# Sets up a PATH with everything that is on this one, but for bwrap.
without_bubblewrap() {
    local directory IFS=:
    without=$place/bin # where every grader can read it
    mkdir -p "$without"
    for directory in $PATH; do
        find -L "$directory" -maxdepth 1 -type f -perm -o+x ! -name bwrap -exec ln -sn -t "$without" {} + 2>/dev/null || true
    done
}
