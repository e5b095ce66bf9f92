# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The system, its basic tools, and where files are written. Part of desk/doctor.
# shellcheck shell=bash

check_tools() {
    local tool lacking=''
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
        problem "bash $BASH_VERSION is too old: the scripts need 4.4" "sudo apt install bash"
        tools_work=0
    fi
    for tool in make awk sed find sort sha256sum objcopy readelf; do
        has "$tool" || lacking+=" $tool"
    done
    if [[ -n $lacking ]]; then
        problem "these basic tools are missing:$lacking" "sudo apt install make mawk sed findutils coreutils binutils"
        tools_work=0
    fi
    ((tools_work)) && ok "bash ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}, make $(version_of make --version), awk"
}

check_locale() {
    local warning
    warning=$(LC_ALL=$LC_CTYPE bash -c : 2>&1 | grep -m 1 setlocale) || return 0
    hint "the locale that is set is not installed here (${warning##*: }): bash and perl will warn about it" "export LC_ALL=C.UTF-8"
}

# A copy through a zip file or a Windows share loses the mode of scripts.
check_modes() {
    local file first scripts=() told
    while IFS= read -r file; do
        [[ ! -x $file && -r $file ]] || continue
        IFS= read -r -n 2 first <"$file"
        [[ $first != '#!' ]] || scripts+=("$file")
    done < <(find grade.sh common emulator desk class report tests experiments -type f \( -name '*.sh' -o ! -name '*.*' \) 2>/dev/null)
    ((${#scripts[@]})) || return 0
    told="${#scripts[@]} (${scripts[0]}, ...)"
    if chmod +x "${scripts[@]}" 2>/dev/null && [[ -x ${scripts[0]} ]]; then
        mended "scripts that had lost their executable mode: $told"
    else
        problem "scripts that cannot be executed here: $told" "cp -r . ~/histolab && cd ~/histolab && chmod +x grade.sh desk/doctor"
        tools_work=0
    fi
}

# Megabytes that are free where a path is.
free_megabytes() {
    df -Pk "$1" 2>/dev/null | awk 'END { print int($4 / 1024) }'
}

check_build_directory() {
    local free written=1
    mkdir -p build 2>/dev/null && head -c 1000000 /dev/zero 2>/dev/null >build/.doctor || written=0
    free=$(free_megabytes .)
    rm -f build/.doctor
    if ((!written)); then
        problem "cannot write to $PWD/build ($free MB are free on that disk)" \
            "cp -r . ~/histolab && cd ~/histolab    # or free some space: df -h . ; quota -s"
        tools_work=0
    elif ((free < 500)); then # everything, built for both devices, takes about 300 MB
        problem "only $free MB are free here: building every step takes about 300 MB, and results need some too" \
            "make clean; df -h .    # or work from another disk"
        tools_work=0
    fi
}

# Sets `scratch`, where later checks compile their programs. It goes away at the end.
check_temporary_directory() {
    local free
    if scratch=$(mktemp -d 2>/dev/null); then
        free=$(free_megabytes "$scratch")
        ((free >= 100)) ||
            hint "only $free MB are free in ${TMPDIR:-/tmp}, where compilers keep their intermediate files" "mkdir -p ~/tmp; export TMPDIR=~/tmp"
    else
        problem "cannot write to ${TMPDIR:-/tmp}, where compilers keep their intermediate files" "mkdir -p ~/tmp; export TMPDIR=~/tmp"
        tools_work=0
        scratch=build/.doctor.tmp
        mkdir -p "$scratch" 2>/dev/null || exit 1
    fi
    trap 'rm -rf "$scratch"' EXIT
}

check_places() {
    check_build_directory
    check_temporary_directory
}
