# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The host compilers, which build the judge, and each step for the emulator. Part of desk/doctor.
# shellcheck shell=bash

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
    if [[ ! $machine =~ ^(x86_64|aarch64)$ ]]; then
        problem "the emulator runs on x86-64 and 64-bit Arm, and this processor is $machine"
        return
    fi
    for compiler in "$cc" "$cxx"; do
        has "$compiler" && continue
        missing "the compiler $compiler: without it, nothing can be built" "$(compiler_line)"
        return
    done
    if ! builds "$cc" gnu11 c <<<$'#define _GNU_SOURCE\n#include <sys/mman.h>\nint main(void) { return memfd_create("doctor", 0) < 0; }'; then
        problem "$cc cannot build what checks a step: $(first_error "$scratch/log")" "make deps    # or another compiler: export CC=clang CXX=clang++"
        return
    fi
    if ! builds "$cxx" c++17 c++ -pthread <<<$'#include <cstdint>\nint main() { if constexpr (sizeof(uint64_t) == 8) return 0; }'; then
        problem "$cxx cannot build C++17, so it cannot build steps for the emulator: $(first_error "$scratch/log")" \
            "make deps    # or another compiler: export CC=clang CXX=clang++"
        return
    fi
    if ! "$cxx" -x c++ -c -fsanitize=thread -fsanitize=alignment - -o "$scratch/object" <<<'int x;' >"$scratch/log" 2>&1; then
        problem "$cxx does not support -fsanitize=thread, which the emulator's check for races needs" "export CC=clang CXX=clang++"
        return
    fi
    cpu_works=1
    ok "$cc $(version_of "$cc" --version) and $cxx $(version_of "$cxx" --version): they build what checks a step, and the emulator"
}
