#!/usr/bin/env bats
# make access-STEP: which thread reads which element, on the emulator; and what it says where it can show nothing.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() { cd "$BATS_TEST_DIRNAME/../.." || return; }

# The output has this line.
says() {
    grep -q -x -F -e "$1" <<<"$output" || { printf 'not said: %s, but:\n%s\n' "$1" "$output"; return 1; }
}

one_line() {
    [[ ${#lines[@]} -eq 1 && $output == *"$1"* ]] || { printf 'not one line with %s: %s\n' "$1" "$output"; return 1; }
}

@test "access, on the emulator: opt02's stretches, opt05's neighbours, and the first times alone" {
    make -s -j2 build/cpu/labs/{opt02_one_block,opt05_multiblock}/driver-counted >/dev/null
    run -0 make -s access-opt02 SIZE=16x1024
    says 'histogram<<<1, 1024>>>'
    says 'line 13 reads the input: 4 B a thread; sectors of 32 B: 32, needed: 4'
    says '  threads  0 to  7:      0     16     32     48     64     80     96    112'
    says 'line 13 reads the input again: 4 B a thread; sectors of 32 B: 32, needed: 4'
    says '  threads 24 to 31:    385    401    417    433    449    465    481    497'
    [ "$(grep -c 'line 13 ' <<<"$output")" = 2 ]
    says 'saturate<<<1, 1024>>>'
    says 'line 23 writes the output: 1 B a thread; sectors of 32 B: 1, needed: 1'
    run -0 make -s access-opt05 SIZE=600x1024
    says 'line 16 reads the input again: 4 B a thread; sectors of 32 B: 4, needed: 4'
    says '  threads  0 to  7: 270336 270337 270338 270339 270340 270341 270342 270343'
}

@test "access, on the emulator: lanes that take no part, a wrong answer, and a crash" {
    make -s build-changes
    make -s -j2 build/cpu/build/changes/opt05_multiblock/{last_row_missed,null_pointer_in_kernel}/driver-counted >/dev/null
    run -0 desk/inside/access build/changes/opt05_multiblock/last_row_missed --size 2x5
    says '  threads  0 to  7:      0      1      2      3      4      -      -      -'
    grep -q '^The answer is wrong: call 1 of 2 is wrong: bin ' <<<"$output"
    run -1 desk/inside/access build/changes/opt05_multiblock/null_pointer_in_kernel
    one_line 'crashed, or did not end within 60 s'
}

@test "access: wrong usage, in one line" {
    run -2 desk/inside/access
    one_line 'which step? For example: make access-opt05'
    run -2 desk/inside/access opt99
    one_line "there is no step 'opt99'"
    run -2 desk/inside/access opt05 --emulated
    one_line "unknown option '--emulated'"
    run -2 desk/inside/access opt05 --size 9y9
    one_line 'a size is graded, small or ROWSxCOLUMNS, not 9y9'
    GPU=none run -2 desk/inside/access opt05
    one_line "there is no GPU 'none'"
}
