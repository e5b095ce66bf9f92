#!/usr/bin/env bats
# What users type at make and grade.sh. Everything happens in a copy of the tree, which shares what has
# been built already; steps are graded on the cpu device.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load tree

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree step5=labs/opt05_multiblock
    copy_tree "$tree" 'opt05_*'
    with_one_block "$tree"
    cd "$tree" || return
    unset CC CXX NO_COLOR
    # Gradings that several tests look at: of a step that passes, at the size that is usual, with charts; and of steps that mostly do not.
    export first=$BATS_FILE_TMPDIR/first mixed=$BATS_FILE_TMPDIR/mixed
    grading --steps 'opt05*' --out "$first"
    without_charts .
    add_mixed_steps
    grading --timeout 5 --size 64x64 --steps 'opt5*' --jobs 2 --out "$mixed"
    # For the tests of signals.
    add_step opt70_hang '1i #include <unistd.h>
        s/^    histogram<<</    pause();\n&/'
    added=()
}

# grading OPTION... --out FOLDER: what it printed, and how it ended, stands beside the folder.
grading() {
    ./grade.sh --device cpu --no-count "$@" >"${*: -1}.printed" 2>&1 && echo 0 >"${*: -1}.status" || echo "$?" >"${*: -1}.status"
}

# opt55_odd prints, and has a header beside it with a blank in its name, accents, CRLF and a byte order mark.
add_mixed_steps() {
    add_step opt50_no_semicolon 's/static int blocks;/static int blocks/'
    add_step opt51_crash 's/^    histogram<<</    *(volatile int *)0 = 1;\n&/'
    add_step opt52_wrong 's/height \* width, scratch/height * width \/ 2, scratch/'
    add_step opt53_hang '1i #include <unistd.h>
        s/^    histogram<<</    for (;;)\n        pause();\n&/' # without computing: what computes without end is for tests/changes
    add_step opt54_no_teardown '/_teardown/d'
    add_step opt55_odd 's/#include "lab.h"/&\n#include "my hälper.cuh"\n#include <stdio.h>/; s/^    histogram<<</    puts("Test PASSED \\"}");\n&/'
    printf '\357\273\277// <<<\r\n__device__ inline int hälper() { return 1; }' >"labs/opt55_odd/my hälper.cuh"
    sed -i 's/, 1)/, hälper())/; s/$/\r/; 1s/^/\xef\xbb\xbf/' labs/opt55_odd/opt_2dhisto.cu
}

setup() {
    cd "$tree" || return
    out=$BATS_TEST_TMPDIR/out
    unset CC CXX NO_COLOR
}

# A quick grading: grade OPTION...
grade() {
    ./grade.sh --device cpu --no-count --out "$out" "$@"
}

# A step that a test adds, as a copy of opt05 changed by a sed script: add_step NAME SCRIPT.
add_step() {
    cp -r "$step5" "labs/$1"
    sed -i "$2" "labs/$1/opt_2dhisto.cu"
    added+=("labs/$1" "build/cpu/labs/$1")
}

teardown() {
    rm -rf "${added[@]}"
    [ -z "$grading" ] || kill -KILL -- "-$grading" 2>/dev/null || true
}

one_line() {
    [ "${#lines[@]}" -eq 1 ] || { printf 'not one line: %s\n' "$output"; return 1; }
}

# ---- make --------------------------------------------------------------------------------------

@test "make alone lists what there is, without building" {
    run -0 make
    for goal in grade ladder doctor watch-opt05 opt05; do
        [[ $output == *"make $goal "* ]]
    done
    [[ $output != *": command not found"* ]]
}

@test "make with a goal that is neither says so" {
    run -2 make opt99
    [[ $output == *"opt99"* ]]
}

@test "make deps grade where gnuplot cannot be had: steps are graded, and what draws the charts elsewhere is said once" {
    local bin=$BATS_TEST_TMPDIR/bin place
    mkdir "$bin"
    IFS=: read -ra places <<<"$PATH"
    for place in "${places[@]}"; do [[ ! -d $place ]] || cp -sn "$place"/* "$bin" 2>/dev/null || :; done
    rm -f "$bin"/{gnuplot,nvidia-smi,sudo,apt-get}
    printf '#!/bin/sh\nexit 100\n' | tee "$bin/sudo" >"$bin/apt-get"
    chmod +x "$bin"/{sudo,apt-get}
    # shellcheck disable=SC2154  # tree.bash sets it
    cp "$source_tree/report/index" report/index
    sed -i "s/settings=()/settings=('size 61x1021')/" grade.sh
    COUNT=no PATH=$bin run -0 make deps grade STEPS=opt05
    cp -p "$source_tree/grade.sh" .
    without_charts .
    [[ $output == *'not needed to grade: gnuplot-nox (for charts)'*'opt05_multiblock '*'pass'*'Records and table are in results/.' ]]
    [ "$(grep -c 'make plots' <<<"$output")" -eq 1 ]
    rm -r results
}

# ---- usage -------------------------------------------------------------------------------------

@test "--help names every option and every exit status" {
    run -0 ./grade.sh --help
    for option in device steps iterations input image seed budget timeout jobs out; do
        [[ $output == *"--$option "* ]]
    done
    [[ $output == *"0 every step passed, 1 some did not, 2 wrong usage, 3 "* ]]
    [ "$(./grade.sh -h)" = "$output" ]
}

# refuses TEXT OPTION...: exit status 2, and one line on stderr that holds TEXT.
refuses() {
    local text=$1
    shift
    run -2 --separate-stderr grade "$@"
    # shellcheck disable=SC2154  # set by run
    [[ $stderr == *"$text"* && $(wc -l <<<"$stderr") -eq 1 ]] || { printf '%s\n' "$* said: $stderr"; return 1; }
}

@test "wrong options: exit status 2, one line that says what is wrong" {
    refuses "--regrade are for submissions" --regrade 'opt05*'
    refuses "--seed needs a value" --seed
    refuses "--jobs takes a whole number" --jobs 0
    refuses "no step under labs/ matches ''" --steps ''
    refuses "--out needs" --out ''
}

@test "wrong values for the judge: exit status 2, one line that says what is wrong" {
    refuses "--iterations takes a whole number from 1 to 1000000, not '0'" --iterations 0
    refuses "--iterations takes a whole number" --iterations 1e3
    refuses "--iterations takes a whole number" --iterations 99999999999999999999999
    refuses "--seed takes a whole number" --seed -1
    refuses "--seed takes a whole number" --seed ' -1'
    refuses "--seed takes a whole number" --seed 18446744073709551616
    refuses "--samples takes a whole number" --samples 101
    refuses "--budget takes a number above 0" --budget 0
    refuses "--timeout takes a number above 0, not 'soon'" --timeout soon
    refuses "--timeout takes a number above 0" --timeout nan
    refuses "--timeout takes at most" --timeout 1e300
    refuses "--limit takes a number above 0" --limit 0
    refuses "has no input 'walks': it has walk, course, uniform, constant, hot, ramp, edges" --input walks
    for size in '' -1 1e3 4x x4 '4 x 4' 4x4x4 4X4 99999999999999999999999; do
        refuses "--size takes ROWSxCOLUMNS" --size "$size"
    done
    refuses "--size 4097x4096 is too large: at most 2^24 elements" --size 4097x4096
}

@test "a size that has no room is refused before anything is drawn" {
    refuses " GB of memory, and this machine has " --size 1x16777216 --iterations 1000000
    build/cpu/device >"$BATS_TEST_TMPDIR/device"
    judge=build/judge-opt_2dhisto record=$BATS_TEST_TMPDIR/record
    run -2 "$judge" /dev/null build/cpu/labs/opt05_multiblock --device "$BATS_TEST_TMPDIR/device" --record "$record" \
        --iterations 1000000 --size 1x16777216
    one_line
    [ ! -e "$record" ]
    printf '%s\n' 'kind gpu' 'l2_bytes 62914560' 'memory_bytes 300000000' >"$BATS_TEST_TMPDIR/gpu"
    run -2 "$judge" --dry-run --device "$BATS_TEST_TMPDIR/gpu"
    [[ $output == *"the input 4096x3984 with 1000 calls needs 0.426 GB of memory, and the device has 0.300 GB"* ]]
    "$judge" --dry-run --device "$BATS_TEST_TMPDIR/gpu" --size 1024x996
    run -2 "$judge" --dry-run --device "$BATS_TEST_TMPDIR/gpu" --image data/camera.pgm --iterations 1000000
    [[ $output == *"the input 512x512 with 1000000 calls needs "* ]]
}

@test "wrong options are told before a step is built, and before older results are put away" {
    mkdir "$out"
    echo '{}' >"$out/results.jsonl"
    add_step opt62_unbuilt ''
    refuses "--seed takes a whole number" --steps 'opt62*' --seed -1
    [ ! -e build/cpu/labs/opt62_unbuilt ]
    [ -s "$out/results.jsonl" ]
    [ ! -e "$out/results.previous.jsonl" ]
}

@test "a folder that cannot be written: exit status 2, and what to do" {
    refuses "choose another folder with --out" --out Makefile/results
    refuses "choose another folder with --out" --out /proc/results
}

@test "a missing compiler: exit status 3, and what to do" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    for tool in bash env dirname sed make nproc basename mkdir; do
        ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin"
    done
    PATH=$BATS_TEST_TMPDIR/bin run -3 ./grade.sh --device cpu --out "$out"
    one_line
    [[ $output == *"'gcc' is missing"*"make deps"* ]]
    PATH=$BATS_TEST_TMPDIR/bin run -3 ./grade.sh --device gpu --out "$out"
    one_line
    [[ $output == *"nvcc is missing"*"--device cpu"*"DEVICE=cpu make"* ]]
    rm "$BATS_TEST_TMPDIR/bin/make"
    PATH=$BATS_TEST_TMPDIR/bin run -3 ./grade.sh --device cpu --out "$out"
    one_line
    [[ $output == *"make is missing"* ]]
    CC=no-such-cc run -3 ./grade.sh --device cpu --out "$out"
    one_line
    [[ $output == *"'no-such-cc' is missing"* ]]
}

@test "the compiler that the environment names is used" {
    run -0 env CC=clang make -n -B build/judge/judge/timing/stats.o
    [[ $output == *"clang "*stats.c* ]]
    run -0 env CC=clang make -n -B build/cpu/labs/opt05_multiblock/runner
    [[ $output == *"nvcc "*" clang++ "* ]]
}

@test "a harness that does not build: exit status 3, and where to look" {
    cp common/judge/timing/stats.c "$BATS_TEST_TMPDIR/stats.c"
    echo 'nonsense' >>common/judge/timing/stats.c
    run -3 grade
    cp -p "$BATS_TEST_TMPDIR/stats.c" common/judge/timing/stats.c
    touch common/judge/timing/stats.c
    [[ $output == *"the harness does not build: see $out/logs/harness.log"* ]]
    [[ $output == *"stats.c"*"error"* ]]
}

# ---- results -----------------------------------------------------------------------------------

@test "a passing step: table, record, page, exit status 0" {
    run cat "$first.printed"
    [ "$(<"$first.status")" -eq 0 ]
    [[ $output =~ opt05_multiblock\ +pass ]]
    [[ $output == *"1 of 1 steps passed"* ]]
    [[ $output == *"emulation"* ]]
    [ -s "$first/table.txt" ]
    [ -s "$first/index.html" ]
    jq -e -s 'all(.[]; .problem == "opt_2dhisto" and .verdict == "pass" and .rows == 4096 and .columns == 3984)' "$first/results.jsonl"
    jq -e 'select(.kind == "step") | .iterations == 2 and .median_s == null and .speedup == null and (.source_sha256 | length == 64)' \
        "$first/results.jsonl"
}

@test "the run file says how it was graded, and is the user's alone: it may hold a secret seed" {
    grade --steps 'opt05*' --seed 12345 --size 64x32 --samples 3 --budget 2 --timeout 50 --limit 500 --warm >/dev/null
    [ "$(stat -c %a "$out/run-opt_2dhisto")" = 600 ]
    [ "$(grep -vE '^(harness|histolab) ' "$out/run-opt_2dhisto")" = "device $out/device.txt
told $out/run-opt_2dhisto.told
iterations 2
seed 12345
size 64x32
samples 3
budget 2
timeout 50
limit 500
warm" ]
    [ "$(jq -r '"\(.seed) \(.rows) \(.columns)"' "$out/results.jsonl" | sort -u)" = '12345 64 32' ]
}

@test "broken steps among good ones: the rest go on beside one that hangs, each with its verdict, exit status 1" {
    [ "$(<"$mixed.status")" -eq 1 ]
    [ "$(jq -r 'select(.kind == "step") | "\(.step) \(.verdict)"' "$mixed/results.jsonl" | sort)" = \
"opt50_no_semicolon build-failed
opt51_crash crashed
opt52_wrong wrong
opt53_hang timed-out
opt54_no_teardown build-failed
opt55_odd pass" ]
    [[ $(jq -r .step "$mixed/results.jsonl") == *opt54*opt53* ]] # one after the other it would be opt53 first; that opt55 ends in 5 s is not sure
    grep -q "^1 of 6 steps passed" "$mixed.printed"
    [[ $(jq -r 'select(.step == "opt50_no_semicolon").detail' "$mixed/results.jsonl") == *opt_2dhisto.cu:*error* ]]
    [[ $(jq -r 'select(.step == "opt54_no_teardown").detail' "$mixed/results.jsonl") == *opt_2dhisto_teardown* ]]
    [[ $(jq -r 'select(.step == "opt52_wrong").detail' "$mixed/results.jsonl") =~ call\ 0,\ bin\ [0-9]+:\ expected\ [0-9]+,\ got\ [0-9]+ ]]
    grep -q 'error' "$mixed/logs/opt50_no_semicolon.log"
}

@test "a step that no longer builds is not graded by what it was" {
    # Two that did: one does not compile any more, the other does not link.
    cp -p labs/opt55_odd/opt_2dhisto.cu "$BATS_TEST_TMPDIR"
    for change in '1i this does not compile' '/_teardown/d'; do
        sed "$change" "$BATS_TEST_TMPDIR/opt_2dhisto.cu" >labs/opt55_odd/opt_2dhisto.cu
        run -1 grade --steps 'opt55*' --size 64x64
        [[ $output =~ opt55_odd\ +build-failed ]] || { echo "$output"; false; }
    done
    cp -p "$BATS_TEST_TMPDIR/opt_2dhisto.cu" labs/opt55_odd
}

@test "a header beside the step may have a blank in its name, accents, CRLF and a byte order mark" {
    grep -q 'hälper())' labs/opt55_odd/opt_2dhisto.cu
    [ "$(jq -r 'select(.step == "opt55_odd").verdict' "$mixed/results.jsonl")" = pass ]
}

@test "what a step prints goes to its log, and nowhere else" {
    log=$mixed/logs/opt55_odd.log
    run ! grep -q 'Test PASSED' "$mixed.printed" "$mixed/results.jsonl"
    [[ $(head -n 5 "$log") =~ ^"--- check (edges, "[0-9]+" x "[0-9]+$')\n--- call 0\nTest PASSED "}\n--- call 1\nTest PASSED "}'$ ]]
    [ "$(grep -c '^--- call' "$log")" -gt 10 ]
    [[ $(grep -A 1 '^--- graded' "$log") == "--- graded (walk, "*$'\n--- call 0' ]]
    LOG=$log run -0 report/one-step opt55_odd "$mixed/results.jsonl"
    [[ $output =~ It\ printed,\ in\ the\ check\ \(edges,\ [^$'\n']*,\ call\ 0:$'\n        Test PASSED "}\n    See'.*[^0-9]9[[:space:]]+more[[:space:]]+lines ]]
}

# ---- inputs ------------------------------------------------------------------------------------

@test "every input is graded; earlier results are kept; without --seed every grading draws another" {
    cp -r "$first" "$out"
    # A grading with one of them, and the others as it asks the judge, with the step of which a grading takes least, unchecked.
    grade --steps 'opt05*' --input edges --size 64x64 >/dev/null
    cmp "$out/results.previous.jsonl" "$first/results.jsonl"
    before=$(jq -r .seed "$first/results.jsonl" | sort -u)
    now=$(jq -r .seed "$out/results.jsonl" | sort -u)
    [[ $before =~ ^[0-9]+$ && $now =~ ^[0-9]+$ && $before != "$now" ]]
    mkdir "$BATS_TEST_TMPDIR/built"
    for runner in runner{,-checked}; do ln -s "$source_tree/build/cpu/labs/opt01_single_thread/runner" "$BATS_TEST_TMPDIR/built/$runner"; done
    for input in course uniform constant hot ramp; do
        sed "s/^input .*/input $input/" "$out/run-opt_2dhisto" >"$BATS_TEST_TMPDIR/run"
        build/judge-opt_2dhisto "$BATS_TEST_TMPDIR/run" "$BATS_TEST_TMPDIR/built" --record "$out/results.jsonl"
    done
    [ "$(jq -r '"\(.input) \(.verdict)"' "$out/results.jsonl" | xargs)" = 'edges pass course pass uniform pass constant pass hot pass ramp pass' ]
}

@test "a step that is too slow for the emulator, with far more work than usual, is told that it may be right" {
    run -1 build/judge-opt_2dhisto /dev/null "$source_tree/build/cpu/labs/opt01_single_thread" --device "$first/device.txt" \
        --record "$BATS_TEST_TMPDIR/record" --timeout 1 --iterations 10000 --size 1024x996
    [[ $(jq -r '"\(.verdict): \(.diagnosis)"' "$BATS_TEST_TMPDIR/record") == \
        "timed-out: On the cpu device each call is emulated, and this is 312 times the usual work: the step may be right. "* ]]
}

@test "images: a PGM gives the shape; paths are the caller's, from whatever folder" {
    cd "$BATS_TEST_TMPDIR"
    printf 'P5 3 2 255\n\0\1\2\375\376\377' >mine.pgm
    run -0 "$tree/grade.sh" --device cpu --no-count --iterations 1 --steps 'opt05*' --image mine.pgm --out here
    [ -s here/results.jsonl ]
    [ ! -e "$tree/here" ]
    [ "$(jq -r 'select(.kind == "step") | "\(.input) \(.rows) \(.columns) \(.verdict)"' here/results.jsonl)" = 'image 2 3 pass' ]
}

@test "images: broken files are refused in one line" {
    refuses "cannot read the image 'no-such.pgm'" --image no-such.pgm
    cd "$BATS_TEST_TMPDIR"
    printf 'P5 9 9 255\n12' >short.pgm
    printf 'hello, this is no image' >text.pgm
    : >empty.pgm
    printf 'P5 4000000000 4000000000 255\n' >huge.pgm
    printf '\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\0\4\0\0' >bin1024.bin
    cd "$tree"
    refuses "short.pgm: " --image "$BATS_TEST_TMPDIR/short.pgm"
    refuses "text.pgm: it is no binary PGM" --image "$BATS_TEST_TMPDIR/text.pgm"
    refuses "empty.pgm: it is no binary PGM" --image "$BATS_TEST_TMPDIR/empty.pgm"
    refuses "huge.pgm: " --image "$BATS_TEST_TMPDIR/huge.pgm"
    refuses "bin1024.bin: " --image "$BATS_TEST_TMPDIR/bin1024.bin"
    refuses "Is a directory" --image "$BATS_TEST_TMPDIR"
}

@test "images: with a size or an input beside them they are refused, not taken for either" {
    refuses "--image cannot be given together with --size or --input" --image data/camera.pgm --size 64x64
    refuses "--image cannot be given together with --size or --input" --input walk --image data/camera.pgm
}

# ---- the end -----------------------------------------------------------------------------------

# Start grading a step that hangs; wait until its runner is there.
start_grading_what_hangs() {
    # As a terminal would start it: a process group of its own, in which SIGINT is not ignored.
    setsid env --default-signal=INT ./grade.sh --device cpu --no-count --steps 'opt70*' --timeout 500 --out "$out" \
        >"$BATS_TEST_TMPDIR/printed" 2>&1 3>&- &
    grading=$!
    until running; do
        kill -0 "$grading" || { echo "the runner did not start: $(<"$BATS_TEST_TMPDIR/printed")"; return 1; }
        sleep 0.1
    done
}

# Processes of this tree's runner.
running() {
    [ -n "$(find /proc/[0-9]*/exe -maxdepth 0 -lname "$tree/build/cpu/labs/opt70_hang/runner-checked" 2>/dev/null)" ]
}

gone() {
    for ((turn = 0; turn < 600; turn++)); do
        running || return 0
        sleep 0.1
    done
    echo "the runner is still there"
    return 1
}

@test "Ctrl-C leaves no runner behind, nor does killing grade.sh; a signal to grade.sh alone ends it with a sentence" {
    for signal in INT TERM KILL; do
        for whom in '' -; do # grade.sh alone, or the group, as a terminal does
            start_grading_what_hangs
            kill -"$signal" -- "$whom$grading"
            gone
            wait "$grading" && status=0 || status=$?
            echo "$signal to $whom: $status: $(<"$BATS_TEST_TMPDIR/printed")"
            [ "$status" -eq "$((128 + $(kill -l "$signal")))" ]
            [ "$signal" = KILL ] || grep -qx "grade.sh: stopped" "$BATS_TEST_TMPDIR/printed"
        done
    done
}

# shellcheck disable=SC2030  # teardown has the test's own
@test "a signal to grade.sh alone while it builds ends the build and all that make has started" {
    add_step opt71_slow_build '1i enum { ANOTHER_STEP };'
    printf '#!/bin/bash\nexec -a histolab-slow-%s sleep 300\n' "$BASHPID" >"$BATS_TEST_TMPDIR/g++"
    chmod +x "$BATS_TEST_TMPDIR/g++"
    PATH=$BATS_TEST_TMPDIR:$PATH setsid env --default-signal=INT ./grade.sh --device cpu --no-count --steps 'opt71*' --out "$out" \
        >"$BATS_TEST_TMPDIR/printed" 2>&1 3>&- &
    grading=$!
    until pgrep -f "^histolab-slow-$BASHPID " >/dev/null; do kill -0 "$grading"; sleep 0.05; done
    kill -INT "$grading"
    wait "$grading" && status=0 || status=$?
    [ "$status" -eq 130 ]
    for ((turn = 0; turn < 600; turn++)); do
        pgrep -s "$grading" >/dev/null || pgrep -f "^histolab-slow-$BASHPID " >/dev/null || break
        sleep 0.05
    done
    ((turn < 600))
}

# shellcheck disable=SC2031  # start_grading_what_hangs sets it in this test
@test "two gradings of the tree into one folder: the second is told who is at work there, and nothing is written twice" {
    start_grading_what_hangs
    run -3 ./grade.sh --device cpu --no-count --steps 'opt70*' --out "$out"
    [ "$output" = "grade.sh: another grading is at work in $out (process $grading): wait for it, or choose another folder with --out" ]
    kill -KILL -- "-$grading"
    gone
    wait "$grading" || true
    # What a killed one has left behind holds nobody up for longer than it lives.
    run -0 grade --steps 'opt05*' --size 64x64
    [ "$(wc -l <"$out/results.jsonl")" -eq 1 ]
}
