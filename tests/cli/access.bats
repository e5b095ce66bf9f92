#!/usr/bin/env bats
# make access-STEP: what it draws of an access map, and what it says where there is none. The driver is a stand-in that
# leaves a map of ours; the last tests run steps and bugs on the emulator.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$BATS_TEST_TMPDIR/tree map=$BATS_TEST_TMPDIR/map
    mkdir -p "$tree/common/gpus" "$tree/labs/opt05_multiblock"
    cp -r "$source_tree"/common/{build,problems,prelude.sh} "$tree/common"
    cp -r "$source_tree/desk" "$tree"
    make -s -C "$source_tree" build/inside
    cp "$source_tree/tests/fixtures/inside-opt05.cu" "$tree/labs/opt05_multiblock/opt_2dhisto.cu"
    touch "$tree/common/gpus/h200.gpu"
    export LC_ALL=C
    cd "$tree" || return
    driver "cp '$map' \"\$HISTOLAB_ACCESS\""
}

# The step's driver is this script.
driver() {
    printf 'build/cpu/%%/driver-counted: made\n\t@mkdir -p $(@D); cp made $@\nbuild/inside:\n\t@mkdir -p $(@D); cp "%s" $@\n' "$source_tree/build/inside" >Makefile
    printf '#!%s\n%s\n' "$(command -v bash)" "$1" >made
    chmod +x made
}

# access EXPECTED-STATUS [ARGUMENT...]
access() { run "$1" desk/inside/access "${@:2}"; }

# The output has this line.
says() {
    grep -q -x -F -e "$1" <<<"$output" || { printf 'not said: %s, but:\n%s\n' "$1" "$output"; return 1; }
}

one_line() {
    [[ ${#lines[@]} -eq 1 && $output == *"$1"* ]] || { printf 'not one line with %s: %s\n' "$1" "$output"; return 1; }
}

# The map of a kernel whose thread t reads in its request k the element that this expression of awk gives, of 4 * W bytes;
# LINES are added.
draw() {
    awk -v lines="$2" -v W="${3:-1}" 'BEGIN {
        print "histolab-access 1\ncall 4 200 3200 1024\nop 0 2 64 histogram"
        for (w = 0; w < 2; w++)
            for (k = 0; k < 2; k++) {
                line = "r 0 0 " w " 16 load input " 4 * W " " k + 1 " ffffffff"
                for (t = 32 * w; t < 32 * w + 32; t++) {
                    e = '"$1"'
                    line = line " " 4 * e
                    for (i = 0; i < W; i++)
                        if (e + i < 64 || e + i >= 200 && e + i < 264)
                            print "reader", e + i, 0, 0, t, k + 1, 16, 1
                }
                print line
            }
        print lines
    }' >"$map"
    access -0 opt05
}

@test "access: neighbouring threads read neighbouring elements: coalesced" {
    draw 't + 128 * k' $'total 0 16 load input 4 25 800 100\nreads 0 799 1'
    [ "${lines[0]}" = "opt05_multiblock: which thread reads which element" ]
    says 'The input: 4 x 200 elements of 4 bytes'
    says 'histogram: 2 blocks of 64 threads'
    says 'element   0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15'
    says 'thread    0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15'
    says 'request   1   1   1   1   1   1   1   1   1   1   1   1   1   1   1   1'
    says 'thread   16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31'
    says '    0    0    1   16  0-31                           4  100%  ####'
    says '    0    1    2   16  160-191                        4  100%  ####'
    says 'Line 16 reads the input, 4.0 sectors a request: coalesced'
    says 'Each of the 800 elements is read exactly once.'
    run ! grep -q 'The whole input' <<<"$output"
}

@test "access: each thread has a stretch of its own: a sector for each lane" {
    draw '13 * t + k' $'total 0 16 load input 4 26 800 800\nreads 0 799 1'
    says 'thread    0   0   -   -   -   -   -   -   -   -   -   -   -   1   1   -'
    says 'request   1   2   -   -   -   -   -   -   -   -   -   -   -   1   2   -'
    says '    0    0    1   16  0 13 .. 403                   32   12%  ................'..
    says 'Line 16 reads the input, 30.8 sectors a request: uncoalesced, one for each lane'
}

@test "access: wide loads, every other element, misaligned ones, one lane, all lanes at one place" {
    draw '4 * t' $'total 0 16 load input 16 7 200 100\nreads 0 799 1' 4
    says 'thread    0   0   0   0   1   1   1   1   2   2   2   2   3   3   3   3'
    says '    0    0    1   16  0-127, 4 a lane               16  100%  ################'
    says 'Line 16 reads the input, 14.3 sectors a request: coalesced'
    draw '2 * t' $'total 0 16 load input 4 10 320 80\nreads 0 799 1'
    says '    0    0    1   16  0 2 .. 62                      8   50%  ++++++++'
    says 'Line 16 reads the input, 8.0 sectors a request: partly coalesced: 4.0 would be enough'
    draw 't + 1' $'total 0 16 load input 4 10 320 50\nreads 0 799 1'
    says '    0    0    1   16  1-32                           5   80%  +###.'
    says 'Line 16 reads the input, 5.0 sectors a request: coalesced, but misaligned'
    draw '7' $'total 0 16 load input 4 10 320 10\nreads 0 799 1'
    says '    0    0    1   16  7, all lanes                   1   12%  .'
    says 'Line 16 reads the input, 1.0 sector a request: coalesced'
    draw 't' $'total 0 16 load input 4 800 800 800\nr 0 1 0 16 load input 4 1 1 12\nreads 0 799 1'
    says '    1    0    1   16  3                              1   12%  .'
    says 'Line 16 reads the input, 1.0 sector a request: a single lane takes part'
}

@test "access: missed and repeated elements are counted, named, and shown where they lie" {
    draw 't' $'reads 0 198 1\nreads 199 199 0\nreads 200 398 1\nreads 399 399 0\nreads 400 599 1\nreads 600 602 2\nreads 603 799 1'
    says 'Missed: 2 of 800 elements are read by no thread.'
    says 'The first (row, column): (0, 199) (1, 199)'
    says 'Repeated: 3 elements are read more than once.'
    says 'The first (row, column): (3, 0) (3, 1) (3, 2)'
    [ "$(tail -n 4 <<<"$output")" = "...............................................................x
...............................................................x
................................................................
2..............................................................." ]
}

@test "access: an input of one row; none is read; too much to tell" {
    printf '%s\n' 'histolab-access 1' 'call 100 1 100 4' 'op 0 1 32 k' 'reader 0 0 0 5 1 9 2' 'reads 0 9 2' 'reads 10 99 1' >"$map"
    access -0 opt05
    says 'The input: 100 elements of 1 byte'
    says 'The first: 0 1 2 3 4 ..'
    says 'times     2   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0'
    says '222222..........................................................'
    printf '%s\n' 'histolab-access 1' 'call 100 1 100 4' 'op 0 1 32 k' 'reads 0 99 0' >"$map"
    access -0 opt05
    says 'No thread reads the input.'
    printf '%s\n' 'histolab-access 1' 'call 100 1 100 4' 'op 0 1 32 k' 'reads 0 49 1' 'cut 50' >"$map"
    access -0 opt05
    says 'Each of the 50 elements is read exactly once.'
    says 'This covers only the elements before 50, because the whole map would be too long. A smaller SIZE shows all.'
}

@test "access: 80 columns; UTF-8 where the locale has it; no control character; no colour in a pipe" {
    draw '61 * t' $'op 1 1 1024 sat\001urate<\302\233>\ntotal 0 16 load input 4 26 800 800\nreads 0 798 1\nreads 799 799 0\ntotal 0 16'
    awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' <<<"$output"
    echo "$output" >"$BATS_TEST_TMPDIR/said"
    "$source_tree/tests/controls.pl" "$BATS_TEST_TMPDIR/said"
    LC_ALL=C.UTF-8 access -0 opt05
    grep -q '12%  ░░░░' <<<"$output"
}

@test "access: of many launches the first ones are listed" {
    draw 't' "$(for i in 1 2 3 4 5 6 7 8; do echo "op $i 1 32 again"; done; for i in {1..40}; do echo "r 0 1 0 $i load input 4 1 1 12"; done)"
    [ "$(grep -c '^again: 1 block of 32 threads$' <<<"$output")" -eq 4 ]
    says '.. 4 launches more'
    [ "$(grep -c '^    1    0' <<<"$output")" -eq 20 ]
}

@test "access: a wrong answer is drawn and said" {
    printf '%s\n' 'histolab-access 1' 'call 2 2 16 4' 'op 0 1 32 k' 'reads 0 3 1' >"$map"
    driver "cp '$map' \"\$HISTOLAB_ACCESS\"; echo 'driver: call 1 of 2 is wrong: bin 0: expected 2, got 4' >&2; exit 1"
    access -0 opt05
    says 'The answer is wrong: call 1 of 2 is wrong: bin 0: expected 2, got 4'
}

@test "access: what cannot be drawn is said in words" {
    driver 'kill -SEGV $$'
    access -1 opt05
    one_line 'access: labs/opt05_multiblock crashed (signal 11): nothing to draw; make opt05 says where'
    access -1 labs/opt05_multiblock/
    one_line 'desk/try labs/opt05_multiblock/ says where'
    driver 'echo "driver: opt_2dhisto.cu:9: cudaMalloc: out of memory" >&2; exit 3'
    access -1 opt05
    says 'opt_2dhisto.cu:9: cudaMalloc: out of memory'
    says 'access: labs/opt05_multiblock failed: nothing to draw; make opt05 says more'
    driver 'exit 124'
    access -1 opt05
    one_line 'did not end within'
    driver 'echo histolab-access 1 >"$HISTOLAB_ACCESS"'
    access -1 opt05
    one_line 'launched no kernel: nothing to draw'
    driver 'echo "driver: there is no input hott" >&2; exit 2'
    access -2 opt05 --input hott
    one_line 'access: there is no input hott'
    rm -r build
    printf 'build/%%:\n\t@echo "opt_2dhisto.cu(3): error: no" >&2; false\n' >Makefile
    access -3 opt05
    says 'opt_2dhisto.cu(3): error: no'
    says 'access: labs/opt05_multiblock cannot be built: see above'
}

@test "access: wrong usage, in one line" {
    access -2
    one_line 'which step? For example: make access-opt05'
    access -2 opt99
    one_line "there is no step 'opt99'"
    access -2 opt05 --emulated
    one_line "unknown option '--emulated'"
    GPU=none access -2 opt05
    one_line "there is no GPU 'none'"
    access -0 --help
    [[ ${lines[0]} == "Usage: desk/inside/access STEP"* ]]
}

@test "access: size and input reach the driver, which makes two calls" {
    driver "echo \"\$*\" >'$BATS_TEST_TMPDIR/called'; exit 2"
    access -2 opt05 --size 9x9 --input hot
    [ "$(<"$BATS_TEST_TMPDIR/called")" = "9x9 hot 2" ]
    access -2 opt05
    [ "$(<"$BATS_TEST_TMPDIR/called")" = "small - 2" ]
}

@test "access: a small input says which size shows more" {
    draw 't' $'op 1 300 1024 big\nreads 0 799 1'
    says 'Most threads have little to read in such a small input: SIZE=2401x1021 shows more.'
    draw 't' 'reads 0 799 1'
    [[ $output != *SIZE=* ]]
    draw 't' $'op 1 13 64 as_large_as_the_input\nreads 0 799 1'
    [[ $output != *SIZE=* ]]
}

# ---- on the emulator -------------------------------------------------------------------------------

@test "access, on the emulator: opt02's stretches, opt05's neighbours, and every turn of a large grid" {
    cd "$source_tree" || return
    make -s -j2 build/cpu/labs/{opt02_one_block,opt05_multiblock,sum02_pairwise}/driver-counted >/dev/null
    run -0 make -s access-opt02 SIZE=16x1024
    says 'thread    0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0'
    says 'request   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16'
    says '    0    0    1   13  0 16 .. 496                   32   12%  ................'..
    says 'Line 13 reads the input, 32.0 sectors a request: uncoalesced, one for each lane'
    says 'Each of the 16384 elements is read exactly once.'
    run -0 make -s access-opt05 SIZE=600x1024
    says '    0    0    2   16  270336-270367                  4  100%  ####'
    says '    1    0    3   16  541696-541727                  4  100%  ####'
    says 'Line 16 reads the input, 4.0 sectors a request: coalesced'
    says 'Each of the 614400 elements is read exactly once.'
    # More than 4096 blocks, of which the counts are a sample: the map is of all.
    run -0 make -s access-sum02 SIZE=3000000
    says 'Each of the 3000000 elements is read exactly once.'
}

@test "access, on the emulator: bugs whose pixels are missed or repeated, and one that crashes" {
    cd "$source_tree" || return
    make -s build-changes
    make -s -j2 build/cpu/build/changes/opt05_multiblock/{last_row_missed,first_pixel_twice,null_pointer_in_kernel}/driver-counted >/dev/null
    run -0 desk/inside/access build/changes/opt05_multiblock/last_row_missed
    says 'Missed: 1301 of 61147 elements are read by no thread.'
    says 'The first (row, column): (46, 0) (46, 1) (46, 2) (46, 3) (46, 4) ..'
    grep -q '^The answer is wrong: call 1 of 2 is wrong: bin ' <<<"$output"
    run -0 desk/inside/access build/changes/opt05_multiblock/first_pixel_twice --size 3x5
    says 'Repeated: 1 element is read more than once.'
    says 'The first (row, column): (0, 0)'
    run -1 desk/inside/access build/changes/opt05_multiblock/null_pointer_in_kernel
    one_line 'crashed (signal 11): nothing to draw'
}
