#!/usr/bin/env bats
# A student's desk: make opt05 and make watch, in a copy of the tree on the cpu device; and what report/one-step
# makes of records, most of them made up, since none here comes from a GPU.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load tree

setup_file() {
    export tree="$BATS_FILE_TMPDIR/a tree (1)" DEVICE=cpu COUNT=no # what counters add is asked for where it matters
    copy_tree "$tree" 'opt0[45]_*'
    with_small_blocks "$tree"
    # Each test begins where opt05 was graded once, and looks at no time any more: a small input will do.
    cd "$tree" || return
    { LC_ALL=C make opt05 COUNT=; echo "status $?"; } >"$BATS_FILE_TMPDIR/first" 2>&1
    cp -r results "$BATS_FILE_TMPDIR"
    grade_opt04
    show_again >"$BATS_FILE_TMPDIR/again" 2>&1 || return
    sed -i "s/settings=()/settings=('size 61x1021')/" grade.sh desk/try
}

# As if opt05 had been graded again, with the same record.
show_again() {
    bash -c '. common/prelude.sh; . common/build/steps.sh; . desk/records.sh; out=results/desk log=/dev/null records=$out/results.jsonl; show_and_keep opt05_multiblock'
}

# As if opt04 had been graded as well, with a time 40 times as long.
grade_opt04() {
    jq -c --arg sum "$(sha256sum labs/opt04_*/opt_2dhisto.cu | cut -c 1-64)" '.step = "opt04_shared_memory" | .source_sha256 = $sum | .predicted_s *= 40 | .predicted_ci90_s |= map(. * 40)' \
        "$BATS_FILE_TMPDIR/results/desk/results.jsonl" >>results/desk/history.jsonl
}

setup() {
    cd "$tree" || return
    unset NO_COLOR
    rm -rf results
    cp -r "$BATS_FILE_TMPDIR/results" .
    step=labs/opt05_multiblock/opt_2dhisto.cu
    cp "$step" "$BATS_TEST_TMPDIR/kept.cu"
}

teardown() {
    [ -z "$watching" ] || { kill -TERM -- "-$watching" && wait "$watching"; } 2>/dev/null || true
    cp "$BATS_TEST_TMPDIR/kept.cu" "$tree/$step"
}

# A record of a step: record STEP VERDICT MICROSECONDS DAY [GPU].
record() {
    printf '{"submission":"","step":"%s","kind":"step","problem":"opt_2dhisto","input":"walk","rows":4096,"columns":3984,' "$1"
    printf '"verdict":"%s","intended":"pass","detail":"%s","diagnosis":null,' "$2" "$([[ $2 == pass ]] || echo 'call 0, bin 7: expected 4, got 5')"
    printf '"device":{"kind":"gpu","name":"%s"},"iterations":1000,"calls":1000,"scaled":false,' "${5-Made Up 1}"
    printf '"median_s":%s,"ci95_s":[%s,%s],"reference_s":20,"bytes":65273856,"gbps":1000,"roof_gbps":4000,' \
        "$(awk "BEGIN { print $3 / 1000 }")" "$(awk "BEGIN { print $3 / 1001 }")" "$(awk "BEGIN { print $3 / 999 }")"
    printf '"roof_fraction":0.25,"speedup":%s,"notes":"","when":"2026-11-%02dT09:30:15Z","source_sha256":"%s"}\n' "$(awk "BEGIN { print $3 + 0 ? 20000 / $3 : 0 }")" "$4" "${6-}"
}

# desk: report/one-step of opt05 on the records in now and earlier.
desk() {
    report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now" "$BATS_TEST_TMPDIR/earlier"
}

# ---- make opt05 ------------------------------------------------------------------------------------

# The output on one line, for what may be wrapped.
flat() {
    tr -s ' \n' ' ' <<<"$output"
}

# Whether no line of the output is wider than a terminal.
fits() {
    local LC_ALL=C.UTF-8 line
    for line in "${lines[@]}"; do ((${#line} <= 80)) || { echo "too wide: $line"; return 1; }; done
}

@test "a step that is right: the verdict, the predicted time, how far the ladder is, what comes next; short, and 80 columns" {
    run -0 cat "$BATS_FILE_TMPDIR/first"
    [[ ${lines[-1]} == "status 0" ]]
    [[ ${lines[0]} == "opt05_multiblock: Multiple blocks" ]]
    [[ ${lines[1]} == *"pass: right in every output of every call"* ]]
    [[ ${lines[2]} == "    predicted for an H200: "*" % of the roof" && $output != *"measured"* ]]
    [[ $output == *"opt   ·✓ 1 of 2 passed"* ]]
    [[ $(flat) == *"To try: "*"Next: make opt04 (Shared memory) More: make why-opt05, make profile-opt05 "* ]]
    [[ $output != *recorded* ]]
    ((${#lines[@]} - 1 <= 10)) && (($(wc -w <<<"${output%status*}") <= 70))
    fits
    run -0 make why-opt05 # in a folder whose name has blanks
    [[ $output == *"opt   ·✓ 1 of 2 passed"* && $(flat) == *"limited by "*"make profile-opt05 (what each line costs)"* ]]
    sed 's/opt05_multiblock/opt04_shared_memory/' results/desk/results.jsonl >results/results.jsonl # by make grade
    run -0 make why-opt05
    rm results/results.jsonl
    [[ $output == *"opt   ✓✓ 2 of 2 passed"* ]]
    # A newer record of the step's own, too.
    jq -c '.verdict = "wrong" | .detail = "by make grade" | .when = "2999-01-01T00:00:00Z"' results/desk/results.jsonl >results/results.jsonl
    run -0 make why-opt05
    rm results/results.jsonl
    [[ $output == *"wrong: it ran"*"(your last attempt: pass)"*"by make grade"* ]]
    run -0 cat "$BATS_FILE_TMPDIR/again"
    [[ $(flat) =~ times\ as\ fast\ as\ your\ opt04\;\ as\ fast\ as\ your\ last\ attempt ]]
    [[ $(flat) == *"Next: make journal "* ]]
    ((${#lines[@]} <= 10)) && (($(wc -w <<<"$output") <= 70))
    fits
}

@test "make ladder: one's own steps, predicted" {
    grade_opt04
    LC_ALL=C run -0 make ladder
    [[ ${lines[0]} == "opt   ✓✓ 2 of 2 passed" && ${lines[1]} == "opt_2dhisto, input "* && $(flat) == *'predicted for h200, not measured'* ]]
    own=$output
    jq -c '.predicted_gpu = "h100" | .predicted_us = 1 | .when = "2999-01-01T00:00:00Z"' results/desk/results.jsonl >results/results.jsonl
    LC_ALL=C run -0 make ladder # as after GPU=h100 make opt05
    rm results/results.jsonl
    [ "$output" = "$own" ]
    [[ ${lines[3]} =~ ^opt04_shared_memory\ +pass\ +~[0-9.]+\ +latency$ && ${lines[4]} =~ ^opt05_multiblock\ +pass\ +~[0-9.]+\ +[a-zA-Z\ ]+$ ]]
    fits
    run -2 desk/ladder opt18
    [ "${#lines[@]}" -eq 1 ]
}

@test "make ladder: measured steps of one GPU, and no other GPU's time beside them" {
    mkdir -p own/build && cd own && cp -a ../{Makefile,common,emulator,desk,report,labs} . && cp -a ../build/report build && mkdir -p results/desk
    { record opt04_shared_memory pass 400 1; record opt05_multiblock pass 30 3 'Made Up 2'; record opt05_multiblock pass 50 4; } \
        >results/desk/history.jsonl
    { record opt04_shared_memory wrong 9 9 | sed 's/"submission":""/"submission":"ann"/'; } >results/results.jsonl
    LC_ALL=C run -0 desk/ladder
    [[ $output == *"Device: "*"Made Up 1"* && $output != *"Made Up 2"* ]]
    [[ ${lines[3]} =~ opt04_shared_memory\ .*50x && ${lines[4]} =~ opt05_multiblock\ .*400x ]]
    LC_ALL=C run -0 desk/ladder --short
    [[ ${lines[0]} == "  opt   ✓✓ 2 of 2 passed" && ${lines[1]} == "  Next: make journal" ]]
    # Of another ladder that was begun, something is left.
    cp -r "$BATS_TEST_DIRNAME"/../../labs/sum0[12]_* labs
    LC_ALL=C run -0 desk/ladder --short
    [[ ${lines[-1]} == "  Next: make journal" ]]
    cp results/desk/history.jsonl history
    record sum01_one_atomic pass 50 2 >>results/desk/history.jsonl
    LC_ALL=C run -0 desk/ladder --short
    [[ ${lines[-1]} == "  Next: make sum02 ("* ]]
    rm -r labs/sum0* && mv history results/desk/history.jsonl
    echo '{"submission":"","step":"opt05_multiblock","kind":"step","verdict":"wrong","when":"2026-11-09T09:30:15Z"}' >>results/desk/history.jsonl
    LC_ALL=C run -0 desk/ladder --short
    [[ ${lines[0]} == "  opt   ✓✗ 1 of 2 passed" && ${lines[1]} == "  Next: make opt05 (Multiple blocks)" ]]
    # Broken on purpose and mended: the file is what passed. An experiment that was undone has no time.
    own=$(sha256sum labs/opt05_multiblock/opt_2dhisto.cu | cut -c 1-64)
    { record opt05_multiblock pass 50 4 "Made Up 1" "$own"; record opt05_multiblock wrong 9 9 "Made Up 1" e0; record opt04_shared_memory pass 400 1 "Made Up 1" e1; } \
        >results/desk/history.jsonl
    LC_ALL=C run -0 desk/ladder
    [[ ${lines[0]} == "opt   ✓✓ 2 of 2 passed" && ${lines[3]} =~ ^opt05_multiblock\ .*400x ]]
    [[ $output == *$'\n'"opt04_shared_memory has changed since it was graded: make opt04"* ]]
    # Without a word, a step that has passed would be missing here.
    { record opt05_multiblock pass 50 4; record opt04_shared_memory pass 400 1 'Made Up 2'; } >results/desk/history.jsonl
    LC_ALL=C run -0 desk/ladder
    [[ $output != *" has changed "* && $(flat) == *"was last graded for another GPU or size, or without a time: make opt0"[45]* ]]
    rm -r ../own
}

# What a terminal obeys (also as bytes that are no UTF-8), what reorders a text, and what must come through.
odd=$'\e]0;x\a\xc2\x9b2J\x9b31m\xe2\x80\xaevil\xe2\x81\xa6\xe2\x80\xa8größer'

@test "a step that is wrong: the first difference, the diagnosis, exit status 1, and what to do" {
    sed -i 's/height \* width, scratch/height * width - width, scratch/' "$step"
    jq -c '.rows = 61 | .columns = 1021' results/desk/results.jsonl >>results/desk/history.jsonl # the last run of this size
    run -2 make opt05
    [[ $output == *"wrong: it ran, and some output is wrong (your last attempt: pass)"* ]]
    [[ $output == *"expected"*"got"* ]]
    [[ $(flat) == *"Row 46 is never read."* ]]
    [[ $(flat) == *"Edit labs/opt05_multiblock/opt_2dhisto.cu, then: make opt05 More: make why-opt05"* ]]
    [[ $output != *"recorded"* ]]
    (($(wc -w <<<"${output%make: *}") <= 70))
    run -0 make why-opt05
    [[ $(flat) == *"Also: make watch-opt05 (at each save), make diff-opt05 "* && $output != *"has changed"* ]]
    echo '// more' >>"$step"
    run -0 make why-opt05
    [[ $output == *"The file has changed since: make opt05"* ]]
}

@test "a call that waits for the device passes, and is told of the line; each grading adds one record" {
    before=$(wc -l <results/desk/history.jsonl)
    line=$(awk '/saturate<<</ { print FNR + 1 }' "$step")
    sed -i '/saturate<<</a\    CUDA_CHECK(cudaDeviceSynchronize());' "$step"
    run -0 make opt05
    [[ ${lines[1]} == *"pass: right in every output"* ]]
    [[ $output == *"To try: line $line: A call must not wait: the harness does when it has to."* ]]
    [ "$(wc -l <results/desk/history.jsonl)" -eq $((before + 1)) ]
    [ "$(tail -n 1 results/desk/history.jsonl | jq -r '.step, .verdict' | paste -sd ' ')" = "opt05_multiblock pass" ]
    V=1 run -0 show_again
    [[ $output == *"remark: synchronizes-in-call: opt_2dhisto.cu:$line "* ]]
}

@test "a step that does not compile: the compiler's lines, with a path that an editor can follow; an empty file is called so" {
    printf '\n \n' >"$step"
    run -1 desk/try opt05
    [[ ${lines[0]} == "labs/opt05_multiblock/opt_2dhisto.cu:1: error: the file is empty" && $output == *build-failed* && $output != *undefined* ]]
    cp "$BATS_TEST_TMPDIR/kept.cu" "$step"
    sed -i 's/THREADS>>>(scratch, bins);/THREADS>>>(scratch, bin);/' "$step"
    run -1 desk/try opt05
    [[ ${lines[0]} =~ ^labs/opt05_multiblock/opt_2dhisto.cu:[0-9]+:[0-9]+:\ error:.*bin ]]
    [[ ${lines[1]} == *"saturate<<<HISTO_BINS / THREADS, THREADS>>>(scratch, bin);"* ]]
    [[ $output == *"build-failed: it does not compile or link"* ]]
    [[ $output != *"make"*"***"* ]]
    run -3 desk/inside/profile opt05 # it makes the counted build alone
    [[ $output =~ labs/opt05_multiblock/opt_2dhisto.cu:[0-9]+:[0-9]+:\ error:.*bin && $output != *"cannot find"* ]]
    sed 's/^void opt_2dhisto(/void opt_2dhistogram(/' "$BATS_TEST_TMPDIR/kept.cu" >"$step"
    run -1 desk/try opt05
    [[ $output == *"A function of the contract"*different* ]] # the linker's words alone help nobody
}

@test "an if that ends at its semicolon is warned of below what came of it; an int that is compared with a size is not" {
    sed -i 's/for (size_t i = first; i < size; i += stride) {/for (int i = first; i < size; i += stride) {\n        if (i >= 4096);\n            continue;/' "$step"
    run -1 desk/try opt05
    [[ $output == *"wrong: it ran"*"warning: suggest braces around empty body"* && $output != *sign-compare* ]]
}

@test "a file that is moved back into its place is built again, though it is older" {
    cp -p "$step" "$BATS_TEST_TMPDIR/older.cu"
    touch -d '1 hour ago' "$BATS_TEST_TMPDIR/older.cu"
    sed -i 's/height \* width, scratch/height * width - width, scratch/' "$step"
    run -1 desk/try opt05
    mv "$BATS_TEST_TMPDIR/older.cu" "$step"
    run -0 desk/try opt05
}

@test "what the students' guide tells to type is done, as far as it ends by itself and needs neither a GPU nor a server" {
    local command
    while IFS= read -r command; do
        run bash -c "$command" </dev/null
        ((status == 0)) || { echo "$command: $output"; return 1; }
    done < <(sed -nE 's/^ {4}(([A-Z]+=\S+ )*make .*[^ ]) {2,}#.*/\1/p' "$BATS_TEST_DIRNAME/../../guides/students.md" | grep -vE 'watch|grade|profile' |
        sed 's/^DEVICE=cpu //' | awk '!seen[$0]++') # which is exported here
}

@test "a beginning that several steps share grades them all, as grade.sh does" {
    run -0 make opt0
    [[ $output == *"2 of 2 steps passed"* ]]
}

@test "who reads only the beginning of what grade.sh prints has table and charts all the same" {
    ./grade.sh --device cpu --no-count --steps opt05 --out "$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/errors" | head -n 1
    [ ! -s "$BATS_TEST_TMPDIR/errors" ]
    [ -s "$BATS_TEST_TMPDIR/out/index.html" ]
}

@test "a harness that does not build is not the step's fault" {
    sed -i '1i#error "spoilt"' emulator/runtime/errors.c
    run desk/try opt05
    sed -i 1d emulator/runtime/errors.c
    [ "$status" -eq 3 ]
    [[ $output == *"the harness does not build"* && $output != *"build-failed"* ]]
}

@test "after an edit make opt05 starts at most 12 programs beside compilers and runners" {
    command -v strace >/dev/null || skip "strace is not installed"
    COUNT='' run -0 make -s opt05 # other tests have touched sources
    echo >>"$step"
    mkdir "$BATS_TEST_TMPDIR/said"
    COUNT='' run -0 strace -ff -qq -e trace=execve -e signal=none -o "$BATS_TEST_TMPDIR/said/p" make -s opt05
    [[ $output == *'pass: right'* ]]
    run -0 sed -n 's/^execve("\([^"]*\/\)\?\([^"/]*\)".* = 0$/\2/p' "$BATS_TEST_TMPDIR"/said/p.*
    [ "$(grep -cxE 'nvcc|runner-counted' <<<"$output")" -eq 5 ]
    output=$(grep -vxE 'runner(-.*)?|nvcc|g?cc|[cg]\+\+|clang.*|cc1plus|as|collect2|ld(\..*)?' <<<"$output" | sort | uniq -c)
    echo "$output"
    [ "$(awk '{ sum += $1 } END { print sum }' <<<"$output")" -le 12 ]
}

@test "a device that does not answer: make doctor is named, at the desk and by grade.sh" {
    make -s build/cpu/device >/dev/null # another test has touched what it is built of
    mv build/cpu/device "$BATS_TEST_TMPDIR/device"
    printf '#!/bin/sh\nexit 1\n' >build/cpu/device && chmod +x build/cpu/device
    run desk/try opt05
    local tried=$status said=$output
    run ./grade.sh --device cpu --no-count --steps opt05 --out "$BATS_TEST_TMPDIR/out"
    mv "$BATS_TEST_TMPDIR/device" build/cpu/device && touch build/cpu/device
    ((tried == 3 && status == 3))
    [[ $said == "make: the cpu device does not work here: make doctor says more" && $output == "grade.sh: the cpu device does not work here: make doctor says more" ]]
}

# ---- hazards, from made-up records -----------------------------------------------------------------

# hazard STEP: report/one-step of the record of this tree's STEP in the fixture.
hazard() {
    grep -v mallory "$BATS_TEST_DIRNAME/../fixtures/report-hazard.jsonl" | sed "s,\"source_sha256\":\"[^\"]*\"\,,,g" >"$BATS_TEST_TMPDIR/now"
    report/one-step "$1" "$BATS_TEST_TMPDIR/now"
}

@test "a hazard: both lines, who does what there, what it is and what mends it, the others in a line each" {
    run -0 --keep-empty-lines hazard opt05_multiblock
    [[ $output == *'hazard: a race, or something else that CUDA leaves undefined; right'*'race-in-block on partial[17]: opt_2dhisto.cu:17'* ]]
    [[ $output == *'and outputs were wrong:'*'

    labs/opt05_multiblock/opt_2dhisto.cu:17: adds to (thread 37 of block 2)
        atomicAdd(&partial[value], 1);
    labs/opt05_multiblock/opt_2dhisto.cu:12: writes (thread 17 of block 2)
        partial[threadIdx.x] = 0;

    Two threads of a block use the same element, at least one of them writes
    it, and nothing orders them. Put __syncthreads() between the two, or
    make both atomic.

    and 2 more:
    misaligned on element 4 of the input: opt_2dhisto.cu:16 reads
    leak on scratch: opt_2dhisto.cu:37 was allocated (4096 bytes)
    How to read a hazard: guides/hazards.md
'* ]]
    [[ $output != *same-value* && $output != *$'\e'* ]]
    for line in "${lines[@]}"; do ((${#line} <= 80)); done
}

@test "remarks after a pass: the first three, and how many more" {
    run -0 hazard opt04_shared_memory
    [[ ${lines[1]} == *'pass: right in every output of every call' ]]
    [[ ${lines[3]} == '    remark: look-before-atomic on partial[3]: opt_2dhisto.cu:17 reads,' ]]
    [[ $output == *'remark: allocates-in-call: opt_2dhisto.cu:50 allocates. A call must'* ]]
    [[ $output == *'remark: transfers-in-call. A call must not transfer: leave the data on the'$'\n''    device.'$'\n''    and 1 more'* ]]
    [[ $output != *synchronizes* ]]
}

@test "what a step calls its arrays and files cannot drive the terminal" {
    grep mallory "$BATS_TEST_DIRNAME/../fixtures/report-hazard.jsonl" >"$BATS_TEST_TMPDIR/now"
    run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ $output == *'an unknown line: writes (thread (31,31,0) of block (1,2,3))'*'x.cu:7: reads'* ]]
    [[ $output != *$'\e'* ]]
    LC_ALL=C.UTF-8
    for line in "${lines[@]}"; do ((${#line} <= 80)); done
}

@test "a hazard of any kind: 70 words at most, of both places at once" {
    local kind line='const unsigned int this_is = a_line[that + is - long] + with(many, words, in_it);'
    while read -r kind; do
        record opt05_multiblock hazard null 20 | jq -c --arg kind "$kind" --arg line "$line" '.hazards = [range(3) | {kind: $kind, severity: "fault",
            array: "the input", index: 4, note: "", places: [range(2) | {file: "labs/opt05_multiblock/opt_2dhisto.cu", line: 17, does: "adds to",
            thread: [1, 2, 3], block: [4, 5, 6], host: false, source: $line}]}]' >"$BATS_TEST_TMPDIR/now"
        record opt05_multiblock pass 40 19 >"$BATS_TEST_TMPDIR/earlier"
        run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/now" "$BATS_TEST_TMPDIR/earlier"
        [[ $(flat) == *"hazard: $kind on element 4 of the input (and 2 more) (your last attempt: pass)"*'adds to (thread (1,2,3) of block (4,5,6))'*" More: make why-opt05"* ]]
        (($(wc -w <<<"$output") <= 70)) || { echo "$output"; return 1; }
    done < <(sed -n 's/^HAZARD([A-Z_]*, "\([^"]*\)", FAULT.*/\1/p' emulator/findings/hazards.def)
    # Out of bounds what is said of its kind, but an index may have a reason.
    for reason in "Its reason." "The index is odd."; do
        jq -c --arg reason "$reason" '.hazards |= [.[0] | .kind = "out-of-bounds"] | .diagnosis = $reason' \
            "$BATS_TEST_TMPDIR/now" >"$BATS_TEST_TMPDIR/indexed"
        run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/indexed"
        [[ $(flat) == *"$reason"* ]] && shown=yes || shown=no
        [ "$shown" = "$([[ $reason == The* ]] && echo yes || echo no)" ] || { echo "$output"; return 1; }
    done
}

@test "a long diagnosis: 70 words at most; make why-opt05 says the rest" {
    local long='One fact is told here. A second fact follows it at once, and says in which line, 17, and of which pixel, 215.'
    long+=' Usual cause: a third sentence that goes on for so long that nobody who waits for a verdict would read it to its end,'
    long+=' with one clause after the other, and then one more.'
    record opt05_multiblock wrong null 20 | jq -c --arg long "$long" '.diagnosis = $long' >"$BATS_TEST_TMPDIR/now"
    run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ $(flat) == *"of which pixel, 215. "* && $output != *"Usual cause"* ]]
    [ "$(wc -w <<<"$output")" -le 70 ]
    run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ $(flat) == *"Usual cause: a third sentence "*"and then one more."* ]]
    cp "$BATS_TEST_TMPDIR/now" results/desk/history.jsonl
    run -0 make why-opt05
    [[ $(flat) == *"and then one more."* ]]
    rm results/desk/history.jsonl
    run -2 desk/why opt05
    [[ $output == *"opt05_multiblock was not graded yet: make opt05"* ]]
}

@test "warnings of the compiler: of the step's own lines, three at most" {
    record opt05_multiblock pass 40 20 >"$BATS_TEST_TMPDIR/now"
    {
        echo "common/lab.h:9:1: warning: not the student's"
        for line in 11 12 13 14 15; do
            echo "$PWD/labs/opt05_multiblock/opt_2dhisto.cu:$line:5: warning: unused variable"
            echo "   $line |     int unused;"
        done
        echo '--- check (edges, 47 x 1301)'
        echo 'labs/opt05_multiblock/opt_2dhisto.cu:99:5: warning: printed by the step'
    } >"$BATS_TEST_TMPDIR/log"
    LOG=$BATS_TEST_TMPDIR/log run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ $output == *"labs/opt05_multiblock/opt_2dhisto.cu:11:5: warning: unused variable"* ]]
    [[ $output == *":13:5: "*"and 2 more warnings: "* && $output != *":14:5: "* && $output != *"common/lab.h"* ]]
}

@test "the first warning of the compiler is shown at once, after a pass and where it may be the reason of a failure" {
    local own=labs/opt05_multiblock/opt_2dhisto.cu:12:5 verdict
    printf '%s\n' "$own: warning: no return statement in function returning non-void [-Wreturn-type]" "$own: warning: unused variable" >"$BATS_TEST_TMPDIR/log"
    for verdict in pass wrong; do
        record opt05_multiblock $verdict 40 20 >"$BATS_TEST_TMPDIR/now"
        LOG=$BATS_TEST_TMPDIR/log run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/now"
        [[ $output == *"$own: warning: no return"*"and 1 more warning"* && $output != *unused* ]]
    done
}

# ---- speed, from made-up records -------------------------------------------------------------------

@test "time, bandwidth, share of the roof; faster than the last attempt and than the step before" {
    record opt05_multiblock pass 40 20 | sed 's/"reference_s"/"synced_s":0.05,&/' >"$BATS_TEST_TMPDIR/now"
    { record opt04_shared_memory pass 400 1; record opt05_multiblock pass 30 2; record opt05_multiblock pass 50 3; } \
        >"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $(flat) == *"40.00 us a call (between 39.96 and 40.04), 1000 GB/s, 25.0 % of the roof (the fastest read measured), 500 times as fast as"*"latency: 50.00 us, 400 times as fast"* ]]
    run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ $output == *"latency: 50.00 us, 400 times as fast"* ]]
    run -0 desk
    [[ $(flat) == *"10.0 times as fast as your opt04; 25 % faster than your last attempt "* ]]
    # Not than an experiment with that step which was undone.
    record opt04_shared_memory pass 20 9 "Made Up 1" e1 >>"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $(flat) == *"10.0 times as fast as your opt04"* && $(flat) != *slower* ]]
}

@test "slower, and no different" {
    record opt05_multiblock pass 40 20 >"$BATS_TEST_TMPDIR/now"
    record opt05_multiblock pass 32 3 >"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $(flat) == *"25 % slower than your last attempt"* ]]
    record opt05_multiblock pass 40.01 3 >"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $(flat) == *"as fast as your last attempt"* ]]
}

@test "another GPU's time is no last attempt, and none is set beside this one's" {
    record opt05_multiblock pass 40 20 >"$BATS_TEST_TMPDIR/now"
    { record opt05_multiblock pass 50 3 'Made Up 2'; record opt04_shared_memory pass 99 3 'Made Up 2'; } >"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $output != *"last attempt"* && $output != *"Made Up 2"* ]]
    [[ $(grep -o ' us' <<<"$output" | wc -l) -eq 1 && $output != *"ster than"* && $output != *"slower than"* ]]
}

@test "after a wrong run the last that passed is told, and a half-written line does no harm" {
    record opt05_multiblock pass 40 20 >"$BATS_TEST_TMPDIR/now"
    { record opt05_multiblock pass 50 2; record opt05_multiblock wrong 10 3; printf '{"submission":"","st'; } \
        >"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $output == *"pass: right in every output of every call (your last attempt: wrong)"* ]]
    [[ $(flat) == *"25 % faster than your last attempt that passed"* ]]
    run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR"/{now,earlier}
    [[ $output == *"25 % faster than your last attempt that passed"* ]]
}

@test "a wrong answer's time is shown against nothing" {
    record opt05_multiblock wrong 40 20 >"$BATS_TEST_TMPDIR/now"
    record opt05_multiblock pass 50 2 >"$BATS_TEST_TMPDIR/earlier"
    run -0 desk
    [[ $output == *"call 0, bin 7: expected 4, got 5"* ]]
    [[ $output != *"faster"* && $output != *"us a call"* ]]
}

@test "nvcc's errors get the form that editors know" {
    record opt05_multiblock build-failed 0 20 >"$BATS_TEST_TMPDIR/now"
    printf '%s\n' 'NVCC labs/x.cu' 'labs/opt05_multiblock/opt_2dhisto.cu(29): error: expected a ";"' '      }' '      ^' '' \
        '1 error detected in the compilation of "x".' >"$BATS_TEST_TMPDIR/log"
    LOG=$BATS_TEST_TMPDIR/log run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ $output == *"labs/opt05_multiblock/opt_2dhisto.cu:29: error: expected a"* ]]
    [[ $output != *"detected in"* ]]
}

@test "of the compiler's errors the first three, with no mark below a line that is cut; make and the linker's driver add none" {
    local long log=$BATS_TEST_TMPDIR/log error=labs/opt05_multiblock/opt_2dhisto.cu:29:9:\ error:
    printf -v long '%090d' 0
    record opt05_multiblock build-failed 0 20 >"$BATS_TEST_TMPDIR/now"
    printf '%s\n' "$error one" '   29 | x = y' '      | ^' "$error two" "   30 | $long" "      | ${long//0/ }^" "$error three" \
        'collect2: error: ld returned 1 exit status' 'make: error: 1' >"$log"
    LOG=$log run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ ${lines[0]} == "$error one" && ${lines[1]} == '   29 | x = y' && ${lines[2]} == '      | ^' && ${lines[3]} == "$error two" ]]
    [[ ${lines[4]} == '   30 | 000'*'~' && ${lines[5]} == "$error three" && $output != *@(collect2|make: error|"and more: ")* ]]
    echo "$error four" >>"$log"
    LOG=$log run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ ${lines[6]} == "and more: $log" && $output != *four* ]]
}

@test "below an error stands what the function takes: the compiler's first candidate that is not the emulator's own" {
    local error=labs/opt05_multiblock/opt_2dhisto.cu:29:9:\ error: header=emulator/include/device_functions.h:9:9:\ note:
    record opt05_multiblock build-failed 0 20 >"$BATS_TEST_TMPDIR/now"
    printf '%s\n' "$error no matching function" '   29 | x = y' "$header candidate: 'void emulator::x()'" "$header in expansion" \
        "$header candidate: 'int f(int *, int)'" "$header candidate: 'float f(float *, float)'" "$error two" >"$BATS_TEST_TMPDIR/log"
    LOG=$BATS_TEST_TMPDIR/log run -0 report/one-step opt05_multiblock "$BATS_TEST_TMPDIR/now"
    [[ ${lines[2]} == "      note: candidate: 'int f(int *, int)'" && ${lines[3]} == "$error two" && $output != *@(emulator::|float)* ]]
}

# ---- what a step is compared with on a GPU: the day's baselines ---------------------------------------

# again [DRIVER]: take_baselines in a process of its own, with a stand-in for measuring. Prints the run file.
again() {
    ( # shellcheck disable=SC2034,SC2317  # desk/baselines.sh uses these
        . desk/baselines.sh
        # shellcheck source=/dev/null
        . common/prelude.sh && . common/build/grading.sh
        measure_baselines() {
            echo measured >>"$BATS_TEST_TMPDIR/measured"
            printf '%s\n' 'reference-seconds 20' 'roof-gbps 4000' 'roof-gbps 4100' 'overhead-seconds 0.1' 'idle-watts 70' >>"${run[file]}.told"
        }
        device=gpu out=$BATS_TEST_TMPDIR version=1 iterations=1000 settings=('samples 5')
        device_file=$BATS_TEST_TMPDIR/device
        printf '%s\n' 'kind gpu' 'uuid GPU-1' "driver ${1-580}" "memory_bytes $RANDOM" >"$device_file"
        use_run opt_2dhisto "$out/run" - -
        write_run "$device_file" "${settings[@]}"
        take_baselines
        echo "$measured_at" && cat "$out/run" "$out/run.told"
    )
}

@test "on a GPU the baselines are measured once a day for a GPU, driver and harness; kept figures reach the judge, with their age" {
    kept=$BATS_TEST_TMPDIR/baselines-opt_2dhisto
    run -0 again
    [[ ${lines[0]} == device* && ${#lines[@]} -eq 11 ]] # measured now: no age
    run -0 again
    [[ ${lines[0]} =~ ^20[0-9-]+\ [0-9:]+\ UTC$ && "${lines[*]:5}" == "iterations 1000 samples 5 reference-seconds 20 roof-gbps 4000 roof-gbps 4100 overhead-seconds 0.1 idle-watts 70" ]]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/measured")" -eq 1 ]
    again 590 >/dev/null # another driver
    [ "$(wc -l <"$BATS_TEST_TMPDIR/measured")" -eq 2 ]
    read -r key at <"$kept"
    sed -i "1s/.*/$key $((at - 86500))/" "$kept" # of yesterday
    again 590 >/dev/null
    [ "$(wc -l <"$BATS_TEST_TMPDIR/measured")" -eq 3 ]
    record opt05_multiblock pass 40 20 >"$BATS_TEST_TMPDIR/now"
    : >"$BATS_TEST_TMPDIR/earlier"
    BASELINES='2026-11-20 07:00 UTC' run -0 desk
    [[ $(flat) == *" roof and CPU thread: as measured here on 2026-11-20 07:00 UTC; make grade measures them again "* ]]
}

# ---- make watch ------------------------------------------------------------------------------------

# Wait until the file holds a text so many times, while the watch runs; on a busy machine a grading takes minutes.
wait_for() {
    for ((i = 0; i < 3000; i++)); do
        (($(grep -c -- "$2" "$1") >= $3)) && return
        kill -0 "$watching" || break
        sleep 0.2
    done
    cat "$1"
    return 1
}

@test "make watch: again at each save, also where the editor replaces the file; Ctrl-C ends it" {
    local log=$BATS_TEST_TMPDIR/watch.log
    # A job in the background is deaf to Ctrl-C unless told otherwise, and a terminal's goes to the whole group.
    setsid env --default-signal=INT desk/watch opt05 >"$log" 2>&1 3>&- &
    watching=$!
    wait_for "$log" Watching 1
    echo '#error saved' >>"$step" # in place
    wait_for "$log" Watching 2
    grep -q 'error.*saved' "$log"
    { cat "$step"; echo '#error moved'; } >"$step.new"
    mv "$step.new" "$step"
    wait_for "$log" Watching 3
    grep -q '^> .*error.*moved' "$log" # marked as new
    kill -INT -- "-$watching"
    wait "$watching" # exit status 0
    watching=
    grep -q 'pass: right in every output' "$BATS_TEST_TMPDIR/watch.log"
}

@test "two at once, as with make watch in another window: the second waits for the first" {
    mkdir -p results/desk
    exec {held}>>results/desk/lock
    flock "$held"
    make opt05 >"$BATS_TEST_TMPDIR/second" 2>&1 {held}>&- &
    sleep 3
    [[ ! -s $BATS_TEST_TMPDIR/second ]]
    exec {held}>&-
    wait "$!"
    grep -q 'pass: right in every output' "$BATS_TEST_TMPDIR/second"
}

@test "where most multiprocessors have no block, more threads are what to try after one thread, and more blocks after one block" {
    local threads
    for threads in 1:threads 1024:blocks; do
        jq -c ".launches |= map(.blocks = 1 | .threads = ${threads%:*}) | .step = \"opt04_shared_memory\" | .predicted_limit = \"latency\"" results/desk/results.jsonl >"$BATS_TEST_TMPDIR/now"
        run -0 report/one-step --brief opt04_shared_memory "$BATS_TEST_TMPDIR/now"
        [[ $(flat) == *"To try: more ${threads#*:} in histogram: 131 of an H200's 132 multiprocessors idle"* ]] || { echo "$output"; return 1; }
    done
}

@test "blocks of less than a warp leave lanes idle: more threads a block are what to try, in the long answer too" {
    local brief
    jq -c '.launches |= map(.threads = 1) | .predicted_limit = "latency"' results/desk/results.jsonl >"$BATS_TEST_TMPDIR/now"
    for brief in --brief ''; do
        run -0 report/one-step $brief opt05_multiblock "$BATS_TEST_TMPDIR/now"
        [[ $(flat) == *"To try: at least 32 threads a block in histogram: 31 of each warp's 32 lanes idle Next: "* ]] || { echo "$output"; return 1; }
    done
}

@test "near the roof are fewer bytes what to try, below it fewer launches; a lone launch that limits takes a larger input" {
    local change words
    while IFS='~' read -r change words; do
        jq -c "$change" results/desk/results.jsonl >"$BATS_TEST_TMPDIR/now"
        run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/now"
        [[ $(flat) == *"To try: $words"* ]] || { echo "$output"; return 1; }
    done <<'END'
.predicted_limit = "dram" | .predicted_s = 15e-6 * .iterations~read and write fewer bytes: it is near the roof
.predicted_limit = "dram" | .predicted_s = 25e-6 * .iterations~fewer launches, or ones that overlap
.predicted_limit = "launches"~fewer kernels, copies and memsets for each call
.predicted_limit = "launches" | .launches |= (.[:1] | map(.op = 0))~a larger input: this one takes no longer than its launch. make profile-opt05
END
}

@test "a predicted difference below 5 % has no direction, and one below 1 % is none" {
    local factor words
    while read -r factor words; do
        jq -c ".predicted_s *= $factor" results/desk/results.jsonl >"$BATS_TEST_TMPDIR/now"
        run -0 report/one-step --brief opt05_multiblock "$BATS_TEST_TMPDIR/now" results/desk/history.jsonl
        [[ $(flat) == *" $words your last attempt"* ]] || { echo "$output"; return 1; }
    done <<'END'
1.03 about as fast as
0.97 about as fast as
1.20 slower than
END
}

# As a file manager and a browser name copies: make takes such a name for several.
@test "a copy whose name has blanks costs the tree no Makefile, whatever is typed; a folder's is named, with what to do" {
    local before copy
    before=$(find . labs labs/*/ -maxdepth 1 ! -path ./labs -type f -exec sha256sum {} + | sort)
    for copy in labs/opt05_multiblock/{'opt_2dhisto (copy)','opt_2dhisto copy','my try','opt_2dhisto(1)'}.cu labs/{'opt05_multiblock - Copy','opt05_multiblock (another copy)','opt05_multiblock copy','opt05_multiblock(1)'}; do
        [[ $copy == *.cu ]] && cp "$step" "$copy" || cp -r labs/opt05_multiblock "$copy"
        rm labs/opt04_shared_memory/Makefile # is made anew
        run -0 make
        [[ $copy == *.cu || $output == *"make: '$copy' is no folder of a step, "*": rename it, or move it out of labs/"* ]]
        run make opt05
        ((status == 2 && ${#lines[@]} == 2))
        [[ ${lines[0]} == "make: '$copy' is no folder of a step"* || ${lines[0]} == "make: labs/opt05_multiblock must hold one .cu file, opt_2dhisto.cu; there is also ${copy##*/}" ]]
        [[ $copy == *.cu ]] || { run timeout 60 make -C "$copy" && [[ $output == *"'$copy' is no folder of a step"* ]]; }
        rm -r "$copy"
        diff - <(find . labs labs/*/ -maxdepth 1 ! -path ./labs -type f -exec sha256sum {} + | sort) <<<"$before"
    done
}

@test "a step whose source has another name, or another one beside it: one line, whatever is typed, which says what is there" {
    local names there goal
    mkdir -p results/desk/passed && cp "$step" results/desk/passed/opt05_multiblock.cu
    while IFS='|' read -r names there; do
        rm "$step"
        for name in ${names//,/ }; do cp "$BATS_TEST_TMPDIR/kept.cu" "${step%/*}/$name"; done
        for goal in opt05 {why,hint,last,profile,access}-opt05 'watch opt05' grade 'grade STEPS=opt05' 'submit NAME=a'; do
            # shellcheck disable=SC2086  # words
            run -2 make $goal
            [[ ${lines[0]} == *": labs/opt05_multiblock must hold one .cu file, opt_2dhisto.cu; there is $there" && ${#lines[@]} -eq 2 ]] || { echo "$names: make $goal: $output"; return 1; }
        done
        run -0 make
        [[ $output == *"must hold one .cu file"* ]]
        rm -f "${step%/*}"/*.[cC][uU]
        cp "$BATS_TEST_TMPDIR/kept.cu" "$step"
    done <<'END'
opt_2dhisto.cu,old.cu|also old.cu
opt_2dhisto.cu,zold.cu,opt05.cu|also opt05.cu, zold.cu
opt05.cu|opt05.cu
opt_2dhisto.CU|opt_2dhisto.CU
|none. The version that passed is kept: cp results/desk/passed/opt05_multiblock.cu labs/opt05_multiblock/opt_2dhisto.cu
END
    run -0 make
    [[ $output != *"must hold"* ]]
    run -2 make opt06
    [[ ${lines[0]} == "make: there is no goal 'opt06'"* ]]
}

@test "what a step prints and gets from a compiler: no control character reaches the terminal" {
    sed '1i #include <stdio.h>' "$step" >"$BATS_TEST_TMPDIR/odd.cu"
    sed '0,/CUDA_CHECK(/s//puts("'"$odd"'"), CUDA_CHECK(cudaMemset((void *)"'"$odd"'", 0, -1)), CUDA_CHECK(/' "$BATS_TEST_TMPDIR/odd.cu" >"$step"
    run -2 make opt05
    [[ $output == *'launch-failed: '* ]]
    echo "$output" >"$BATS_TEST_TMPDIR/said"
    "$BATS_TEST_DIRNAME/../controls.pl" "$BATS_TEST_TMPDIR/said" results/desk/results.jsonl
    # The compiler quotes the line, with its tab.
    printf '\tint a = "%s";\n' "$odd" >>"$BATS_TEST_TMPDIR/kept.cu"
    cp "$BATS_TEST_TMPDIR/kept.cu" "$step"
    sed -i '$d' "$BATS_TEST_TMPDIR/kept.cu"
    run -2 make opt05
    [[ $output == *'int a = "'*'build-failed: '* ]] # clang writes more for each odd character, so less of the line fits
    echo "$output" >"$BATS_TEST_TMPDIR/said"
    "$BATS_TEST_DIRNAME/../controls.pl" "$BATS_TEST_TMPDIR/said" results/desk/results.jsonl
}
