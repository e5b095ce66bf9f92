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
    cp -r "$source_tree"/desk/{doctor,doctor.d,deps} "$tree/desk"
    cp "$source_tree/class/doctor.sh" "$tree/class"
    fake_isolate 'exit 0'
    for tool in bash env awk sed grep find sort head tail tr cat od mktemp mkdir rm chmod df make sha256sum objcopy readelf; do
        ln -s "$(command -v $tool)" "$bin"
    done
    fake uname 'case ${1-} in -m) echo x86_64 ;; *) echo Linux ;; esac'
    fake ldconfig 'cat "$DOCTOR_ROOT/libraries" 2>/dev/null'
    for tool in gcc g++; do compiler "$tool" 'echo 12.2.0'; done
    for tool in $(sed -n '/needed <</,/^END/p' "$tree/desk/deps" | grep -o '=[^ ]*' | tr -d =); do
        [ -e "$bin/$tool" ] || fake "$tool" 'exit 0'
    done
}

setup() {
    cp -a "$BATS_FILE_TMPDIR/machine/." "$BATS_TEST_TMPDIR"
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin
    export DOCTOR_ROOT=$BATS_TEST_TMPDIR/root
    unset CC CXX CUDA_HOME CUDA_PATH CUDA_VISIBLE_DEVICES LD_LIBRARY_PATH MODULESHOME LMOD_CMD TMPDIR LC_ALL \
        SLURM_JOB_ID APPTAINER_CONTAINER SINGULARITY_CONTAINER KUBERNETES_SERVICE_HOST container
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

# A machine with a GPU whose kernels run: a driver of CUDA $1 (13.0), a toolkit of CUDA $2 (13.0).
gpu() {
    driver=${1-13.0} toolkit=${2-13.0}
    mkdir -p "$DOCTOR_ROOT/proc/driver/nvidia"
    touch "$DOCTOR_ROOT/proc/driver/nvidia/version" "$DOCTOR_ROOT/dev/nvidia0"
    echo 'libcuda.so.1 (libc6,x86-64) => /usr/lib/libcuda.so.1' >"$DOCTOR_ROOT/libraries"
    fake nvidia-smi "
        case \"\$*\" in
            -L) echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)' ;;
            *) echo '| NVIDIA-SMI 580.65    Driver Version: 580.65    CUDA Version: $driver |' ;;
        esac"
    nvcc "$toolkit" "${3-exit 0}"
    for tool in ncu compute-sanitizer nvdisasm; do fake "$tool" 'exit 0'; done
}

# An nvcc whose programs do what a script says: nvcc VERSION [PROGRAM].
nvcc() {
    compiler nvcc "echo 'Cuda compilation tools, release $1, V$1.88'" "${2-exit 0}"
    sed -i '2i [[ $1 == --list-gpu-code ]] && { printf "sm_%s\\n" 75 80 86 90 100 120; exit; }' "$bin/nvcc"
}

# An nvcc that builds nothing and says why: broken_nvcc VERSION MESSAGE.
broken_nvcc() {
    nvcc "$1"
    sed -i "2i [[ \"\$*\" == *.cu* ]] && { echo '$2' >&2; exit 1; }" "$bin/nvcc"
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

no_problem() { says_not PROBLEM && says_not missing; }

# ---- what works ----------------------------------------------------------------------------------

@test "a laptop without a GPU grades on the emulator, and nothing is a problem" {
    doctor
    works_on "grade on the emulator"
    no_problem
    says "no NVIDIA GPU here"
    says "It cannot: grade and time on the GPU"
}

@test "a machine with a GPU: a kernel ran, and both devices work" {
    gpu
    doctor
    works_on "grade and time on the GPU; grade on the emulator"
    no_problem
    says_not hint
    says_not "It cannot"
    says "a kernel built by nvcc ran on the GPU"
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

@test "no compiler: works nowhere, exit status 1" {
    rm "$bin/g++"
    doctor
    [ "$status" -eq 1 ]
    says "the compiler g++" "make deps"
    says "It cannot: grade and time on the GPU; grade on the emulator"
}

@test "a compiler too old for C++17" {
    fake g++ 'case $* in *version*) echo 4.8.5 ;; *) echo "error: unrecognized command line option -std=c++17" >&2; exit 1 ;; esac'
    doctor
    [ "$status" -eq 1 ]
    says "g++ cannot build C++17, so it cannot build steps for the emulator: error: unrecognized"
}

@test "a compiler without the race check's instrumentation" {
    sed -i '2i [[ "$*" == *-fsanitize=thread* ]] && exit 1' "$bin/g++"
    doctor
    [ "$status" -eq 1 ]
    says "g++ does not support -fsanitize=thread" "export CC=clang"
}

@test "a system that is not Linux: the container or WSL that fits, and nothing else" {
    fake uname 'echo Darwin'
    doctor
    [ "$status" -eq 1 ]
    says "this is macOS, and the lab needs Linux: work in a container" 'podman build -t histolab . '
    says_not "gcc"
    fake uname 'echo MINGW64_NT-10.0'
    doctor
    [ "$status" -eq 1 ]
    says "this is a Windows shell (MINGW64_NT-10.0)" "wsl --install"
}

@test "no compiler, on a cluster with modules" {
    rm "$bin"/{g++,gnuplot}
    LMOD_CMD=/opt/lmod doctor
    says "a machine with modules"
    says "the compiler g++" "make deps"
    says "gnuplot-nox (for charts)" "module load gnuplot"
}

@test "a container, and WSL with the lab on a disk of Windows" {
    touch "$DOCTOR_ROOT/.dockerenv"
    doctor
    works_on "grade on the emulator"
    says "a container: what you install in it is lost when it is removed"
    rm "$DOCTOR_ROOT/.dockerenv"
    echo 'Linux version 5.15.153.1-microsoft-standard-WSL2' >"$DOCTOR_ROOT/proc/version"
    doctor
    works_on "grade on the emulator"
    no_problem
    says "WSL: Linux in Windows"
    says_not "a disk of Windows"
    mkdir -p "$DOCTOR_ROOT/mnt/c"
    mv "$tree" "$DOCTOR_ROOT/mnt/c/lab"
    tree=$DOCTOR_ROOT/mnt/c/lab doctor
    says "the lab is on a Windows disk" "cp -r . ~/histolab"
}

@test "a processor that the emulator does not know" {
    fake uname 'case ${1-} in -m) echo riscv64 ;; *) echo Linux ;; esac'
    doctor
    [ "$status" -eq 1 ]
    says "this processor is riscv64"
}

@test "make is missing" {
    rm "$bin/make"
    doctor
    [ "$status" -eq 1 ]
    says "basic tools are missing: make" "sudo apt install make"
}

@test "a full disk" {
    rm "$bin/df"
    fake df 'echo Filesystem; echo "/dev/sda1 1000000 988000 12000 99% /"'
    doctor
    [ "$status" -eq 1 ]
    says "only 11 MB are free here" "make clean"
    says "only 11 MB are free in" "mkdir -p ~/tmp"
}

@test "a tree that cannot be written to" {
    touch "$tree/build"
    doctor
    [ "$status" -eq 1 ]
    says "cannot write to $tree/build" "cp -r . ~/histolab"
}

@test "/tmp that cannot be written to" {
    export TMPDIR=$BATS_TEST_TMPDIR/missing
    doctor
    [ "$status" -eq 1 ]
    says "cannot write to $TMPDIR" "mkdir -p ~/tmp; export TMPDIR"
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
    [ "$status" -eq 0 ]
    says "gnuplot-nox (for charts)" "make deps"
    [[ $output == *$'type: make deps\n'* ]]
    says "bubblewrap (for isolation)" "make deps-all"
    [[ ${lines[-1]} == "It cannot: grade and time on the GPU; draw charts; make the journal HTML; build for GPUs; "*"; isolate strangers' code." ]]
}

@test "bwrap that is there and may not do its work" {
    fake_isolate 'echo "isolate: user namespaces are switched off" >&2; exit 1'
    doctor
    says "strangers' code cannot be isolated: user namespaces are switched off"
    [[ ${lines[-1]} == *"isolate strangers' code"* ]]
}

@test "a student's tree: nothing of what is for instructors is asked for, or promised" {
    rm -r "$tree/class" "$bin"/{bwrap,bats,shellcheck}
    doctor
    works_on "grade on the emulator"
    no_problem
    says_not isolate
    says_not "tests"
}

@test "a student's tree: what a step does without is a hint" {
    rm -r "$tree/class" "$bin"/{pandoc,clangd}
    doctor
    works_on "grade on the emulator"
    no_problem
    says "clangd (for editors)" "sudo apt install pandoc clangd "
    [[ ${lines[-1]} == *"; make the journal HTML; "* ]]
}

@test "a room's own checks: its doctor.sh is found by its name" {
    mkdir "$tree/annex"
    echo "hint 'the annex is cold' 'make fire'; can 1 'heat the annex'" >"$tree/annex/doctor.sh"
    doctor
    works_on "grade on the emulator"
    says "the annex is cold" "make fire"
    [[ ${lines[-1]} == *"; heat the annex." ]]
}

# ---- toolkit, driver, compiler -------------------------------------------------------------------

@test "a gcc that is too new for nvcc" {
    gpu 12.2 11.8
    broken_nvcc 11.8 '#error -- unsupported GNU version! gcc versions later than 11 are not supported!'
    doctor
    [ "$status" -eq 0 ]
    says "nvcc of CUDA 11.8 accepts gcc up to 11, and gcc here is 12.2.0" "sudo apt install g++-11; export NVCC_PREPEND_FLAGS='-ccbin g++-11'"
    says "It cannot: grade and time on the GPU; build for GPUs"
}

@test "a toolkit that builds nothing, and a kernel that fails" {
    broken_nvcc 13.0 'nvcc fatal: something else'
    doctor
    says "nvcc cannot build a kernel: nvcc fatal: something else" "make build-gpu"
    gpu 13.0 13.0 'echo "cudaErrorInsufficientDriver: and so on"; exit 1'
    doctor
    says "a small kernel fails on this GPU (cudaErrorInsufficientDriver: and so on)" "nvidia-smi"
    says "It cannot: grade and time on the GPU; read"
}

@test "nvcc that is installed and not on PATH" {
    gpu
    mkdir -p "$DOCTOR_ROOT/usr/local/cuda-13.0/bin"
    mv "$bin/nvcc" "$DOCTOR_ROOT/usr/local/cuda-13.0/bin"
    doctor
    [ "$status" -eq 0 ]
    says "nvcc is in /usr/local/cuda-13.0/bin, which is not on PATH" "export PATH=/usr/local/cuda-13.0/bin:\$PATH"
    says "It cannot: grade and time on the GPU; build for GPUs"
}

@test "nvcc that is not on PATH, on a machine without a GPU: what it builds, it builds once it is there" {
    nvcc 13.0
    mkdir -p "$DOCTOR_ROOT/usr/local/cuda-13.0/bin"
    mv "$bin/nvcc" "$DOCTOR_ROOT/usr/local/cuda-13.0/bin"
    doctor
    says "nvcc builds kernels once it is on PATH; there is no GPU to run them on"
    says "It cannot: grade and time on the GPU; build for GPUs"
}

@test "a GPU without nvcc; a cluster's modules" {
    gpu
    rm "$bin/nvcc"
    doctor
    says "nvcc: without it, nothing can be graded on this GPU" "sudo apt install nvidia-cuda-toolkit"
    export LMOD_CMD=/opt/lmod
    doctor
    says "this cluster has modules" "module load cuda"
}

# ---- no GPU, and why -----------------------------------------------------------------------------

@test "nvidia-smi fails: its words, in one line" {
    while read -r message; do
        fake nvidia-smi "echo \"$message\"; exit 9"
        doctor
        [ "$status" -eq 0 ]
        says "the NVIDIA driver does not work here: $message" "sudo reboot"
    done <<'END'
Failed to initialize NVML: Driver/library version mismatch
NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.
No devices were found
END
}

@test "a card without a driver" {
    mkdir -p "$DOCTOR_ROOT/sys/bus/pci/devices/0000:01:00.0"
    echo 0x10de >"$DOCTOR_ROOT/sys/bus/pci/devices/0000:01:00.0/vendor"
    echo 0x030000 >"$DOCTOR_ROOT/sys/bus/pci/devices/0000:01:00.0/class"
    doctor
    says "there is an NVIDIA card, but no driver for it" "sudo ubuntu-drivers install"
}

@test "a container that was started without the GPU, a job that has none, a driver that does not work" {
    gpu
    rm "$bin/nvidia-smi" "$DOCTOR_ROOT/dev/nvidia0"
    touch "$DOCTOR_ROOT/.dockerenv"
    doctor
    says "this container was started without the GPU" "docker run --gpus all"
    rm "$DOCTOR_ROOT/.dockerenv"
    SLURM_JOB_ID=1 doctor
    says "this job was not given a GPU" "srun --gres=gpu:1"
    doctor
    says "the NVIDIA driver does not work here" "sudo reboot"
}

@test "a cluster's login node" {
    fake srun 'exit 0'
    doctor
    [ "$status" -eq 0 ]
    says "looks like the login node" "srun --gres=gpu:1"
}

@test "CUDA_VISIBLE_DEVICES that hides the GPU" {
    gpu
    for value in '' -1; do
        CUDA_VISIBLE_DEVICES=$value doctor
        says "CUDA_VISIBLE_DEVICES hides every GPU" "unset CUDA_VISIBLE_DEVICES"
    done
    CUDA_VISIBLE_DEVICES=0 doctor
    no_problem
}

@test "WSL: no GPU passed on, paths" {
    wsl=$DOCTOR_ROOT/usr/lib/wsl/lib
    echo 'Linux version 5.15.153.1-microsoft-standard-WSL2' >"$DOCTOR_ROOT/proc/version"
    doctor
    says "Windows passes no GPU to WSL" "wsl --update"
    touch "$DOCTOR_ROOT/dev/dxg"
    mkdir -p "$wsl" && touch "$wsl/libcuda.so.1" "$wsl/nvidia-smi"
    doctor
    says "WSL's library directory is not searched" "export PATH=\$PATH:/usr/lib/wsl/lib LD_LIBRARY_PATH=/usr/lib/wsl/lib"
    gpu
    doctor
    no_problem
}

# ---- a GPU that works, and hints for timing --------------------------------------------------------

@test "counters that only root may read, and tools that are missing" {
    gpu
    echo 'RmProfilingAdminOnly: 1' >"$DOCTOR_ROOT/proc/driver/nvidia/params"
    if ((EUID)); then
        doctor
    else # the check is for everyone but root
        sed -i 's/((EUID != 0))/true/' "$tree/desk/doctor.d/gpu.sh"
        doctor
    fi
    says "ERR_NVGPUCTRPERM" "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0"
    [[ ${lines[-1]} == "It cannot: read the GPU's own counters"* ]]
    echo 'RmProfilingAdminOnly: 0' >"$DOCTOR_ROOT/proc/driver/nvidia/params"
    rm "$bin"/{ncu,compute-sanitizer,nvdisasm}
    doctor
    says "Nsight Compute (ncu) is missing" "sudo apt install cuda-nsight-compute-13-0"
    says "nvdisasm is missing" "sudo apt install cuda-nvdisasm-13-0"
}

# ---- what was built before -------------------------------------------------------------------------

@test "a judge that does not start here is removed" {
    mkdir "$tree/build"
    printf '#!/missing\n' >"$tree/build/judge-opt_2dhisto"
    chmod +x "$tree/build/judge-opt_2dhisto"
    doctor
    says "mended   build/ was made on another machine"
    [ ! -e "$tree/build/judge-opt_2dhisto" ]
}
