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

# Fails where nothing else of a GPU need be asked: in WSL the driver is that of Windows.
check_wsl() {
    local libraries=/usr/lib/wsl/lib
    in_wsl || return 0
    if [[ ! -e $root/dev/dxg || ! -e $root$libraries/libcuda.so.1 ]]; then
        hint "Windows passes no GPU to WSL. If this machine has an NVIDIA GPU, install NVIDIA's Windows driver (and none inside WSL) and WSL 2" "wsl --update; wsl --shutdown    # in Windows"
    elif ! has_libcuda || ! has nvidia-smi; then
        problem "WSL's library directory is not searched, so programs do not find the GPU" "export PATH=\$PATH:$libraries LD_LIBRARY_PATH=$libraries"
    else
        return 0
    fi
    return 1
}

# Why nvidia-smi is missing or lists no GPU. $1: what it printed.
explain_no_gpu() {
    local driver=''
    [[ ! -e $root/proc/driver/nvidia/version && ! -d $root/sys/module/nvidia ]] || driver=loaded
    if [[ $driver ]] && in_container; then
        problem "the host has an NVIDIA driver, but this container was started without the GPU" \
            "docker run --gpus all ...    # podman run --device nvidia.com/gpu=all; apptainer exec --nv"
    elif [[ $driver && -n ${SLURM_JOB_ID-} ]]; then
        problem "this job was not given a GPU" "srun --gres=gpu:1 --pty bash"
    elif [[ $driver || -n $1 ]]; then
        problem "the NVIDIA driver does not work here: ${1%%$'\n'*}" "sudo reboot    # after an update of the driver; if that does not help, install it again"
    elif has_nvidia_card; then
        problem "there is an NVIDIA card, but no driver for it" "sudo ubuntu-drivers install    # Debian: sudo apt install nvidia-driver"
    elif has srun && [[ -z ${SLURM_JOB_ID-} ]]; then
        hint "there is no GPU here, and this looks like the login node of a cluster" "srun --gres=gpu:1 --pty bash"
    else
        ok "no NVIDIA GPU here: the emulator checks everything but speed, which is measured elsewhere"
    fi
}

# Sets gpu to 1 if nvidia-smi lists one that programs may use.
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
    else
        problem "nvcc cannot build a kernel: $(first_error "$1")" "make build-gpu    # shows all of what it says"
    fi
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
        problem "a small kernel fails on this GPU (${says:-it gave a wrong answer})" \
            "nvidia-smi    # its CUDA version is the newest that the driver supports; here nvcc is of CUDA $toolkit"
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
    has nvdisasm || hint "nvdisasm is missing: predictions know no machine code" "sudo apt install cuda-nvdisasm-${toolkit/./-}"
}
