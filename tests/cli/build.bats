#!/usr/bin/env bats
# The Makefile: what it asks of the machine, what it rebuilds, and what a shell can complete.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    bin=$BATS_TEST_TMPDIR/bin
    step=labs/opt05_multiblock
    mkdir "$bin"
    printf '#!%s\necho "$*" >>%q\necho "GPU 0: NVIDIA H200"\n' "$(command -v bash)" "$BATS_TEST_TMPDIR/asked" >"$bin/nvidia-smi"
    chmod +x "$bin/nvidia-smi"
    PATH=$bin:$PATH
    : >"$BATS_TEST_TMPDIR/asked"
}

asked() {
    wc -l <"$BATS_TEST_TMPDIR/asked"
}

# The goals that a shell completes: bash-completion, too, reads make's data base, and leaves out what is
# no target, what is intermediate, and what begins with a dot.
completed() {
    make -npq .DEFAULT 2>/dev/null | awk '
        function print_target() { if (target != "") print target; target = "" }
        /^# Files/ { files = 1 }
        !files { next }
        /^# Not a target/ { ignored = 1 }
        /^# *File is an intermediate/ { target = "" }
        /^$/ { print_target(); ignored = 0 }
        !ignored && target == "" && /^[a-z0-9][^\t:%]*:/ { target = $0; sub(/:.*/, "", target) }'
}

@test "the rule for a step's builds names those that one call makes: of others make 4.4 warns" {
    run make -npq "build/cpu/$step"/runner{,-checked}
    grep -q '^build/cpu/%/step.o build/cpu/%/checked.o:' <<<"$output"
    grep -q '^build/cpu/%/counted.o:' <<<"$output"
    grep -q '^build/cpu/%/debug.o:' <<<"$output"
}

@test "nvidia-smi is asked once, however many steps are built for the GPU" {
    run -0 make -B -n build-gpu
    [ "$(grep -c -e -arch=native <<<"$output")" -ge 40 ]
    [ "$(asked)" -eq 1 ]
}

@test "make build-gpu without nvcc says so before it builds anything, and what to do" {
    run -2 make NVCC=no-such-nvcc build-gpu
    [[ ${lines[0]} == "make: no-such-nvcc is missing: "*"make doctor"* && ${#lines[@]} -eq 2 ]]
}

@test "nvidia-smi is not asked where nothing is built for the GPU, or where ARCH is given" {
    run -0 make
    run -0 make -B -n "build/cpu/$step/runner" build/judge-opt_2dhisto
    run -0 make -B -n clean diff-opt05
    run -0 make -B -n ARCH=sm_90 "build/gpu/$step/runner"
    [[ $output == *-arch=sm_90* ]]
    run -0 make -n access-opt05
    [ "$(asked)" -eq 0 ]
}

@test "where the tree is a clone, a warning stops its build, but not with WERROR=" {
    run -0 make -n -B WERROR= build/host/common/keep.o
    [[ $output == *" -Wall "* && $output != *-Werror* ]]
    [ -e .git ] || skip "this tree is no clone"
    run -0 make -n -B build/host/common/keep.o
    [[ $output == *" -Werror "* ]]
}

@test "a directory anywhere that holds one .cu file is built as a step" {
    mkdir "$BATS_TEST_TMPDIR/mine"
    cp "$step/opt_2dhisto.cu" "$BATS_TEST_TMPDIR/mine"
    run -0 make -n "build/cpu/$BATS_TEST_TMPDIR/mine/runner"
    [[ $output == *"nvcc "*" $BATS_TEST_TMPDIR/mine/opt_2dhisto.cu "* ]]
    run -2 make -n "build/cpu/$BATS_TEST_TMPDIR/bin/runner"
    [[ $output == *"No rule to make target"* ]]
}

@test "what is built is kept, and is built again after a header or a source has changed" {
    make -s "build/cpu/$step/runner" "build/cpu/$step/runner-checked" build/judge-opt_2dhisto
    [ -e "build/cpu/$step/step.o" ]
    [ -e build/cpu/problems/opt_2dhisto/call.o ]
    run -0 make -q "build/cpu/$step/runner" "build/cpu/$step/runner-checked" build/judge-opt_2dhisto
    for changed in common/lab.h emulator/include/cuda_runtime.h "$step/opt_2dhisto.cu" common/runner/protocol.h; do
        run -0 make -n -W "$changed" "build/cpu/$step/runner"
        [[ $output == *"LD build/cpu/$step/runner"* ]]
    done
    run -0 make -n -W common/lab.h build/judge-opt_2dhisto
    [[ $output == *"LD build/judge-opt_2dhisto"* ]]
}

@test "a shell completes the goals and every step's name" {
    goals=$(completed)
    for goal in help deps doctor grade clean build-cpu; do
        grep -qx "$goal" <<<"$goals"
    done
    for directory in labs/*/; do
        name=$(basename "$directory")
        for goal in "$name" {diff,profile}-"$name"; do
            grep -qx "$goal" <<<"$goals" || { echo "not completed: $goal"; return 1; }
        done
    done
}

# Launches on the cpu device are counted by the emulator itself, which knows what graphs hold.
@test "a step's calls that a timed call should not use go through watch.c, on both devices, and its launches on a GPU" {
    local with_attributes=labs/opt16_packed_flush
    make -s "build/cpu/$with_attributes"/runner{,-checked}
    for object in step checked; do
        run -0 nm -u "build/cpu/$with_attributes/$object.o"
        [[ $output == *lab_watched_cudaMalloc* && $output != *' cudaMalloc'* ]]
    done
    command -v nvcc || skip "nvcc is not installed"
    make -s "build/gpu/$with_attributes/step.o" ARCH=sm_90
    run -0 nm -u "build/gpu/$with_attributes/step.o"
    [[ $output =~ lab_watched_(__)?cudaLaunchKernel && $output == *lab_watched_cudaLaunchKernelExC* && $output == *lab_watched_cudaMalloc* ]]
    [[ ! $output =~ \ (__)?cudaLaunchKernel && $output != *' cudaMalloc'* ]]
}

@test "what CUDA's headers declare so that data could reach the host uncounted, and what they do not declare, is refused by name" {
    local refused=(cudaLaunchHostFunc cudaStreamAddCallback cudaGraphAddHostNode cudaGraphAddMemcpyNode{,1D} cudaGraphExecMemcpyNodeSetParams
        cudaGraphAddNode cudaMemcpy2DFromArray cudaMemcpyPeerAsync cudaIpcOpenMemHandle cudaMemPoolCreate
        cudaGetExportTable cudaGetDriverEntryPoint cudaOfNextYear cuMemcpyDtoH_v2)
    local allowed=(cudaMalloc cudaFree cudaMemcpyAsync cudaMallocManaged cudaMemset{,Async} cudaStreamWaitEvent cudaGetLastError cudaFuncSetAttribute
        cudaGraph{Launch,Instantiate} cudaOccupancyMaxActiveBlocksPerMultiprocessor
        cudaPointerGetAttributes cudaCreateTextureObject cudaMemcpy2DToArray)
    local devices=(cpu) device name object
    ! command -v nvcc || devices+=(gpu)
    for device in "${devices[@]}"; do
        make -s "build/$device/runner/entry_points" build/contract
        object=build/$device/calls.$$.o
        { printf 'void %s(void);\n' "${refused[@]}" "${allowed[@]}" && printf 'void f(void) {' && printf '%s();' "${refused[@]}" "${allowed[@]}" && echo '}'; } |
            gcc -x c -c - -o "$object"
        run -1 build/contract opt_2dhisto "build/$device/runner"/{watch.o,entry_points} --evidence=/dev/null "$object"
        rm "$object"
        for name in "${refused[@]}"; do grep -q "^error: a step cannot call $name: " <<<"$output" || { echo "$device: $name"; return 1; }; done
        for name in "${allowed[@]}"; do ! grep -qw "$name" <<<"$output" || { echo "$device: $name"; return 1; }; done
    done
}

@test "an instruction that calls the system is evidence, whatever relocations come after it" {
    [[ $(uname -m) == x86_64 ]] || skip "the instruction is of x86-64"
    make -s build/cpu/runner/entry_points build/cpu/runner/watch.o build/contract
    echo 'extern int other; int f(void) { __asm__ volatile("syscall" ::: "rcx", "r11", "memory"); return other; }' |
        gcc -x c -c - -o "$BATS_TEST_TMPDIR/own.o"
    build/contract opt_2dhisto build/cpu/runner/{watch.o,entry_points} --evidence="$BATS_TEST_TMPDIR/evidence" "$BATS_TEST_TMPDIR/own.o"
    grep -qx 'flag: makes system calls of its own, past libc' "$BATS_TEST_TMPDIR/evidence"
}

@test "what opens a file is evidence, by whatever library, and a stream that opens none is not" {
    make -s build/cpu/runner/entry_points build/cpu/runner/watch.o build/contract
    local name opens=(fopen freopen64 tmpfile _ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode
        _ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode _ZNSt12__basic_fileIcE4openEPKcSt13_Ios_Openmodei)
    { printf 'void %s(void);\n' "${opens[@]}" _ZNSt8ios_base4InitC1Ev fread && printf 'void f(void) {' &&
        printf '%s();' "${opens[@]}" _ZNSt8ios_base4InitC1Ev fread && echo '}'; } | gcc -w -x c -c - -o "$BATS_TEST_TMPDIR/own.o"
    build/contract opt_2dhisto build/cpu/runner/{watch.o,entry_points} --evidence="$BATS_TEST_TMPDIR/evidence" "$BATS_TEST_TMPDIR/own.o"
    for name in "${opens[@]}"; do grep -q "^flag: calls $name, for which a step has no use" "$BATS_TEST_TMPDIR/evidence"; done
    [ "$(wc -l <"$BATS_TEST_TMPDIR/evidence")" -eq ${#opens[@]} ]
}

@test "the host's code in a step for the GPU knows its lines" {
    command -v nvcc || skip "nvcc is not installed"
    make -s "build/gpu/$step/step.o" ARCH=sm_90
    run -0 addr2line -e "build/gpu/$step/step.o" "$(nm "build/gpu/$step/step.o" | awk '$3 == "opt_2dhisto" { print $1 }')"
    [[ $output == */opt_2dhisto.cu:[1-9]* ]]
}

@test "a step is compiled without the C++ library and mathematics if it names nothing of them" {
    make -s build/cpu/labs/opt05_multiblock/step.o
    run ! grep -qE '/(cmath|type_traits)"' build/cpu/labs/opt05_multiblock/step.ii
}
