# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What kind of machine this is, and which way of guides/machines.md fits it. Part of desk/doctor.
# shellcheck shell=bash

in_wsl() { grep -q -i microsoft "$root/proc/version" 2>/dev/null; }

in_container() {
    [[ -e $root/.dockerenv || -e $root/run/.containerenv || -n ${container-}${APPTAINER_CONTAINER-}${SINGULARITY_CONTAINER-} ]] ||
        grep -q -E 'docker|containerd|kubepods|lxc' "$root/proc/1/cgroup" 2>/dev/null
}

has_modules() { [[ -n ${MODULESHOME-}${LMOD_CMD-} ]]; }

# How to get a container with the tools here.
container_line() {
    # shellcheck disable=SC2016  # it is the reader's shell that knows PWD
    if has apptainer; then
        echo 'apptainer build histolab.sif histolab.def && apptainer exec histolab.sif make doctor'
    elif has docker && ! has podman; then
        echo 'docker build -t histolab -f Containerfile . && docker run --rm -it -v "$PWD:/lab" histolab'
    else
        echo 'podman build -t histolab . && podman run --rm -it -v "$PWD:/lab" histolab'
    fi
}

# How to get a compiler here.
compiler_line() {
    if has_modules; then
        echo "module load gcc    # its name here: module avail gcc"
    elif ! has apt-get && { has apptainer || has podman || has docker; }; then
        echo "$(container_line)    # or this system's own packages: make deps names them"
    else
        echo "make deps    # or: sudo apt install g++"
    fi
}

# Ends where the judge cannot work. It may run in the bash 3.2 of macOS.
check_system() {
    local system
    system=$(uname -s)
    case $system in
        Linux) return ;;
        MINGW* | MSYS* | CYGWIN*)
            problem "this is a Windows shell ($system), and the lab needs Linux: work in WSL 2" \
                "wsl --install -d Debian    # in PowerShell; then see guides/machines.md" ;;
        *)
            [[ $system != Darwin ]] || system=macOS
            problem "this is $system, and the lab needs Linux: work in a container" "$(container_line)    # see guides/machines.md" ;;
    esac
    echo
    echo "This machine can: nothing, until then."
    exit 1
}

# What decides how tools get here, and where the lab should lie.
check_kind() {
    if in_wsl; then
        ok "WSL: Linux in Windows"
        [[ $PWD != "$root"/mnt/[a-z]/* ]] ||
            hint "the lab is on a Windows disk: builds are slow there, and scripts lose their execute permission" "cp -r . ~/histolab && cd ~/histolab"
    elif in_container; then
        ok "a container: what you install in it is lost when it is removed"
    elif has_modules; then
        ok "a machine with modules: what is missing may be one of them (module avail)"
    fi
}
