# The GPU, its driver and the CUDA Toolkit. Part of desk/doctor.
# shellcheck shell=bash

# ---- whether there is a GPU and a driver, and why not ----

has_libcuda() {
    local directory directories
    { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q 'libcuda\.so\.1' && return
    IFS=: read -r -a directories <<<"${LD_LIBRARY_PATH-}"
    for directory in "${directories[@]}"; do
        [[ -e $root$directory/libcuda.so.1 ]] && return
    done
    return 1
}

# An NVIDIA display controller on the PCI bus, with a driver or without.
has_nvidia_card() {
    local device
    for device in "$root"/sys/bus/pci/devices/*/; do
        [[ $(cat "$device/vendor" 2>/dev/null) == 0x10de && $(cat "$device/class" 2>/dev/null) == 0x03* ]] && return
    done
    return 1
}

# Fails where nothing else of a GPU need be asked.
check_wsl() {
    local libraries=/usr/lib/wsl/lib
    in_wsl || return 0
    if [[ ! -e $root/dev/dxg ]] && ! grep -q -i wsl2 "$root/proc/version"; then
        problem "this is WSL 1, which has no GPU" "wsl --set-version ${WSL_DISTRO_NAME:-Ubuntu} 2    # in Windows"
    elif [[ ! -e $root/dev/dxg ]]; then
        hint "Windows passes no GPU to WSL. If this machine has an NVIDIA GPU, install NVIDIA's Windows driver and a recent WSL" "wsl --update; wsl --shutdown    # in Windows"
    elif [[ ! -e $root$libraries/libcuda.so.1 ]]; then
        hint "there is no libcuda in $libraries. If Windows has an NVIDIA GPU: install NVIDIA's driver in Windows (and none inside WSL)" "wsl --shutdown    # in Windows, afterwards"
    elif compgen -G "$root/usr/lib/*-linux-gnu/libcuda.so.1" >/dev/null; then
        problem "a Linux driver is installed inside WSL, and hides the driver from Windows" "sudo apt remove 'nvidia-driver-*' 'libnvidia-compute-*'"
    elif ! has_libcuda; then
        problem "WSL's library directory is not searched, so programs do not find libcuda" \
            "echo $libraries | sudo tee /etc/ld.so.conf.d/wsl.conf; sudo ldconfig    # without root: export LD_LIBRARY_PATH=$libraries"
    elif ! has nvidia-smi && [[ -e $root$libraries/nvidia-smi ]]; then
        problem "WSL's nvidia-smi is not on PATH, and grade.sh needs it to find GPUs" "export PATH=\$PATH:$libraries"
    else
        return 0
    fi
    return 1
}

# How to start a container of this kind with a GPU.
pass_gpu_line() {
    if [[ -n ${APPTAINER_CONTAINER-}${SINGULARITY_CONTAINER-} ]]; then
        echo "apptainer exec --nv ..."
    elif [[ -n ${KUBERNETES_SERVICE_HOST-} ]]; then
        echo "kubectl: resources: { limits: { nvidia.com/gpu: 1 } } in the pod's container"
    elif [[ -e $root/run/.containerenv ]]; then
        echo "podman run --device nvidia.com/gpu=all ..."
    else
        echo "docker run --gpus all ...    # the host needs the NVIDIA Container Toolkit"
    fi
}

# Why nvidia-smi is missing or lists no GPU. $1: what it printed.
explain_no_gpu() {
    local says=$1 driver='' files=''
    [[ ! -e $root/proc/driver/nvidia/version && ! -d $root/sys/module/nvidia ]] || driver=loaded
    ! compgen -G "$root/dev/nvidia[0-9]*" >/dev/null || files=there
    if [[ $driver && ! $files ]] && in_container; then
        problem "the host has an NVIDIA driver, but this container was started without the GPU" "$(pass_gpu_line)"
    elif [[ $driver && ! $files && -n ${SLURM_JOB_ID-} ]]; then
        problem "this job was not given a GPU" "srun --gres=gpu:1 --pty bash"
    elif [[ $driver && ! $files ]]; then
        problem "the driver is loaded, but its device files under /dev are missing" "sudo nvidia-modprobe -u -c=0"
    elif [[ $driver ]] && ! has_libcuda && in_container; then
        problem "this container has the GPU's device files, but not the driver's libraries (no libcuda.so.1)" \
            "$(pass_gpu_line)    # with -e NVIDIA_DRIVER_CAPABILITIES=compute,utility"
    elif [[ $driver ]] && ! has_libcuda; then
        problem "the driver's library libcuda.so.1 is missing" "sudo apt install libnvidia-compute-VERSION    # the version in /proc/driver/nvidia/version"
    elif [[ $says == *"version mismatch"* ]]; then
        problem "the driver was updated while the old one was loaded: ${says%%$'\n'*}" "sudo reboot"
    elif [[ $says == *"couldn't communicate"* ]]; then
        problem "the NVIDIA driver is installed, but its kernel module is not loaded" "sudo modprobe nvidia    # if that fails: install the driver again for this kernel"
    elif [[ $says == *"No devices were found"* ]]; then
        problem "the driver runs but finds no GPU: another job has it, or it has fallen off the bus" \
            "sudo dmesg | grep -i -E 'nvrm|xid'    # under Slurm: srun --gres=gpu:1 --pty bash"
    elif has_nvidia_card; then
        problem "there is an NVIDIA card, but no driver for it" "sudo ubuntu-drivers install    # Debian: sudo apt install nvidia-driver"
    elif has srun && [[ -z ${SLURM_JOB_ID-} ]]; then
        hint "there is no GPU here, and this looks like the login node of a cluster" "srun --gres=gpu:1 --pty bash"
    else
        ok "no NVIDIA GPU here: the emulator checks everything but speed, which is measured elsewhere"
    fi
}

# Sets gpu to 1 if nvidia-smi lists one that programs may use, and capability.
check_gpu() {
    local says='' name others
    check_wsl || return
    if has nvidia-smi; then
        says=$(nvidia-smi -L 2>&1) && [[ $says == *"GPU 0"* ]] && gpu=1
    fi
    ((gpu)) || { explain_no_gpu "$says"; return; }
    if [[ -n ${CUDA_VISIBLE_DEVICES+set} && ${CUDA_VISIBLE_DEVICES:--1} == -1 ]]; then
        problem "CUDA_VISIBLE_DEVICES hides every GPU from programs" "unset CUDA_VISIBLE_DEVICES"
        gpu=0
        return
    fi
    name=$(sed -n '1s/ (UUID.*//p' <<<"$says")
    others=$(($(grep -c '^GPU' <<<"$says") - 1))
    ((others == 0)) || name+=" and $others more"
    ok "$name"
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)
    [[ $capability =~ ^[0-9]+\.[0-9]+$ ]] || capability=''
}

# ---- the CUDA Toolkit, and whether it fits the driver, the GPU and the host compiler ----

# Puts on PATH an nvcc that is in a usual place only, and says so.
look_off_path() {
    local directory kind=hint
    ((gpu)) && kind=PROBLEM
    for directory in "${CUDA_HOME-}" "${CUDA_PATH-}" "$root/usr/local/cuda" "$root"/usr/local/cuda-*; do
        [[ -n $directory && -x $directory/bin/nvcc ]] || continue
        off_path=$directory/bin
        finding "$kind" "nvcc is in ${off_path#"$root"}, which is not on PATH" "export PATH=${off_path#"$root"}:\$PATH"
        PATH=$off_path:$PATH
        return
    done
}

# Sets nvcc, toolkit and off_path.
check_nvcc() {
    has nvcc || look_off_path
    if has nvcc; then
        nvcc=1
        toolkit=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
        [[ -z $off_path ]] && ok "nvcc of CUDA $toolkit"
    elif has_modules; then
        missing "nvcc; this cluster has modules" "module load cuda    # its name here: module avail cuda"
    elif ((gpu)); then
        missing "nvcc: without it, nothing can be graded on this GPU" "sudo apt install nvidia-cuda-toolkit    # or NVIDIA's: https://developer.nvidia.com/cuda-downloads"
    else
        ok "no CUDA Toolkit (nvcc): nothing here needs it"
    fi
}

write_probe() {
    cat >"$1" <<'END'
#include <stdio.h>
__global__ void answer(int *where) { *where = 42; }
static void check(cudaError_t status) {
    if (status != cudaSuccess) {
        printf("%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
        exit(1);
    }
}
int main(void) {
    int *device, host = 0;
    check(cudaMalloc(&device, sizeof host));
    answer<<<1, 1>>>(device);
    check(cudaGetLastError());
    check(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    return host != 42;
}
END
}

# Why nvcc could not build the probe. $1: its log.
explain_failed_build() {
    local limit
    limit=$(sed -n 's/.*unsupported GNU version! gcc versions later than \([0-9]*\) are not supported.*/\1/p' "$1" | head -n 1)
    if [[ -n $limit ]]; then
        problem "nvcc of CUDA $toolkit accepts gcc up to $limit, and gcc here is $(version_of gcc -dumpfullversion)" "sudo apt install g++-$limit; export NVCC_PREPEND_FLAGS='-ccbin g++-$limit'"
    elif grep -q 'exception specification is incompatible' "$1"; then
        problem "the headers of CUDA $toolkit do not fit this system's newer C library" "sudo apt install cuda-toolkit-13-0    # or any later one that the driver supports"
    elif grep -q -E "cannot find -lcuda|cuda_runtime.h: No such file" "$1"; then
        problem "the CUDA Toolkit is incomplete: $(first_error "$1")" "sudo apt install cuda-toolkit    # the whole toolkit, not nvcc alone"
    else
        problem "nvcc cannot build a kernel: $(first_error "$1")" "make build-gpu    # shows all of what it says"
    fi
}

# Why the probe failed. $1: what it printed.
explain_failed_run() {
    case $1 in
        cudaErrorInsufficientDriver*)
            problem "the driver is too old for CUDA $toolkit ($1)" "nvidia-smi | grep 'CUDA Version'    # use a toolkit up to that version, or update the driver" ;;
        cudaErrorNoKernelImageForDevice* | cudaErrorUnsupportedPtxVersion*)
            problem "nvcc built no code that this GPU can run ($1)" "make clean; make build-gpu ARCH=sm_${capability/./}" ;;
        cudaErrorSystemNotReady*)
            problem "the GPUs of this machine are waiting for the fabric manager ($1)" "sudo systemctl start nvidia-fabricmanager" ;;
        cudaErrorDevicesUnavailable*)
            problem "another process has the GPU to itself ($1)" "nvidia-smi    # shows whose; sudo nvidia-smi -c DEFAULT shares it" ;;
        cudaErrorNoDevice*)
            problem "nvidia-smi lists a GPU and CUDA finds none ($1): it is in MIG mode without an instance, or hidden" \
                "nvidia-smi -L; echo \$CUDA_VISIBLE_DEVICES" ;;
        *)
            problem "a small kernel fails on this GPU (${1:-it gave a wrong answer})" "sudo rmmod nvidia_uvm; sudo modprobe nvidia_uvm    # helps after a suspend; else: sudo reboot" ;;
    esac
}

# Builds a kernel, and runs it if there is a GPU: the only proof. Sets can_build and gpu_works. A GPU whose nvcc is off PATH
# works only once that is mended.
check_kernel() {
    local log=$scratch/log says architecture=()
    ((gpu)) && architecture=(-arch=native)
    write_probe "$scratch/probe.cu"
    if ! nvcc "${architecture[@]}" -o "$scratch/probe" "$scratch/probe.cu" >"$log" 2>&1; then
        explain_failed_build "$log"
        return
    fi
    can_build=1
    if ((!gpu)); then
        ok "nvcc builds kernels${off_path:+ once it is on PATH}; there is no GPU to run them on"
    elif ! says=$("$scratch/probe" 2>&1); then
        explain_failed_run "$says"
    else
        ok "a kernel built by nvcc ran on the GPU and gave the right answer"
        [[ -n $off_path ]] || gpu_works=1
    fi
}

# Sets can_profile.
check_profiler() {
    if ! has ncu; then
        hint "Nsight Compute (ncu) is missing: no make profile-opt05" "sudo apt install cuda-nsight-compute-${toolkit/./-}"
    elif ((EUID != 0)) && grep -q 'RmProfilingAdminOnly: 1' "$root/proc/driver/nvidia/params" 2>/dev/null; then
        hint "the driver shows its counters only to root (ERR_NVGPUCTRPERM): no make profile-opt05" \
            "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee /etc/modprobe.d/profiling.conf; sudo reboot"
    else
        can_profile=1
    fi
    has nvdisasm || hint "nvdisasm is missing: no make sass-opt05" "sudo apt install cuda-nvdisasm-${toolkit/./-}"
}

# ---- what makes times on a GPU longer or less steady: nothing here prevents a grading ----

check_timing() {
    local others persistence limit full slowed mig
    others=$(nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null | grep -c '[0-9]')
    ((others == 0)) ||
        hint "this GPU is shared with $others other process$( ((others == 1)) || echo es): times will be longer and less steady" "nvidia-smi    # shows whose"
    # An older driver may not know a field. Then these hints are left out.
    IFS=, read -r persistence limit full slowed mig < <(nvidia-smi --format=csv,noheader,nounits \
        --query-gpu=persistence_mode,power.limit,power.default_limit,clocks_throttle_reasons.hw_slowdown,mig.mode.current 2>/dev/null | tr -d ' ')
    [[ ${persistence-} == Disabled ]] &&
        hint "persistence mode is off: the first call of every program waits for the driver" "sudo nvidia-smi -pm 1"
    if [[ ${limit-} =~ ^[0-9.]+$ && ${full-} =~ ^[0-9.]+$ ]] && awk -v a="$limit" -v b="$full" 'BEGIN { exit !(a + 0 < b + 0) }'; then
        hint "the GPU's power is capped at $limit of $full W: times are those of a slower GPU" "sudo nvidia-smi -pl $full"
    fi
    [[ ${slowed-} == Active ]] &&
        hint "the hardware has slowed the GPU down (heat or power)" "nvidia-smi -q -d PERFORMANCE,TEMPERATURE"
    [[ ${mig-} == Enabled ]] &&
        hint "the GPU is split (MIG): its bandwidth and multiprocessors are those of one slice" "nvidia-smi -L"
    return 0
}
