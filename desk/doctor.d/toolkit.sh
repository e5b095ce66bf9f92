# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The CUDA Toolkit, and whether it fits the driver, the GPU and the host compiler. Part of desk/doctor.
# shellcheck shell=bash

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

# Builds a kernel, and runs it if there is a GPU: the only proof. Sets can_build.
check_kernel() {
    local log=$scratch/log says architecture=()
    ((gpu)) && architecture=(-arch=native)
    write_probe "$scratch/probe.cu"
    if ! nvcc "${architecture[@]}" -o "$scratch/probe" "$scratch/probe.cu" >"$log" 2>&1; then
        explain_failed_build "$log"
        return 1
    fi
    can_build=1
    ((gpu)) || { ok "nvcc builds kernels${off_path:+ once it is on PATH}; there is no GPU to run them on"; return 0; }
    if ! says=$("$scratch/probe" 2>&1); then
        explain_failed_run "$says"
        return 1
    fi
    ok "a kernel built by nvcc ran on the GPU and gave the right answer"
}

# Sets gpu_works and can_build. A GPU whose nvcc is off PATH works only once that is mended.
check_toolkit() {
    check_kernel || return
    [[ $gpu == 1 && -z $off_path ]] && gpu_works=1
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
