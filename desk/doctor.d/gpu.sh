# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Whether there is a GPU and a driver, and why not. Part of desk/doctor.
# shellcheck shell=bash

has_libcuda() {
    local directory directories
    { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q 'libcuda\.so\.1' && return
    IFS=: read -r -a directories <<<"${LD_LIBRARY_PATH-}"
    for directory in "${directories[@]}"; do
        [[ -e $root$directory/libcuda.so.1 ]] && return
    done
    return 1
}

has_device_files() { compgen -G "$root/dev/nvidia[0-9]*" >/dev/null; }

# An NVIDIA display controller on the PCI bus, with a driver or without.
has_nvidia_card() {
    local device
    for device in "$root"/sys/bus/pci/devices/*/; do
        [[ $(cat "$device/vendor" 2>/dev/null) == 0x10de && $(cat "$device/class" 2>/dev/null) == 0x03* ]] && return
    done
    return 1
}

check_wsl() {
    local libraries=/usr/lib/wsl/lib
    in_wsl || return 0
    if [[ ! -e $root/dev/dxg ]]; then
        if ! grep -q -i wsl2 "$root/proc/version"; then
            problem "this is WSL 1, which has no GPU" "wsl --set-version ${WSL_DISTRO_NAME:-Ubuntu} 2    # in Windows"
        else
            hint "Windows passes no GPU to WSL. If this machine has an NVIDIA GPU, install NVIDIA's Windows driver and a recent WSL" "wsl --update; wsl --shutdown    # in Windows"
        fi
        return 1
    fi
    if [[ ! -e $root$libraries/libcuda.so.1 ]]; then
        hint "there is no libcuda in $libraries. If Windows has an NVIDIA GPU: install NVIDIA's driver in Windows (and none inside WSL)" "wsl --shutdown    # in Windows, afterwards"
        return 1
    fi
    if compgen -G "$root/usr/lib/*-linux-gnu/libcuda.so.1" >/dev/null; then
        problem "a Linux driver is installed inside WSL, and hides the driver from Windows" "sudo apt remove 'nvidia-driver-*' 'libnvidia-compute-*'"
        return 1
    fi
    if ! has_libcuda; then
        problem "WSL's library directory is not searched, so programs do not find libcuda" \
            "echo $libraries | sudo tee /etc/ld.so.conf.d/wsl.conf; sudo ldconfig    # without root: export LD_LIBRARY_PATH=$libraries"
        return 1
    fi
    if ! has nvidia-smi && [[ -e $root$libraries/nvidia-smi ]]; then
        problem "WSL's nvidia-smi is not on PATH, and grade.sh needs it to find GPUs" "export PATH=\$PATH:$libraries"
        return 1
    fi
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

explain_missing_device_files() {
    if in_container; then
        problem "the host has an NVIDIA driver, but this container was started without the GPU" "$(pass_gpu_line)"
    elif [[ -n ${SLURM_JOB_ID-} ]]; then
        problem "this job was not given a GPU" "srun --gres=gpu:1 --pty bash"
    else
        problem "the driver is loaded, but its device files under /dev are missing" "sudo nvidia-modprobe -u -c=0"
    fi
}

explain_missing_libcuda() {
    if in_container; then
        problem "this container has the GPU's device files, but not the driver's libraries (no libcuda.so.1)" \
            "$(pass_gpu_line)    # with -e NVIDIA_DRIVER_CAPABILITIES=compute,utility"
    else
        problem "the driver's library libcuda.so.1 is missing" "sudo apt install libnvidia-compute-VERSION    # the version in /proc/driver/nvidia/version"
    fi
}

# Why nvidia-smi is missing or lists no GPU. $1: what it printed.
explain_no_gpu() {
    local says=$1 module=0
    [[ -e $root/proc/driver/nvidia/version || -d $root/sys/module/nvidia ]] && module=1
    if ((module)) && ! has_device_files; then
        explain_missing_device_files
    elif ((module)) && ! has_libcuda; then
        explain_missing_libcuda
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
    if ((!gpu)); then
        explain_no_gpu "$says"
        return
    fi
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
