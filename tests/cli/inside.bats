#!/usr/bin/env bats
# make profile-STEP. Its tools are stand-ins that say what the real ones said
# (or are documented to say), in a small tree whose Makefile builds nothing; the last tests use the real ones.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    fixtures=$source_tree/tests/fixtures
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin
    mkdir -p "$tree/common/gpus" "$tree/labs/opt05_multiblock" "$tree/labs/opt06_other" "$bin"
    cp -r "$source_tree"/common/{build,problems,prelude.sh} "$tree/common"
    cp -r "$source_tree/desk" "$tree"
    cp "$source_tree"/common/gpus/h{1,2}00.gpu "$tree/common/gpus"
    printf 'counters: blocks >= 2 * multiprocessors\n' >"$tree/labs/opt05_multiblock/step.md"
    cp "$fixtures/inside-opt05.cu" "$tree/labs/opt05_multiblock/opt_2dhisto.cu"
    cat >"$tree/Makefile" <<END
build/gpu/%/driver:
	@mkdir -p \$(@D); touch \$@
build/cpu/%/driver-counted:
	@mkdir -p \$(@D); cp '$bin/driver-counted' \$@
build/cpu/%/step.cubin:
	@mkdir -p \$(@D); touch \$@; cp '$fixtures/inside-opt05.log' \$(@D)/cubin.log
build/inside build/code-file:
	@mkdir -p \$(@D); cp '$source_tree/'\$@ \$@
END
    make -s -C "$source_tree" build/{inside,code-file}
    fake nvcc 'printf "sm_%s\n" 75 80 90 120'
    fake nvidia-smi 'case $* in -L) echo GPU 0: NVIDIA H200 ;; *name*) echo NVIDIA H200 ;; *) echo 9.0 ;; esac'
    fake nvdisasm "cat '$fixtures/inside-opt05.sass'"
    fake ncu "echo \"\$*\" >>'$BATS_TEST_TMPDIR/called'; echo '==PROF== Connected'; printf '  histogram(const uint *) (264, 1, 1)x(1024, 1, 1), Context 1\\n    Section: GPU Speed Of Light Throughput\\n    Memory Throughput           %%        46.90\\n'"
    fake driver-counted "echo \"\$GPU \$*\" >>'$BATS_TEST_TMPDIR/called'; sed \"s/H200/\${GPU^^}/\" '$fixtures/inside-opt05.counts' >\"\$HISTOLAB_COUNTS\""
    PATH=$bin:$PATH
    cd "$tree" || return
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# inside EXPECTED-STATUS PROGRAM [ARGUMENT...]
inside() { run "$1" "desk/inside/$2" "${@:3}"; }

# The output has a line that a pattern of awk describes.
says() {
    awk -v pattern="$1" '$0 ~ pattern { found = 1 } END { exit !found }' <<<"$output" ||
        { printf 'not said: %s, but:\n%s\n' "$1" "$output"; return 1; }
}

one_line() {
    [ "${#lines[@]}" -eq 1 ] || { printf 'not one line: %s\n' "$output"; return 1; }
}

# ---- usage ---------------------------------------------------------------------------------------

@test "usage: what cannot be meant, in one line" {
    inside -2 profile && one_line
    says "which step. For example: make profile-opt05"
    inside -2 profile opt99 && one_line
    says "there is no step 'opt99'"
    inside -2 profile opt && one_line
    says "several steps begin with 'opt'"
    inside -2 profile opt05 --fast && one_line
    inside -2 profile opt05 --size && one_line
    inside -2 profile opt05 --arch sm_90 && one_line
    inside -2 profile common && one_line
    says 'there is no .cu file in common'
    inside -0 profile --help
    [[ ${lines[0]} == "Usage: desk/inside/profile STEP"* ]]
    says "Exit status: 0 "
}

@test "without a tool one line says where it comes from" {
    local few=$BATS_TEST_TMPDIR/few tool
    compgen -G "/usr/local/cuda/*/ncu" && skip "the real ncu is found in its usual place"
    mkdir "$few"
    for tool in bash grep nvcc nvidia-smi; do ln -s "$(command -v "$tool")" "$few"; done
    PATH=$few inside -3 profile opt05 && one_line
    says "^profile: ncu is missing: it .*make doctor says more$"
}

@test "a step that does not compile: what the compiler said" {
    printf 'build/%%:\n\t@echo "opt_2dhisto.cu(3): error: no" >&2; false\n' >Makefile
    inside -3 profile opt05
    says "error: no"
    says "labs/opt05_multiblock cannot be built: see above"
}

# ---- profile -------------------------------------------------------------------------------------

@test "profile: what Nsight Compute measures in the last call, of the size and input that were chosen, then what the emulator counts" {
    inside -0 profile opt05 --size 64x64 --input hot
    grep -q -e '--profile-from-start off .*driver 64x64 hot 2$' "$BATS_TEST_TMPDIR/called"
    [[ ${lines[0]} == '  histogram(const uint *)'* && $output != *==PROF==* ]]
    says '^    Memory Throughput +% +46.90$'
    says '^counted by the emulator, for an NVIDIA H200, '
    grep -qx 'h200 64x64 hot 2' "$BATS_TEST_TMPDIR/called"
    fake nvidia-smi 'case $* in -L) echo GPU 0: NVIDIA H100 ;; *) echo NVIDIA H100 ;; esac'
    inside -0 profile opt05
    says '^counted by the emulator, for an NVIDIA H100, '
}

@test "profile without a GPU: each kernel's figures, explained, what each line does, and a predicted time" {
    fake nvidia-smi 'exit 9'
    inside -0 profile opt05
    [ "${lines[0]}" = "counted by the emulator, for an NVIDIA H200, 4096 x 3984 elements" ]
    says '^histogram: 264 blocks of 1024 threads, 4096 bytes of shared memory a block$'
    says '^saturate: 1 block of 1024 threads, 0 bytes'
    says '^By line of opt_2dhisto.cu, the costliest first:$'
    says '^  line 15   const uint32_t value = image.i.;$'
    says '^  line 17   atomicAdd'
    says '^            shared atomics, 1[.]0 wavefronts a request, 3 % conflicts, 2[.]0 lanes$'
    [[ $output != *'local memory'* ]]
    says '^  memory: 65[.]3 MB read, 4096 bytes written'
    says '^    enough, but there are too few blocks'
    says '^  barriers: 2 a warp; '
    says '^            loads 4 bytes a lane, '
    says '^  predicted: [0-9.]+ us, limited by .*; not measured$'
    says '^predicted for an NVIDIA H200: [0-9.]+ us a call [(]90 %: [0-9.]+ to [0-9.]+[)], limited by'
    for line in "${lines[@]}"; do ((${#line} <= 80)) || { echo "too wide: $line"; return 1; }; done
    [[ ${lines[-2]} == "The step's idea is there, as far as its counters tell." && ${lines[-1]} == "What the words mean: guides/counters.md" ]]
    echo 'counters: threads <= 32' >labs/opt05_multiblock/step.md
    inside -0 profile opt05
    [ "${lines[-3]} ${lines[-2]}" = "The step's idea is missing: opt05 asks for at most 32 threads, but histogram has 1024 (line 40)." ]
}

@test "profile without a GPU: lanes that blocks of less than a warp leave idle are told beside the occupancy" {
    fake driver-counted "sed '/histogram(/ s/ 1024 / 1 /' '$fixtures/inside-opt05.counts' >\"\$HISTOLAB_COUNTS\""
    inside -0 profile opt05 --emulated
    says '^    of each warp.s 32 lanes 31 idle: use at least 32 threads a block$'
}

@test "profile without a GPU: of a kernel that a call launches several times the largest launch, and how many there are" {
    fake driver-counted "sed 's/ saturate(/ histogram(/' '$fixtures/inside-opt05.counts' >\"\$HISTOLAB_COUNTS\""
    inside -0 profile opt05 --emulated
    [ "$(grep -c '^histogram: ' <<<"$output")" -eq 1 ]
    says '^  launches: 2 of this kernel'
    # What a line does is summed over the launches.
    rm -r build
    fake driver-counted "sed 's/ saturate(/ histogram(/; s/^site 1 1 .*/site 1 1 26 0 load global 4 32 1024 896 896 0 0 32 1/' '$fixtures/inside-opt05.counts' >\"\$HISTOLAB_COUNTS\""
    inside -0 profile opt05 --emulated
    says '^            loads 4 bytes a lane, 16[.]0 sectors a request: not coalesced, 8[.]0 of'
    [[ $(grep '^  line' <<<"$output" | head -n 2) == "  line 17 "*$'\n'"  line 21 "* && $(grep -c '^  line 26 ' <<<"$output") == 2 ]]
}

@test "profile without a GPU: the prediction has the machine code where there are tools for it" {
    inside -0 profile opt05 --emulated
    grep -q '^kernel 12 4096 0 45 histogram$' build/cpu/labs/opt05_multiblock/code
}

@test "profile: --emulated counts without the GPU, GPU= chooses which" {
    GPU=h100 inside -0 profile opt05 --emulated --size small --input hot
    [[ ${lines[0]} == "counted by the emulator, for an NVIDIA H100, "* ]]
    grep -qx 'h100 small hot 2' "$BATS_TEST_TMPDIR/called"
    GPU=x9 inside -2 profile opt05 --emulated && one_line
    says "there is no GPU 'x9'; GPU= is one of: h100 h200"
}

@test "profile without a GPU: a wrong step is said to be wrong, and counts that are none" {
    fake driver-counted "echo 'driver: call 1 of 2 is wrong: bin 0: expected 2, got 4' >&2; cat '$fixtures/inside-opt05.counts' >\"\$HISTOLAB_COUNTS\""
    inside -0 profile opt05 --emulated
    [ "${lines[0]}" = "Note: call 1 of 2 is wrong: bin 0: expected 2, got 4" ]
    rm -r build
    fake driver-counted 'echo "driver: it crashed" >&2; exit 1'
    inside -3 profile opt05 --emulated && one_line
    says 'the emulator counted nothing: driver: it crashed'
}

@test "profile: a wrong step is said to be wrong" {
    fake ncu "echo 'driver: call 1 of 2 is wrong: bin 0: expected 2, got 4' >&2; echo '    Section: Occupancy'"
    inside -0 profile opt05
    [ "${lines[0]}" = "Note: call 1 of 2 is wrong: bin 0: expected 2, got 4" ]
}

@test "profile: counters that may not be read, no kernel, a tool that fails" {
    fake ncu 'echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"; exit 1'
    inside -3 profile opt05 && one_line
    says 'sudo make profile-opt05'
    fake ncu 'echo "==ERROR== Failed to find metric x"; exit 1'
    inside -3 profile opt05 && one_line
    says 'ncu measured nothing .*Failed to find metric x'
    fake ncu 'echo "==PROF== Connected"; echo "==WARNING== No kernels were profiled."'
    inside -3 profile opt05 && one_line
    says 'No kernels were profiled'
}

@test "what a compiler says: no control character reaches the terminal" {
    local odd='\\033]0;x\\a\\302\\233\\233\\342\\200\\256'
    printf 'build/%%:\n\t@printf "error: %s" >&2; false\n' "$odd" >Makefile
    inside -3 profile opt05
    says 'error: '
    echo "$output" >"$BATS_TEST_TMPDIR/said"
    "$source_tree/tests/controls.pl" "$BATS_TEST_TMPDIR/said"
}

# ---- the real tools, where they are -----------------------------------------------------------------

@test "the driver calls a step right, and says when one is wrong" {
    cd "$source_tree" || return
    make -s build-changes
    make -s -j2 build/cpu/labs/opt05_multiblock/driver build/cpu/build/changes/opt05_multiblock/no_reset/driver >/dev/null
    run -0 build/cpu/labs/opt05_multiblock/driver small - 2
    run -1 build/cpu/build/changes/opt05_multiblock/no_reset/driver 64x64 uniform 2 && one_line
    says '^driver: call 2 of 2 is wrong: bin 0: '
    for arguments in "small" "64 - 2" "64x64 nothing 2" "small - 0"; do
        # shellcheck disable=SC2086  # several arguments
        run -2 build/cpu/labs/opt05_multiblock/driver $arguments && one_line
    done
}
