#!/usr/bin/env bats
# common/build/code: the code file of a step. nvcc and nvdisasm are stand-ins; the last test uses the real ones.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    fixtures=$source_tree/tests/fixtures
    tree=$BATS_TEST_TMPDIR/tree bin=$BATS_TEST_TMPDIR/bin out=$BATS_TEST_TMPDIR/out
    mkdir -p "$tree"/{common/gpus,labs/opt05_multiblock,build} "$bin"
    cp -r "$source_tree"/common/{build,prelude.sh} "$tree/common"
    cp "$fixtures/inside-opt05.cu" "$tree/labs/opt05_multiblock/opt_2dhisto.cu"
    cp "$fixtures/inside-opt05.log" "$BATS_TEST_TMPDIR/log"
    cat >"$tree/Makefile" <<END
build/cpu/%/step.cubin:
	@mkdir -p \$(@D); touch \$@; cp '$BATS_TEST_TMPDIR/log' \$(@D)/cubin.log
END
    make -s -C "$source_tree" build/code-file
    cp "$source_tree/build/code-file" "$tree/build"
    fake nvcc 'printf "sm_%s\n" 75 80 90 120'
    fake nvdisasm "echo >>'$BATS_TEST_TMPDIR/called'; cat '$fixtures/code-opt05.sass'"
    PATH=$bin:$PATH
    cd "$tree" || return
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# The code file, without its first line, of a kernel whose instructions, labels and places stand on standard input.
code_of() {
    echo "ptxas info    : Compiling entry function '_Z1kPi' for 'sm_90'
ptxas info    : Function properties for _Z1kPi
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 8 bytes cumulative stack size, 128 bytes smem" >"$BATS_TEST_TMPDIR/log"
    {
        echo '.text._Z1kPi:'
        awk '/^[.]L|##|^ / { print; next } { printf "        /*%04x*/                   %s ;\n", 16 * n++, $0 }'
    } >"$BATS_TEST_TMPDIR/sass"
    fake nvdisasm "cat '$BATS_TEST_TMPDIR/sass'"
    rm -rf build/cpu/labs/*/sm_*
    common/build/code "$out" labs/opt05_multiblock && sed 1d "$out"
}

# The code file on standard input is this, apart from the lines that describe the kernel and its units.
is() {
    local got
    got=$(sed '1d; /^[pn] /d')
    [ "$got" = "$1" ] || { printf 'expected:\n%s\ngot:\n%s\n' "$1" "$got"; return 1; }
}

# gives STATUS WORDS ARGUMENT...: it ends with that status, and one line with these words.
gives() {
    run "-$1" common/build/code "${@:3}"
    [[ ${#lines[@]} -eq 1 && $output == *"$2"* ]] || { echo "status $status: $output"; return 1; }
}

@test "code: each memory instruction with line, place and first use; loops" {
    run -0 common/build/code "$out" labs/opt05_multiblock
    [ -z "$output" ]
    diff "$out" - <<'END'
histolab-code 1 sm_90
kernel 10 0 0 15 saturate
m 9 26 load global 4 12
m 13 26 store global 1 -1
p c.uucciuimaaamb
n 24 1 25 2 26 1 25 1 26 1 25 2 26 6 27 1
kernel 12 4096 0 45 histogram
m 13 11 store shared 4 -1
m 25 15 load global 4 31
m 32 16 load shared 4 33
m 35 17 increment shared 4 -1
loop 23 37 1
m 41 21 load shared 4 43
m 43 21 reduce global 4 -1
p c.uuu.uuyuuaimBaaubciiiaamayiaaamabmybyBcmimb
n 6 1 7 1 11 2 14 1 7 1 14 1 15 2 11 1 7 1 11 1 7 1 11 1 12 1 14 4 8 1 12 2 8 1 15 3 14 5 16 4 17 2 14 2 20 1 21 4 22 1
END
}

@test "code: kinds, spaces, widths; what is none" {
    code_of <<'END' | is 'm 0 0 load global 16 -1
m 1 0 load global 2 -1
m 2 0 store global 8 -1
m 3 0 atomic global 4 12
m 4 0 reduce-f64 global 8 -1
m 5 0 atomic-compare shared 4 8
m 6 0 load local 4 -1
m 7 0 store local 16 -1
m 8 0 load global 16 13
m 8 0 store shared 16 -1
m 10 0 store global 4 -1
m 16 0 load-l2 global 4 -1'
LDG.E.EF.128.CONSTANT R8, desc[UR6][R8.64]
LD.E.S16 R20, [R4.64]
STG.E.64 desc[UR6][R2.64], R16
ATOMG.E.ADD.STRONG.GPU PT, R2, desc[UR4][R2.64], R5
RED.E.ADD.F64.RN.STRONG.GPU desc[UR4][R4.64], R6
ATOMS.CAS R5, [R6], R4, R5
LDL R3, [R1]
STL.128 [R1], R12
LDGSTS.E.BYPASS.128 [R6], desc[UR4][R4.64]
@!PT LDS RZ, [RZ]
ST.E [R6.64], R1
ISETP.EQ.AND P0, PT, R5, R4, PT
IADD3 R7, R2, R4, RZ
DEPBAR.LE SB0, 0x0
LDC.64 R2, c[0x0][0x210]
ULDC UR4, c[0x0][0x0]
LDG.E.STRONG.SYS R12, desc[UR4][R6.64]
EXIT
END
}

@test "code: the first use reads any register of a wide load; a new value of all of them ends the search" {
    code_of <<'END' | is 'm 0 0 load global 16 5
m 1 0 load global 8 4
m 2 0 load shared 4 -1
m 3 0 load shared 4 6
m 5 0 store global 16 -1
m 7 0 load shared 4 -1'
LDG.E.128 R8, desc[UR6][R2.64]
LDG.E.64 R4, desc[UR6][R2.64]
LDS R20, [R2]
LDS R21, [R2+0x4]
@P0 IADD3 R30, R5.reuse, R30, RZ
STG.E.128 desc[UR6][R2.64], R8
IADD3 R20, P1, R21, UR20, RZ
@P0 LDS R21, [R2]
IADD3 R22, R20, RZ, RZ
EXIT
END
    # A predicated write may leave the old value.
    code_of <<'END' | is 'm 0 0 load shared 4 2
m 1 0 load shared 4 2'
LDS R20, [R2]
@P0 LDS R20, [R2+0x4]
IADD3 R22, R20, RZ, RZ
EXIT
END
}

@test "code: the search follows branches: a loop's next turn, forward, out of a divergent part" {
    code_of <<'END' | is 'm 2 0 load global 4 1
loop 1 4 1
m 6 0 load shared 4 13
m 9 0 load shared 4 12'
MOV R5, RZ
.L_x_0:
IADD3 R6, R5, R6, RZ
LDG.E R5, desc[UR6][R2.64]
IADD3 R2, R2, 0x1, RZ
@P0 BRA `(.L_x_0)
BSSY B0, `(.L_x_2)
LDS R7, [R2]
@P1 BRA `(.L_x_1)
BRA `(.L_x_2)
.L_x_1:
LDS R8, [R2]
BSYNC B0
IADD3 R7, R8, R7, RZ
.L_x_2:
IADD3 R8, R8, RZ, RZ
IADD3 R7, R7, RZ, RZ
EXIT
END
}

@test "code: a loop's step is a number that is added to a register, not a sum of registers" {
    code_of <<'END' | is 'loop 0 3 4'
.L_x_0:
IMAD.IADD R3, R3, 0x1, R12
IADD3 R4, R4, 0x1, R12
IMAD.IADD R5, R5, 0x1, 0x4
@P0 BRA `(.L_x_0)
EXIT
END
}

@test "code: cold code behind the end that branches back is no loop" {
    code_of <<'END' | is 'loop 0 2 1'
.L_x_0:
IADD3 R2, R2, 0x1, RZ
@P1 BRA `(.L_x_9)
.L_x_8:
@P0 BRA `(.L_x_0)
EXIT
.L_x_9:
MOV R3, RZ
BRA `(.L_x_8)
.L_x_10:
BRA `(.L_x_10)
NOP
END
}

@test "code: an inlined instruction has the innermost line of the step's own file" {
    code_of <<'END' | is 'm 0 18 reduce global 4 -1
m 1 0 load global 4 -1
m 2 7 load shared 4 -1'
	//## File "/cuda/include/device_atomic_functions.hpp", line 112 inlined at "/x/opt_2dhisto.cu", line 18
	//## File "/x/opt_2dhisto.cu", line 18 inlined at "/x/opt_2dhisto.cu", line 40
	//## File "/x/opt_2dhisto.cu", line 40
REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R9
	//## File "/cuda/include/cub.cuh", line 3
LDG.E R9, desc[UR6][R2.64]
	//## File "/x/help.cuh", line 7 inlined at "/cuda/include/cub.cuh", line 3
	//## File "/cuda/include/cub.cuh", line 3
LDS R9, [R2]
EXIT
END
}

@test "code: the unit of each instruction" {
    code_of <<'END' | grep '^p' | diff - <(echo 'p aaaaiiifdqqwvwyyuummmcls.Bb')
IADD3 R2, R2, 0x1, RZ
LOP3.LUT R2, R2, 0xff, RZ, 0xc0, !PT
SHF.R.U32.HI R2, RZ, 0x8, R2
FSETP.GT.AND P0, PT, R2, R3, PT
VIADD R2, R2, 0x1
IMAD.WIDE R2, R2, R3, R4
IMAD.MOV.U32 R2, RZ, RZ, R3
FFMA R2, R2, R3, R4
DADD R2, R2, R4
POPC R2, R2
I2F R2, R2
SHFL.DOWN PT, R2, R2, 0x1, 0x1f
VOTE.ANY R2, PT, P0
REDUX.SUM UR4, R2
BSSY B0, `(.L_x_0)
BSYNC B0
UIADD3 UR4, UR4, 0x1, URZ
S2UR UR4, SR_CTAID.X
LDG.E R2, desc[UR6][R2.64]
ATOMS.ADD R2, [R3], R4
STS [R3], R2
LDC R2, c[0x0][0x0]
LDL R2, [R1]
STL [R1], R2
S2R R2, SR_TID.X
BAR.SYNC.DEFER_BLOCKING 0x0
.L_x_0:
EXIT
END
}

@test "code: when a warp goes on after each instruction, from compute capability 7.0 on" {
    code_of <<'END' | grep '^w' | diff - <(echo "w 15")
IADD3 R1, R1, R1, RZ
                                     /* 0x000fe20000000a00 */
EXIT
                                     /* 0x000fea0003800000 */
END
    built=build/cpu/labs/opt05_multiblock/sm_90
    build/code-file sm_60 opt_2dhisto.cu $built/{names,cubin.log,inlined} | run -1 grep '^w'
}

@test "code: what counts bits comes after 17 cycles, where it is used" {
    {
        for instruction in 'POPC R2, R2' 'IADD3 R3, R3, R3, RZ' 'POPC R4, R4' 'IADD3 R5, R2, R4, RZ' 'POPC R2, R2' EXIT; do
            printf '%s\n                                     /* 0x000fe20000000a00 */\n' "$instruction"
        done
    } | code_of | grep '^w' | diff - <(echo "w 11f111")
}

@test "code: what a division calls in rare cases hardly ever runs; what leads there does" {
    code_of <<'END' | grep '^p' | diff - <(echo "p db-dbb-db")
DFMA R2, R2, R4, R6
@P0 BRA `(.L_x_0)
CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_rn_f64_full)
.L_x_0:
DADD R2, R2, R4
@P0 BRA `(.L_x_1)
@P1 BRA `(.L_x_1)
CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_rn_f64_full)
.L_x_1:
DADD R2, R2, R4
EXIT
END
}

@test "code: what sinf does for large arguments alone hardly ever runs, also where an instruction of another line was moved there" {
    local place='	//## File "/x/opt_2dhisto.cu", line' store
    for store in 'STL [R9], R8' 'IADD3 R8, R8, R2, RZ'; do # without one it is a loop of the step's own that reads constants
        {
            printf '%s\n' "$place 5" '@!P0 BRA `(.L_x_1)' '.L_x_0:' 'LDG.E.CONSTANT R8, desc[UR6][R10.64]' "$store"
            yes 'IADD3 R2, R2, 0x1, RZ' | head -n 14
            printf '%s\n' "$place 4" 'MOV R3, RZ' "$place 5" '@P1 BRA `(.L_x_0)' .L_x_1: 'FADD R2, R2, R3' EXIT
        } | code_of | grep '^p'
    done | diff - <(printf '%s\n' 'p b------------------fb' 'p bmaaaaaaaaaaaaaaaabfb')
}

@test "code: an index is divided in 32 bits, what is divided in a loop in 64" {
    code_of <<'END' | grep '^p' | diff - <(echo 'p b--ddbbbdb')
@!P0 BRA `(.L_x_0)
CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64)
BRA `(.L_x_1)
.L_x_0:
DADD R2, R2, R4
.L_x_1:
DADD R2, R2, R4
@!P0 BRA `(.L_x_2)
CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64)
BRA `(.L_x_1)
.L_x_2:
DADD R2, R2, R4
EXIT
END
}

@test "code: the kernel's line: registers, shared and local memory, instructions, name" {
    [ "$(code_of <<<$'EXIT\n.L_x_0:\nBRA `(.L_x_0)\nNOP')" = $'kernel 40 128 8 1 k\np b\nn 0 1' ]
    sed -i 's/_Z1kPi/_ZN1a1kILi4EEEvPFivE/' "$BATS_TEST_TMPDIR"/{log,sass} # void a::k<4>(int (*)())
    rm -r build/cpu/labs/*/sm_*
    run -0 common/build/code "$out" labs/opt05_multiblock
    grep -q '^kernel 40 128 8 1 a::k<4>$' "$out"
}

@test "code: it is for the architecture asked for, or the named GPU's; made again only if something changed" {
    run -0 common/build/code "$out" labs/opt05_multiblock sm_80
    grep -q '^histolab-code 1 sm_80$' "$out"
    echo 'compute_capability 12.0' >common/gpus/new.gpu
    run -0 env GPU=new common/build/code "$out.new" labs/opt05_multiblock
    grep -q '^histolab-code 1 sm_120$' "$out.new"
    run -0 env GPU=new common/build/code "$out.new" labs/opt05_multiblock
    [ "$(wc -l <"$BATS_TEST_TMPDIR/called")" -eq 2 ]
}

@test "code: without a tool, and for an architecture that nvcc does not know, a status of its own" {
    local few=$BATS_TEST_TMPDIR/few
    mkdir "$few"
    ln -s "$(command -v bash)" "$few"
    [ -x /usr/local/cuda/bin/nvcc ] ||
        PATH=$few HOME=/none gives 4 'nvcc is missing: no machine code' "$out" labs/opt05_multiblock
    printf 'build/%%:\n\t@echo "nvcc fatal: Unsupported gpu architecture" >&2; false\n' >Makefile
    gives 4 'nvcc does not compile for sm_30' "$out" labs/opt05_multiblock sm_30
    [ ! -e "$out" ]
}

@test "code: wrong usage; a step that does not compile" {
    gives 2 'OUTPUT and STEP-DIRECTORY' "$out"
    gives 2 "there is no step's directory 'labs/none'" "$out" labs/none
    printf 'build/%%:\n\t@echo "opt_2dhisto.cu(3): error: no" >&2; false\n' >Makefile
    run -1 common/build/code "$out" labs/opt05_multiblock sm_90
    [[ $output == *'error: no'*'does not compile for sm_90'* ]]
}

@test "code: nvdisasm is found where PyPI's wheel installs it" {
    local wheel=$BATS_TEST_TMPDIR/venv/lib/python3.12/site-packages/nvidia/cu13/bin
    mkdir -p "$wheel"
    mv "$bin/nvdisasm" "$wheel"
    run -0 env PATH="$bin:/usr/bin:/bin" VIRTUAL_ENV="$BATS_TEST_TMPDIR/venv" common/build/code "$out" labs/opt05_multiblock
    [ -s "$out" ]
}

@test "code, from nvcc and nvdisasm: opt14 has loads of 16 bytes in a loop, and an atomic that is waited for" {
    rm "$bin"/*
    hash -r
    cd "$source_tree" || return
    run common/build/code "$out" labs/opt14_one_launch sm_90
    ((status != 4)) || skip "$output"
    [ "$status" -eq 0 ]
    grep -q '^kernel [0-9]* 4100 0 [0-9]* histogram$' "$out"
    [ "$(grep -c '^m [0-9]* [1-9][0-9]* load global 16 [1-9]' "$out")" -ge 4 ]
    grep -q '^m [0-9]* 25 atomic global 4 [1-9]' "$out"
    grep -q '^loop ' "$out"
    grep -q '^w [0-9a-f]*$' "$out"
}
