#!/usr/bin/env bats
# make doctor, on machines that do not exist: stand-ins for compilers and NVIDIA's tools are all that is
# on PATH, /proc, /dev and /sys are a folder's, and the tree is a copy of what the doctor reads.

load failed
bats_require_minimum_version 1.5.0 # run -N

# A machine that lacks nothing but a GPU is made once; each test changes a copy.
setup_file() {
    local tool machine=$BATS_FILE_TMPDIR/machine
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$machine/tree bin=$machine/bin
    mkdir -p "$tree"/{common,class,desk} "$bin" "$machine/root"/{proc,dev}
    cp "$source_tree"/common/{lab.h,prelude.sh} "$tree/common"
    cp "$source_tree"/desk/{doctor,deps} "$tree/desk"
    cp "$source_tree/class/doctor.sh" "$tree/class"
    fake_isolate 'exit 0'
    for tool in bash env awk sed grep find sort head tail tr cat od mktemp mkdir rm chmod df make sha256sum; do
        ln -s "$(command -v $tool)" "$bin"
    done
    fake uname 'case ${1-} in -m) echo x86_64 ;; *) echo Linux ;; esac'
    for tool in gcc g++; do compiler "$tool" 'echo 12.2.0'; done
    for tool in $(sed -n '/needed <</,/^END/p' "$tree/desk/deps" | grep -o '=[^ ]*' | tr -d =); do
        [ -e "$bin/$tool" ] || fake "$tool" 'exit 0'
    done
}

setup() {
    cp -a "$BATS_FILE_TMPDIR/machine/." "$BATS_TEST_TMPDIR"
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin
    export DOCTOR_ROOT=$BATS_TEST_TMPDIR/root
    unset CC CXX CUDA_HOME TMPDIR LC_ALL
    export LC_ALL=C
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# The instructor's sandbox, which the doctor tries.
fake_isolate() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$1" >"$tree/class/isolate"
    chmod +x "$tree/class/isolate"
}

# A compiler whose programs do what a script says (nothing): compiler NAME SCRIPT-FOR-VERSION [PROGRAM].
compiler() {
    fake "$1" "
        case \"\$*\" in *-version* | *-dumpfullversion*) $2; exit ;; esac
        while ((\$#)); do [[ \$1 == -o ]] && output=\$2; shift; done
        printf '#!%s\n%s\n' '$(command -v bash)' '${3-exit 0}' >\"\$output\"
        chmod +x \"\$output\""
}

# A machine with a GPU, whose kernels do what a script says (nothing): gpu [PROGRAM].
gpu() {
    mkdir -p "$DOCTOR_ROOT/proc/driver/nvidia"
    touch "$DOCTOR_ROOT/proc/driver/nvidia/version"
    fake nvidia-smi "echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'"
    compiler nvcc 'echo 13.0' "${1-exit 0}"
    fake ncu 'exit 0'
}

doctor() {
    PATH=$bin run "$tree/desk/doctor"
}

# The output holds a finding, and the line after it begins so: says TEXT [LINE].
says() {
    local at
    for at in "${!lines[@]}"; do
        [[ ${lines[at]} == *"$1"* ]] || continue
        [[ -z ${2-} || ${lines[at + 1]} =~ ^\ +type:\ "$2" ]] && return
    done
    printf 'not said: %s / %s, but:\n%s\n' "$1" "${2-}" "$output"
    return 1
}

says_not() {
    [[ $output != *"$1"* ]] || { printf 'said: %s\n%s\n' "$1" "$output"; return 1; }
}

works_on() { [ "$status" -eq 0 ] && says "This machine can: " && [[ $output == *"$1"* ]]; }

no_problem() { says_not PROBLEM; }

# ---- what works ----------------------------------------------------------------------------------

@test "a laptop without a GPU grades on the emulator, and nothing is a problem" {
    doctor
    works_on "grade on the emulator"
    no_problem
    says "no NVIDIA GPU here"
    says "no CUDA Toolkit (nvcc): nothing here needs it"
    says "It cannot: grade and time on the GPU; build for GPUs; read"
}

@test "a machine with a GPU: a kernel ran, and both devices work" {
    gpu
    doctor
    works_on "grade and time on the GPU; grade on the emulator"
    no_problem
    says_not hint
    says_not "It cannot"
    says "a kernel built by nvcc ran on the GPU"
    rm "$bin/ncu"
    doctor
    works_on "grade and time on the GPU"
    [[ ${lines[-1]} == "It cannot: read the GPU's own counters"* ]]
}

@test "the real compilers of this machine pass" {
    rm "$bin/gcc" "$bin/g++"
    for tool in gcc g++; do # not a cache's, which looks for them on PATH
        ln -s "$(type -ap "$tool" | while read -r file; do [[ $(readlink -f "$file") == *ccache ]] || echo "$file"; done | head -n 1)" "$bin/$tool"
    done
    for tool in as ld; do ln -s "$(command -v $tool)" "$bin"; done
    doctor
    works_on "grade on the emulator"
    no_problem
}

@test "usage" {
    PATH=$bin run -0 "$tree/desk/doctor" --help
    [[ $output == "Usage: desk/doctor"*"Exit status: 0 "* ]]
    PATH=$bin run -2 "$tree/desk/doctor" now
    [ "${#lines[@]}" -eq 1 ]
}

# ---- tools and places ----------------------------------------------------------------------------

@test "a compiler that is missing, too old, or without the race check's instrumentation: exit status 1" {
    sed -i '2i [[ "$*" == *-fsanitize=thread* ]] && { echo "error: unrecognized -fsanitize=thread" >&2; exit 1; }' "$bin/g++"
    doctor
    [ "$status" -eq 1 ]
    says "cannot build what checks a step, or the emulator: error: unrecognized -fsanitize=thread" "make deps"
    rm "$bin/g++"
    doctor
    [ "$status" -eq 1 ]
    says "a compiler is missing, gcc or g++" "make deps"
    says "It cannot: grade and time on the GPU; grade on the emulator"
}

@test "a system that is not Linux, and a processor that the emulator does not know" {
    fake uname 'echo Darwin'
    doctor
    [ "$status" -eq 1 ]
    says "this is Darwin, and the lab needs Linux: work in WSL 2 (Windows) or a container (macOS)" "wsl --install"
    says_not "gcc"
    fake uname 'case ${1-} in -m) echo riscv64 ;; *) echo Linux ;; esac'
    doctor
    [ "$status" -eq 1 ]
    says "this processor is riscv64"
}

@test "make is missing" {
    rm "$bin/make"
    doctor
    [ "$status" -eq 1 ]
    says "basic tools are missing: make" "sudo apt install bash make"
}

@test "a full disk, and a tree that cannot be written to" {
    rm "$bin/df"
    fake df 'echo Filesystem; echo "/dev/sda1 1000000 988000 12000 99% /"'
    doctor
    says "only 11 MB are free here" "make clean"
    rm -r "$tree/build" && touch "$tree/build"
    doctor
    [ "$status" -eq 1 ]
    says "cannot write to $tree/build" "cp -r . ~/histolab"
}

@test "scripts that lost their mode are mended" {
    echo '#!/bin/sh' >"$tree/grade.sh"
    doctor
    [ "$status" -eq 0 ]
    says "mended   scripts that had lost their executable mode: 1 (grade.sh"
    [ -x "$tree/grade.sh" ]
    doctor
    says_not mended
}

@test "what is missing of the rest, with one line that installs it" {
    rm "$bin/gnuplot" "$bin/pandoc" "$bin/bwrap"
    doctor
    works_on "grade on the emulator"
    no_problem
    says "gnuplot-nox (for charts), pandoc (for journals), bubblewrap (for isolation)" "bash desk/deps --all"
    [[ ${lines[-1]} == *"; draw charts; make the journal HTML." ]]
}

@test "bwrap that is there and may not do its work" {
    fake_isolate 'echo "isolate: user namespaces are switched off" >&2; exit 1'
    doctor
    says "how strangers' code is isolated: user namespaces are switched off"
    [[ ${lines[-1]} == *"isolate strangers' code." ]]
}

@test "a student's tree: nothing of what is for instructors is asked for, or promised" {
    rm -r "$tree/class" "$bin"/{bwrap,bats,shellcheck}
    doctor
    works_on "grade on the emulator"
    no_problem
    says_not hint
    says_not isolate
}

# ---- the toolkit, and the driver -----------------------------------------------------------------

@test "a toolkit that builds nothing, and a kernel that fails" {
    gpu
    sed -i "2i [[ \"\$*\" == *.cu* ]] && { echo 'nvcc fatal: something else' >&2; exit 1; }" "$bin/nvcc"
    doctor
    [ "$status" -eq 0 ]
    says "nvcc cannot build a kernel: nvcc fatal: something else" "nvcc --version"
    says "It cannot: grade and time on the GPU; build for GPUs; read"
    gpu 'echo "cudaErrorInsufficientDriver: and so on"; exit 1'
    doctor
    says "a small kernel fails on this GPU (cudaErrorInsufficientDriver: and so on)" "nvidia-smi"
    says "It cannot: grade and time on the GPU; read"
}

@test "a GPU with nvcc off PATH, and without any" {
    gpu
    mkdir -p "$DOCTOR_ROOT/usr/local/cuda-13.0/bin"
    mv "$bin/nvcc" "$DOCTOR_ROOT/usr/local/cuda-13.0/bin"
    doctor
    [ "$status" -eq 0 ]
    says "nvcc is in /usr/local/cuda-13.0/bin, which is not on PATH" "export PATH=/usr/local/cuda-13.0/bin:\$PATH"
    says "It cannot: grade and time on the GPU; build for GPUs"
    rm -r "${DOCTOR_ROOT:?}/usr"
    doctor
    says "nvcc is missing: without it, nothing can be graded on this GPU" "sudo apt install nvidia-cuda-toolkit"
}

@test "a GPU that does not answer, and a card without a driver" {
    gpu
    fake nvidia-smi 'echo "Failed to initialize NVML: Driver/library version mismatch"; exit 9'
    doctor
    [ "$status" -eq 0 ]
    says "no GPU that answers: this container or job was given none, or the driver does not work: Failed to initialize NVML: Driver/library version mismatch" "docker run --gpus all"
    rm -r "$DOCTOR_ROOT/proc/driver" "$bin/nvidia-smi"
    mkdir -p "$DOCTOR_ROOT/sys/bus/pci/devices/0000:01:00.0"
    echo 0x10de >"$DOCTOR_ROOT/sys/bus/pci/devices/0000:01:00.0/vendor"
    doctor
    says "there is an NVIDIA card, but no driver that works" "sudo ubuntu-drivers install"
}
