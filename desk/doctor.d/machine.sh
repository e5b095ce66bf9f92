# The machine, its tools and compilers, and what was built here. Part of desk/doctor.
# shellcheck shell=bash

# ---- what kind of machine this is, and which way of guides/machines.md fits it ----

in_wsl() { grep -q -i microsoft "$root/proc/version" 2>/dev/null; }

in_container() {
    [[ -e $root/.dockerenv || -e $root/run/.containerenv || -n ${container-}${APPTAINER_CONTAINER-}${SINGULARITY_CONTAINER-} ]] ||
        grep -q -E 'docker|containerd|kubepods|lxc' "$root/proc/1/cgroup" 2>/dev/null
}

has_modules() { [[ -n ${MODULESHOME-}${LMOD_CMD-} ]]; }

# shellcheck disable=SC2016  # it is the reader's shell that knows PWD
container_line='podman build -t histolab . && podman run --rm -it -v "$PWD:/lab" histolab'

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
            problem "this is $system, and the lab needs Linux: work in a container" "$container_line    # see guides/machines.md" ;;
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

# ---- basic tools, and where files are written ----

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

# ---- the host compilers ----

# builds COMPILER STANDARD LANGUAGE [FLAG...]: compiles and runs the program on standard input.
builds() {
    local compiler=$1 standard=$2 language=$3
    shift 3
    "$compiler" "-std=$standard" -Wall -Werror -x "$language" - -o "$scratch/program" "$@" >"$scratch/log" 2>&1 &&
        "$scratch/program" >>"$scratch/log" 2>&1
}

# Sets cc and cxx as the Makefile does, and cpu_works.
check_compiler() {
    cc=${CC:-gcc} cxx=${CXX:-}
    [[ -n $cxx ]] || { [[ $cc == *clang* ]] && cxx=clang++ || cxx=g++; }
    local compiler machine
    machine=$(uname -m)
    for compiler in "$cc" "$cxx"; do
        has "$compiler" || [[ ! $machine =~ ^(x86_64|aarch64)$ ]] || { missing "the compiler $compiler: without it, nothing can be built" "make deps    # or: sudo apt install g++; on a cluster: module load gcc"; return; }
    done
    if [[ ! $machine =~ ^(x86_64|aarch64)$ ]]; then
        problem "the emulator runs on x86-64 and 64-bit Arm, and this processor is $machine"
    elif ! builds "$cc" gnu11 c <<<$'#define _GNU_SOURCE\n#include <sys/mman.h>\nint main(void) { return memfd_create("doctor", 0) < 0; }'; then
        problem "$cc cannot build what checks a step: $(first_error "$scratch/log")" "make deps    # or another compiler: export CC=clang CXX=clang++"
    elif ! builds "$cxx" c++17 c++ -pthread <<<$'#include <cstdint>\nint main() { if constexpr (sizeof(uint64_t) == 8) return 0; }'; then
        problem "$cxx cannot build C++17, so it cannot build steps for the emulator: $(first_error "$scratch/log")" \
            "make deps    # or another compiler: export CC=clang CXX=clang++"
    elif ! "$cxx" -x c++ -c -fsanitize=thread -fsanitize=alignment - -o "$scratch/object" <<<'int x;' >"$scratch/log" 2>&1; then
        problem "$cxx does not support -fsanitize=thread, which the emulator's check for races needs" "export CC=clang CXX=clang++"
    else
        cpu_works=1
        ok "$cc $(version_of "$cc" --version) and $cxx $(version_of "$cxx" --version): they build what checks a step, and the emulator"
    fi
}

# ---- what another machine made in build/ ----

check_build() {
    local judge why='build/ was made on another machine, and its judge does not start here'
    for judge in build/judge-*; do
        [[ -x $judge ]] || continue
        "$judge" --inputs >/dev/null 2>&1 && continue
        if rm -rf build 2>/dev/null; then
            mended "$why: removed; it is built again when it is next needed"
        else
            problem "$why, and it cannot be removed" "rm -rf build"
        fi
        return
    done
}

# ---- packages that are used where they are installed ----

# tell_missing KIND LINE [OPTION...]: each package that desk/deps finds missing, and below them the line to type, where
# PACKAGES stands for their names. What was told before is left out. Adds to `absent`.
tell_missing() {
    local kind=$1 line=$2 package purpose packages=() purposes=''
    while IFS=$'\t' read -r package purpose; do
        # What no step can do without is told above, with its reason.
        [[ $purpose == 'to grade' || $absent == *" $purpose"* ]] && continue
        finding "$kind" "$package ($purpose)"
        packages+=("$package") purposes+=" $purpose"
    done < <(desk/deps "${@:3}" --list-why)
    absent+=$purposes
    ((${#packages[@]} == 0)) || printf '  %-8s type: %s\n' '' "${line/PACKAGES/${packages[*]}}"
}

# Sets `absent`.
check_packages() {
    if has_modules; then tell_missing missing 'module load gnuplot    # its name here: module avail gnuplot'; else tell_missing missing 'make deps'; fi
    if [[ -d class ]]; then
        tell_missing missing 'make deps-all' --all
    else # a student can do without these
        tell_missing hint 'sudo apt install PACKAGES    # not needed to grade' --all
    fi
}
