#!/usr/bin/env bats
# make handout, and what students do in what it writes: make submit, make new. Everything happens in a copy of
# the tree with two steps, and in a handout of that, unpacked in an empty folder.

load failed
bats_require_minimum_version 1.5.0 # run -N

load tree

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree desk=$BATS_FILE_TMPDIR/desk
    mkdir -p "$tree/labs/opt02_fixture" "$desk"
    # shellcheck disable=SC2154  # tree.bash sets it
    cp -a "$source_tree"/{LICENSE,NOTICE,Makefile,grade.sh,.gitignore,.gitattributes,.clang-format,.clangd,compile_flags.txt,.vscode,.devcontainer,Containerfile,histolab.def,common,emulator,desk,class,report,data} "$tree"
    # Of what GPUs recorded, a little: it is read for each handout.
    rm -rf "$tree"/report/recorded/{counted,counters,evidence}
    for file in "$tree"/report/recorded/*.jsonl.gz; do
        gzip -dc "$file" | grep -E '"kind":"(read|baseline|empty)"|"step":"(opt0[15]|sum0[12])_' | awk 'NR % 3 == 1 || /opt0/' | gzip >"$file.some"
        mv "$file.some" "$file"
    done
    cp -a "$source_tree/labs/opt01_single_thread" "$tree/labs"
    echo 1.2.3+g1234567 >"$tree/VERSION"
    mkdir "$tree/tests" "$tree/experiments" "$tree/guides" "$tree/handed-in"
    echo 'not for all eyes' >"$tree/handed-in/alice"
    printf '# For students\n\nRead this, and [this](more.md).\nmake opt01, labs/opt02_one_block/opt_2dhisto.cu, opt02, opt05\n' >"$tree/guides/students.md"
    printf '# More\n\n![a picture](pictures/one.svg)\n' >"$tree/guides/more.md"
    mkdir "$tree/guides/pictures"
    echo '<svg/>' >"$tree/guides/pictures/one.svg"
    printf '# For instructors\n\nKeep this.\n' >"$tree/guides/instructors.md"
    cat >"$tree/labs/opt02_fixture/opt_2dhisto.cu" <<'END'
/* opt02: one block of threads. */
#include "lab.h"

enum { THREADS = HISTO_BINS };

/* BEGIN SOLUTION: a function that finds this thread's pixel */
__device__ size_t pixel_of_this_thread(void) { return threadIdx.x; }
/* END SOLUTION */

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    /* BEGIN SOLUTION */
    for (size_t i = pixel_of_this_thread(); i < size; i += THREADS)
        atomicAdd(&counts[image[i]], 1);
    /* END SOLUTION */
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    /* BEGIN SOLUTION: a count becomes a byte */
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
    /* END SOLUTION */
}

static uint32_t *scratch;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    CUDA_CHECK(cudaMalloc(&scratch, HISTO_BINS * sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    /* BEGIN SOLUTION: clear the counts, then launch both kernels */
    CUDA_CHECK(cudaMemsetAsync(scratch, 0, HISTO_BINS * sizeof *scratch));
    histogram<<<1, THREADS>>>(image, height * width, scratch);
    saturate<<<1, HISTO_BINS>>>(scratch, bins);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
END
    cat >"$tree/labs/opt02_fixture/step.md" <<'END'
title: One block
idea: Many threads.
gtx680: 38.807
builds-on: opt01_single_thread
counters: blocks >= 2

## Goal
Use many threads.

## Task
Let every thread of one block count some pixels.

Look up `atomicAdd`.

## Difficulties
Mine were these.

## Time spent
Much.

## What we saw
What we saw is a secret, and nobody else may read of it before.
END
    cp "$tree/labs/opt02_fixture/opt_2dhisto.cu" "$BATS_FILE_TMPDIR/solution.cu"
    sed -i "s/settings=()/settings=('size 61x1021')/" "$tree"/{grade.sh,desk/try} # the check finds what is wrong
    copy_built "$tree"
    # What most tests pack is packed quickly, and once.
    mkdir "$BATS_FILE_TMPDIR/quick"
    printf '#!/bin/sh\nexec %s -1 "$@"\n' "$(command -v gzip)" >"$BATS_FILE_TMPDIR/quick/gzip"
    chmod +x "$BATS_FILE_TMPDIR"/quick/*
    cd "$tree" && make -s handout >/dev/null && tar -xzf results/handout/histolab.tar.gz -C "$desk"
    export desk=$desk/histolab
    copy_built "$desk" # one test builds all of it in an empty folder
}

setup() {
    cd "$tree" || return
    out=$BATS_TEST_TMPDIR/out
    starter=$desk/labs/opt02_fixture/opt_2dhisto.cu
    step=labs/opt02_fixture
    unset CC CXX NO_COLOR
}

teardown() {
    cd "$tree" || return
    cp "$BATS_FILE_TMPDIR/solution.cu" "$tree/labs/opt02_fixture/opt_2dhisto.cu"
    rm -rf "$tree/labs/opt03_more" "$desk/labs/opt18_mine" "$desk/results"
    cp -p report/index "$desk/report/index"
}

solve() {
    cp "$BATS_FILE_TMPDIR/solution.cu" "$starter"
}

# pack OPTION...: without what GPUs recorded, which takes most of its time.
pack() {
    PATH=$BATS_FILE_TMPDIR/quick:$PATH class/handout/pack --recorded no --out "$out" "$@"
}

unsolve() {
    tar -xzf "$tree/results/handout/histolab.tar.gz" -C "${desk%/*}" histolab/labs
}

# ---- what is in a handout ------------------------------------------------------------------------

@test "handout: it carries the licence, and knows its version" {
    cmp LICENSE "$desk/LICENSE"
    cmp NOTICE "$desk/NOTICE"
    [ "$("$desk/grade.sh" --version)" = 'grade.sh (histolab) 1.2.3+g1234567' ]
}

@test "handout: the starter has the task, a TODO for each solution, and what is outside of them" {
    run -1 grep -c 'SOLUTION\|atomicAdd(\|pixel_of_this_thread\|<<<' "$starter"
    grep -qx '/\* Task' "$starter"
    grep -qx ' \* Let every thread of one block count some pixels.' "$starter"
    grep -qx '/\* TODO: a function that finds this thread.s pixel \*/' "$starter"
    grep -qx '    /\* TODO \*/' "$starter"
    grep -qx '    /\* TODO: clear the counts, then launch both kernels \*/' "$starter"
    grep -qx 'void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }' "$starter"
    [ "$(grep -n Task "$starter" | cut -d : -f 1)" -lt "$(grep -n '#include' "$starter" | cut -d : -f 1)" ]
}

@test "handout: a step.md keeps its header, goal and task, and of the rest only headings" {
    story=$desk/labs/opt02_fixture/step.md
    [ "$(sed '/^## Prediction/,$d' "$story")" = "$(sed '/^## Difficulties/,$d' "$step/step.md")" ]
    [ "$(sed -n '/^## Difficulties/,$p' "$story")" = "$(printf '## Difficulties\n\n## Time spent\n\n## What we saw')" ]
}

@test "handout: what is for instructors is not in it, and make does not offer it" {
    tar -tzf results/handout/histolab.tar.gz >"$BATS_TEST_TMPDIR/packed"
    grep -q '^histolab/desk/' "$BATS_TEST_TMPDIR/packed"
    run ! grep -E '^histolab/(class|tests|experiments|\.git|results|build|handed-in)(/|$)' "$BATS_TEST_TMPDIR/packed"
    # All else is whole.
    for room in Makefile grade.sh .gitattributes .clangd compile_flags.txt .vscode .devcontainer Containerfile histolab.def desk report data common emulator; do
        diff -rq "$tree/$room" "$desk/$room" | grep -v -e 'Only in .*common: handed-out$' -e 'Only in .*common: hints$' -e 'report: recorded$' -e report/recorded >"$BATS_TEST_TMPDIR/different" || true
        cat "$BATS_TEST_TMPDIR/different"
        [ ! -s "$BATS_TEST_TMPDIR/different" ]
    done
    cd "$desk"
    run -0 make help
    for goal in handout test lint record experiments; do
        [[ $output != *"make $goal "* ]]
    done
    [[ $output == *"make submit "* && $output == *"make opt02 "* && $output != *opt05* ]]
}

@test "handout: it grades no class, and says so in one line" {
    cd "$desk"
    for options in labs '--require-isolation labs' './labs --regrade x'; do
        # shellcheck disable=SC2086
        run -2 ./grade.sh $options
        [ "${#lines[@]}" -eq 1 ]
        [[ $output == "grade.sh: a handout grades no submissions: "* ]]
    done
    run -2 ./grade.sh --require-isolation
    [ "${#lines[@]}" -eq 1 ]
}

@test "handout: nothing in it calls what is not in it" {
    for room in class experiments tests; do [ ! -e "$desk/$room" ]; done
    run "$source_tree/tests/arrows" "$desk"
    run ! grep -E '(^|[^A-Za-z0-9_.-])(class|experiments|tests)/[a-z]' <<<"$output"
}

@test "handout: the README leads to the students' guide, which brings what it links to, and lists the steps" {
    [ "$(cd "$desk/guides" && echo * pictures/*)" = 'more.md pictures students.md pictures/one.svg' ]
    grep -qx -e '- \[For students\](guides/students.md)' "$desk/README.md"
    grep -q '^| `opt02_fixture` | One block: Many threads. |$' "$desk/README.md"
    run ! grep -q '<!--' "$desk/README.md"
}

@test "handout: unpacked in an empty folder, the first step passes and the starter is neither built nor run, without a warning" {
    mkdir "$BATS_TEST_TMPDIR/empty"
    tar -xzf results/handout/histolab.tar.gz -C "$BATS_TEST_TMPDIR/empty"
    cd "$BATS_TEST_TMPDIR/empty/histolab"
    export DEVICE=cpu
    # What the compiler made of the harness is taken over, and linked here: a source that is not there is missed by the linker, and an
    # object of a header that is not there is made anew.
    (cd "$source_tree" && make -s build-tests >&2 && find build/{host,judge,cpu/{emulator,runner,problems}} -name '*.[od]' -print0 | tar -cf - --null -T -) | tar -xf -
    find build -type f -exec touch -d "@$EPOCHREALTIME" {} +
    grade=(./grade.sh --device cpu --out "$out")
    run -1 "${grade[@]}" --no-count
    [[ $output =~ opt01_single_thread\ +pass ]]
    [[ $output == *$'\n\nNot started: opt02.\n'*$'\n\n1 of 2 steps passed, 1 not started\n'* ]]
    [ ! -e build/cpu/labs/opt02_fixture ]
    [ "$(jq -r 'select(.step == "opt02_fixture") | .verdict, .diagnosis' "$out/results.jsonl" | paste -sd ' ')" = 'not-started null' ]
    without_charts .
    run -1 desk/try opt02
    [[ $output == *"not-started: the file as it was handed out"* ]]
    printf '#error begun\n' >>labs/opt01_single_thread/opt_2dhisto.cu
    run -0 desk/submit alice
    [[ ${lines[-2]} == 'not started: opt02' && $output != *'opt02_fixture '* ]]
    sed -i '$d' labs/opt01_single_thread/opt_2dhisto.cu
    echo >>labs/opt02_fixture/opt_2dhisto.cu
    run -1 "${grade[@]}" --no-count
    [[ $output =~ opt02_fixture\ +wrong ]]
    run ! grep -n warning "$out"/logs/*.log build/cpu/labs/*/build.log
    cp "$BATS_FILE_TMPDIR/solution.cu" labs/opt02_fixture/opt_2dhisto.cu
    run -0 "${grade[@]}"
}

@test "handout: recorded results are those of the chosen steps, or left out" {
    gzip -dc "$desk"/report/recorded/*.jsonl.gz >"$BATS_TEST_TMPDIR/records"
    [ "$(grep -c '"kind":"step"' "$BATS_TEST_TMPDIR/records")" -gt 0 ]
    run ! grep -q '"step":"opt05\|opt_sum' "$BATS_TEST_TMPDIR/records"
    [ -e "$desk/report/recorded/charts/speedup.svg" ]
    run ! grep -q 'opt05\|opt17' "$desk/report/recorded/charts/speedup.svg"
    cp -a results/handout "$BATS_TEST_TMPDIR" # other tests read it
    make -s handout RECORDED=no >/dev/null
    run ! grep -q recorded/ <(tar -tzf results/handout/histolab.tar.gz)
    cp -a "$BATS_TEST_TMPDIR/handout" results
    run -2 class/handout/pack --recorded maybe
}

@test "handout: a hint shows no lines of a ladder of which anything is handed out" {
    for name in sum01_x sum02_x; do
        cp -r "$step" labs/$name
        mv labs/$name/opt_2dhisto.cu labs/$name/opt_sum.cu
    done
    sed -i '/^title:/a shown-by: sum02_x' "$step/step.md"
    pack --steps opt
    tar -xzOf "$out/histolab.tar.gz" histolab/common/hints/opt02_fixture | grep -q pixel_of_this_thread
    pack --steps 'opt* sum01'
    run ! tar -xzOf "$out/histolab.tar.gz" histolab/common/hints/opt02_fixture
    sed -i '/^shown-by:/d' "$step/step.md"
    rm -r labs/sum0[12]_x
}

# ---- which steps ---------------------------------------------------------------------------------

@test "handout: STEPS picks steps; a pattern that fits none is wrong usage" {
    pack --steps 'opt01*'
    [ "$(tar -tzf "$out/histolab.tar.gz" | grep -c 'labs/.*\.cu$')" -eq 1 ]
    run -2 pack --steps 'opt01* opt9*'
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"opt9*"* ]]
}

@test "handout: ASSIGNMENT=FILE picks its steps, and its sheet goes with them" {
    pack --steps 'opt01*'
    cmp "$out/handed-out" <(tar -xzOf "$out/histolab.tar.gz" histolab/common/handed-out)
    run -0 pack --steps opt02
    [[ $output == *'(opt02 on opt01): add these'* ]]
    [ "$(tar -xzOf "$out/histolab.tar.gz" histolab/guides/students.md | tail -n 1)" = 'make opt02, labs/opt02_fixture/opt_2dhisto.cu, opt02, opt02' ]
    printf 'title L\nsteps opt01\n' >"$BATS_TEST_TMPDIR/lab"
    [ "$(grep -c -- '--assignment=ASSIGNMENT' class/goals.def)" -eq 2 ]
    pack --assignment "$BATS_TEST_TMPDIR/lab"
    [ "$(tar -tzf "$out/histolab.tar.gz" | grep -c 'labs/.*\.cu$')" -eq 1 ]
    tar -xzf "$out/histolab.tar.gz" -C "$BATS_TEST_TMPDIR"
    grep -qx '# L' "$BATS_TEST_TMPDIR/histolab/assignment.md"
    grep -qF 'opt01_single_thread' "$BATS_TEST_TMPDIR/histolab/assignment.html"
    grep -qF '(assignment.md)' "$BATS_TEST_TMPDIR/histolab/README.md"
    echo 'device cpu' >>"$BATS_TEST_TMPDIR/lab" # where speed earns nothing
    build/grades sheet "$BATS_TEST_TMPDIR/lab" "$BATS_TEST_TMPDIR" opt02_one_block
    grep -q '^|.*| 6 | - | - |$' "$BATS_TEST_TMPDIR/assignment.md"
    printf '%s\n' 'rubric * correct=6 partial=3' 'rubric opt02_one correct=6 hazard=2' >>"$BATS_TEST_TMPDIR/lab"
    build/grades sheet "$BATS_TEST_TMPDIR/lab" "$BATS_TEST_TMPDIR" opt01_single_thread opt02_one_block opt02_fixture
    grep -q 'at most 3 in each step\.$' "$BATS_TEST_TMPDIR/assignment.md"
    grep -q 'by luck alone: 2 in opt02\.$' "$BATS_TEST_TMPDIR/assignment.md"
    printf '%s\n' 'due 2026-11-20 23:59' 'zone Europe/Berlin' 'late 10' 'late-most 50' 'grace 3' 'tolerance 15' 'cutoff 7' >"$BATS_TEST_TMPDIR/late"
    cat "$BATS_TEST_TMPDIR/lab" >>"$BATS_TEST_TMPDIR/late"
    build/grades sheet "$BATS_TEST_TMPDIR/late" "$BATS_TEST_TMPDIR" opt01_single_thread
    grep -qF '10 % of what was earned for each day that has begun, at most 50 %; free: 3 days; up to 15 minutes late is on time; after 7 days nothing counts.' "$BATS_TEST_TMPDIR/assignment.md"
    run -2 pack --assignment "$BATS_TEST_TMPDIR/lab" --steps 'opt02*'
    echo 'due tomorrow' >>"$BATS_TEST_TMPDIR/lab"
    run -2 pack --assignment "$BATS_TEST_TMPDIR/lab"
    [[ $output == "$BATS_TEST_TMPDIR/lab:6: "* ]]
}

@test "handout: a step without markers or without a task is named, and nothing is written" {
    cp -r "$step" labs/opt03_more
    sed -i '/SOLUTION/d' labs/opt03_more/opt_2dhisto.cu
    run -1 pack
    [[ ${lines[0]} == "labs/opt03_more/opt_2dhisto.cu: it marks no solution"* ]]
    [ ! -e "$out" ]
    cp "$step/opt_2dhisto.cu" labs/opt03_more
    sed -i '/## Task/d' labs/opt03_more/step.md
    run -1 pack
    [[ ${lines[0]} == "labs/opt03_more/step.md: it has no section '## Task'"* ]]
    [ ! -e "$out" ]
    for line in 'a line too long for a comment: '"$(printf '%100s' x)" 'an end of a comment: */'; do
        cp "$step/step.md" labs/opt03_more
        sed -i "/## Task/a $line" labs/opt03_more/step.md
        run -1 class/handout/pack --check
        [[ ${lines[0]} == "labs/opt03_more/step.md:11: "* ]]
    done
    run -0 class/handout/pack --steps 'opt0[12]*' --check
}

@test "handout: markers that do not match are refused with file and line" {
    source=$step/opt_2dhisto.cu
    for fault in '8d:6: this solution has no END SOLUTION' '6d:7: no solution begins before' \
        '7s/^/\/* BEGIN SOLUTION *\/\n/:7: a solution begins inside of the one that begins in line 6' \
        '6s/\*\//*\/ int i;/:6: a solution begins with the line /* BEGIN SOLUTION */, or /* BEGIN SOLUTION: what is to be done */, on one line' '8s/END SOLUTION/& of it/:8: a solution ends with'; do
        cp "$BATS_FILE_TMPDIR/solution.cu" "$source"
        sed -i "${fault%%:*}" "$source"
        [ "${fault%%:*}" = 8d ] && sed -i '9,$d' "$source"
        run -1 pack
        [[ $output == *"$source:${fault#*:}"* ]] || { printf '%s\n--\n%s\n' "$fault" "$output"; false; }
        [ ! -e "$out" ]
    done
}

# ---- leaks ---------------------------------------------------------------------------------------

@test "leaks: a solution's line anywhere in a handout is found, however it is broken, and the file is named" {
    unpacked=$BATS_TEST_TMPDIR/unpacked
    mkdir "$unpacked" && tar -xzf results/handout/histolab.tar.gz -C "$unpacked"
    unpacked=$unpacked/histolab
    run -0 class/handout/leaks "$unpacked"
    plant() {
        cp "$unpacked/$1" "$BATS_TEST_TMPDIR/before"
        printf '%s\n' "$2" >>"$unpacked/$1"
        run -1 class/handout/leaks "$unpacked"
        [[ ${lines[0]} == "$1: "* ]] || { printf '%s\n--\n%s\n' "$2" "$output"; return 1; }
        cp "$BATS_TEST_TMPDIR/before" "$unpacked/$1"
    }
    plant README.md 'for (size_t i = pixel_of_this_thread(); i < size; i += THREADS)'
    plant common/judge/strip.c '    see `histogram<<<1, THREADS>>>( image, height * width, scratch );` there'
    plant report/views/results.c $'__device__ size_t pixel_of_this_thread(void)\n{\n    return threadIdx.x;\n}'
    plant labs/opt01_single_thread/step.md 'As is known, What we saw is a secret, and nobody else may read of it before. Is it?'
    # All files are searched at once. None takes another's name, whatever it is called, holds or ends with.
    : >"$unpacked/empty"
    printf '\1\0\n\1 saturate<<<1, HISTO_BINS>>>(scratch, bins);' >"$unpacked/no: end"
    echo 'atomicAdd(&counts[image[i]], 1);' | tee -a "$unpacked"/{README.md,grade.sh} >"$unpacked/labs/notes"
    run -1 class/handout/leaks "$unpacked"
    [ "$(LC_ALL=C sort <<<"$output")" = 'README.md: atomicAdd(&counts[image[i]],1);
grade.sh: atomicAdd(&counts[image[i]],1);
labs/notes: atomicAdd(&counts[image[i]],1);
no: end: saturate<<<1,HISTO_BINS>>>(scratch,bins);' ]
}

@test "leaks: text of a step that was not chosen is found too" {
    pack --steps 'opt01*'
    tar -xzf "$out/histolab.tar.gz" -C "$out"
    run -0 class/handout/leaks "$out/histolab"
    echo 'histogram<<<1, THREADS>>>(image, height * width, scratch);' >"$out/histolab/notes"
    run -1 class/handout/leaks "$out/histolab"
    [[ $output == notes:* ]]
}

@test "leaks: nothing is written where something would leak" {
    cp "$step/opt_2dhisto.cu" common/example.cu
    run -1 pack
    rm common/example.cu
    [[ $output == *"common/example.cu: "*"nothing is written"* ]]
    [ ! -e "$out" ]
}

# ---- markers are for nobody's eyes ---------------------------------------------------------------

@test "diff and journal leave out markers and tasks" {
    run -0 desk/step diff opt02
    [[ $output == *"+    saturate<<<1, HISTO_BINS>>>(scratch, bins);"* && $output != *SOLUTION* ]]
    mkdir "$out"
    build/cpu/device >"$out/device"
    run -1 build/judge-opt_2dhisto /dev/null --device "$out/device" --record "$out/record" --step opt02_fixture --verdict wrong
    sed 's/"verdict":"wrong"/"verdict":"pass"/' "$out/record" >"$out/results.jsonl"
    report/journal "$out/results.jsonl" "$out" >/dev/null
    grep -q 'saturate<<<1, HISTO_BINS>>>' "$out/journal.md"
    run ! grep -q 'SOLUTION\|Task\|Let every thread' "$out/journal.md"
    cd "$desk"
    run -0 desk/step diff opt02
    [[ $output == *TODO* && $output != *"Let every thread"* && $output != *Task* ]]
}

# ---- at the student's desk -----------------------------------------------------------------------

@test "submit: packs the steps, and says how each fares and which is as it was handed out" {
    cd "$desk"
    solve
    without_charts .
    run -0 make submit NAME=alice
    [[ $output =~ opt01_single_thread\ +pass,\ as\ it\ was\ handed\ out ]]
    [[ $output =~ opt02_fixture\ +pass,\ without\ its\ idea:\ it\ asks\ for\ at\ least\ 2\ blocks,\ but\ histogram\ has\ 1\ \(line\ [0-9]+\)$'\n' ]]
    [[ ${lines[-1]} == 'Packed 2 steps, 1 of them begun, checked on the cpu device. Hand in results/submit/alice.tar.gz' ]]
    run -0 make last-opt02
    [[ $output == *'is as it was when it passed'* ]]
    mkdir "$out"
    tar -xzf results/submit/alice.tar.gz -C "$out"
    cmp "$out/alice/opt02_fixture/opt_2dhisto.cu" "$starter"
    cmp "$out/alice/opt02_fixture/step.md" labs/opt02_fixture/step.md
    [ "$(find "$out" -type f | wc -l)" -eq 4 ]
    run -0 --separate-stderr "$tree/class/intake" results/submit/alice.tar.gz "$out/taken"
    [ -z "$stderr" ]
    cmp "$out/taken/labs/opt02_fixture/opt_2dhisto.cu" "$starter"
    [ "$(find "$out/taken" -name '*.cu' | wc -l)" -eq 2 ] # of words a grading knows nothing
    rm -r "$out/taken"
    # What is a verdict's and what is said beside it: steps that do not compile cost little.
    echo 'not C' >labs/opt01_single_thread/opt_2dhisto.cu
    sed "s/\\bimage\\b/picture/g" "$tree/labs/opt01_single_thread/opt_2dhisto.cu" >"$starter"
    run -1 desk/try opt02
    [[ $output == *"this is opt01_single_thread, as it is published, under another name"* ]]
    echo 'not C either' >"$starter" # no copy of it
    sed -i '1a intended: build-failed' labs/opt02_fixture/step.md
    cp common/handed-out "$out.handed-out"
    sha256sum labs/opt02_fixture/*.cu >>common/handed-out
    run -0 make submit NAME=alice
    [[ $output =~ opt01_single_thread\ +build-failed$'\n' ]]
    [[ $output =~ opt02_fixture\ +build-failed,\ as\ intended\ and\ as\ handed\ out$'\n' ]]
    [[ ${lines[-1]} == 'Packed 2 steps, '*'checked on the cpu device. Hand in '* ]]
    mv "$out.handed-out" common/handed-out
    unsolve
}

@test "submit: refuses where there is nothing to hand in, and a name that is no file name" {
    cd "$desk"
    NAME=alice run -2 make submit # of the environment, where WSL keeps the machine's name
    [[ $output == *"make submit NAME=alice"* && $output != *"as it was handed out"* ]]
    run -2 desk/submit ''
    [[ ${#lines[@]} -eq 1 && $output == *"make submit NAME=alice"* ]]
    run -2 desk/submit alice
    [[ ${#lines[@]} -eq 1 && $output == *"still as it was handed out"* ]]
    for name in ../alice .alice 'a b' -x; do
        run -2 desk/submit "$name"
        [ "${#lines[@]}" -eq 1 ]
    done
}

@test "new: in a handout a step of one's own begins with the last one solved, or with the one named" {
    cd "$desk"
    run -0 make new STEP=opt18_mine
    [[ $output == *"copy of labs/opt01_single_thread"* ]]
    rm -r labs/opt18_mine
    solve
    sed -i '1r '<(printf '/* Task\n * Do it.\n */\n') "$starter"
    run -0 make new STEP=opt18_mine
    [[ $output == *"copy of labs/opt02_fixture"* ]]
    run ! grep -q 'Task' labs/opt18_mine/opt_2dhisto.cu
    grep -q 'BEGIN SOLUTION' labs/opt18_mine/opt_2dhisto.cu
    echo 'enum { BEGUN };' >>labs/opt18_mine/opt_2dhisto.cu
    COUNT=no run -0 make opt18
    rm -r labs/opt18_mine
    run -0 make new STEP=opt18_mine FROM=opt01
    cmp labs/opt18_mine/opt_2dhisto.cu "$tree/labs/opt01_single_thread/opt_2dhisto.cu"
    unsolve
}

@test "new: a copy of a step with markers has a task to write" {
    run -0 make new STEP=opt03_more
    grep -qx '## Task' labs/opt03_more/step.md
    grep -q 'BEGIN SOLUTION' labs/opt03_more/opt_2dhisto.cu
}
