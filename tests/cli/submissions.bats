#!/usr/bin/env bats
# Stacks of submissions: ./grade.sh SUBMISSION... In a copy of the tree that has two steps, on the cpu device,
# with an input as small as can be.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load tree

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree
    copy_tree "$tree" 'opt0[56]_*'
    with_one_block "$tree"
    can_be_held "$tree/class/grading/one_step.sh"
    unset CC CXX NO_COLOR
    # A class that is graded once, by one job, for all tests that look at it or go on from there: graded/out.
    cd "$tree" || return
    class=$BATS_FILE_TMPDIR/graded/class
    export mixed=${class%/*} right=$BATS_FILE_TMPDIR/right
    mkdir -p "$class"
    a_mixed_class
    out=$mixed/out
    cd "$mixed" || return
    echo "* correct=6 partial=2" >rubric
    RUBRIC=rubric grade --jobs 1 class/* >printed 2>errors || echo "$?" >status
    # One that is right, graded by one step and as many jobs as there are CPUs: right/out.
    cd "$tree" || return
    class=$right/class out=$right/out
    mkdir -p "$class"
    hand_in alice
    says_its_cpus "$class/alice/$step5"
    cd "$class" && grade --steps 'opt05*' --jobs "$(nproc)" alice >"$right/printed" 2>&1 && : >"$right/passed"
}

setup() {
    cd "$tree" || return
    out=$BATS_TEST_TMPDIR/out class=$BATS_TEST_TMPDIR/class
    mkdir "$class"
    grading=''
    unset CC CXX NO_COLOR
}

# can_be_held FILE: what it grades does not begin with carol as long as there is the file $hold.
can_be_held() {
    cat >>"$1" <<'END'
eval "really_$(declare -f grade_step_of)"
grade_step_of() {
    while [[ -e ${hold-} && $1 == carol ]]; do
        : >"$hold.$2"
        pause 0.1
    done
    really_grade_step_of "$@"
}
END
}

teardown() {
    [[ -z $grading ]] || kill -KILL -- "-$grading" 2>/dev/null || true
}

# A quick grading: grade OPTION... SUBMISSION...
grade() {
    "$tree/grade.sh" --device cpu --no-count --size 47x1301 --out "$out" "$@"
}

# A submission of both steps, each with a comment that makes it like no other: hand_in NAME.
hand_in() {
    local step
    for step in opt05_multiblock opt06_builtin_min; do
        mkdir -p "$class/$1/labs/$step"
        { cat "labs/$step/opt_2dhisto.cu"; printf '// %q\n' "$1"; } >"$class/$1/labs/$step/opt_2dhisto.cu"
    done
}

# Go on from the class that was graded, in a copy. Submissions are called by paths that hold there: class/*.
go_on() {
    rm -r "$class"
    cp -a "$mixed"/{class,out} "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR" || return
}

step5=labs/opt05_multiblock/opt_2dhisto.cu

# What came out of every step, in the order of names: `alice opt05_multiblock pass`.
verdicts() {
    jq -r 'select(.kind == "step") | "\(if .submission == "" then "-" else .submission end) \(.step) \(.verdict)"' \
        "$out/results.jsonl" | LC_ALL=C sort
}

detail() {
    jq -r --arg who "$1" --arg step "$2" 'select(.submission == $who and .step == $step).detail' "$out/results.jsonl"
}

# When something was graded, and from what.
made() {
    jq -r --arg who "$1" 'select(.submission == $who) | "\(.step) \(.when) \(.source_sha256)"' "$out/results.jsonl" | LC_ALL=C sort
}

# alice is right and waits for the device in each call, and her other step is this tree's own; bob is wrong and does not compile; carol has one step.
a_mixed_class() {
    hand_in alice
    cp "labs/opt06_builtin_min/opt_2dhisto.cu" "$class/alice/labs/opt06_builtin_min"
    sed -i '/saturate<<</a\    CUDA_CHECK(cudaDeviceSynchronize());' "$class/alice/$step5"
    hand_in bob
    sed -i 's/height \* width, scratch/height * width \/ 4 * 4, scratch/' "$class/bob/$step5"
    echo 'nonsense' >>"$class/bob/labs/opt06_builtin_min/opt_2dhisto.cu"
    hand_in carol
    rm -r "$class/carol/$step5"
    tar -czf "$class/carol.tar.gz" -C "$class" carol
    rm -r "$class/carol"
    echo 'no archive' >"$class/dave.zip"
}

mixed_verdicts='- opt05_multiblock pass
- opt06_builtin_min pass
alice opt05_multiblock pass
alice opt06_builtin_min pass
bob opt05_multiblock wrong
bob opt06_builtin_min build-failed
carol opt05_multiblock missing
carol opt06_builtin_min pass
dave opt05_multiblock missing
dave opt06_builtin_min missing'

@test "a class: every step of every submission has its verdict, and what belongs to it" {
    go_on
    [ "$(<"$mixed/status")" -eq 1 ]
    [ "$(verdicts)" = "$mixed_verdicts" ]
    # Where no sandbox can be made, a line says so, and nothing else is said.
    if "$tree/class/isolate" --available >/dev/null 2>&1; then
        [ ! -s "$mixed/errors" ]
    else
        [[ $(<"$mixed/errors") == "grade.sh: no isolation: "* && $(wc -l <"$mixed/errors") -eq 1 ]]
    fi
    [[ $(<"$mixed/printed") == 'Found 4 submissions and 2 steps: opt05 opt06'$'\n''No roster: '*'To grade: 8 steps, 1 at a time: about '*' minute'* ]]
    [[ $(tail -n 6 "$mixed/printed") == 'Class: 4 submissions, 2 steps'$'\n''Verdicts: 3 pass, 1 wrong, 1 build-failed, 3 missing'$'\n''Per cent of '*'For a person to look at: '*' worth a look'* ]]
    [[ $(detail bob opt06_builtin_min) == "opt06_builtin_min/opt_2dhisto.cu:"*"error: 'nonsense'"* ]]
    [ "$(detail carol opt05_multiblock)" = "the submission has no opt05_multiblock/opt_2dhisto.cu" ]
    [[ $(detail dave opt05_multiblock) == *"neither a directory nor a .tar.gz"* ]]
    grep -q "'nonsense'" out/logs/bob/opt06_builtin_min.log
    [ -s out/feedback/alice.md ]
    [[ $(<"$mixed/printed") == *"/index.html first: "* ]]
    # The rubric pays a part: in most sizes bob loses none of the last pixels. Nobody else has a share.
    [ "$(jq -c "select(.checks) | [.submission, .step, .checks, .checks_right]" out/results.jsonl)" = "[\"bob\",\"opt05_multiblock\",15,7]" ]
    grep -q 'title="opt05: wrong, 0.93 of 6' out/index.html
    cmp out/submissions/carol/labs/opt06_builtin_min/opt_2dhisto.cu \
        <(tar -xzOf class/carol.tar.gz carol/labs/opt06_builtin_min/opt_2dhisto.cu)
    [[ $(cut -f 1 out/submissions.tsv | paste -sd ' ') == "alice bob carol dave" ]]
    [[ $(grep '^dave' out/submissions.tsv | cut -f 3) == *refused* ]]
    [ ! -e "$tree/build/class" ] || [ -z "$(ls "$tree"/build/class/*/* 2>/dev/null)" ]
}

@test "what is in the folder is the instructor's: the seed, the records, the copies" {
    cd "$mixed/out"
    for file in run results.jsonl submissions/alice; do
        [[ $(stat -c %A "$file") == ????------ ]]
    done
    [[ $(head -n 1 run) =~ ^[0-9]+$ ]]
    run ! grep -qF "$(head -n 1 run)" ../printed ../errors
    [ "$(jq -r .seed results.jsonl | sort -u)" = "$(head -n 1 run)" ]
}

@test "who has the same source as another gets its record and log: it is graded once, also in a later run" {
    hand_in alan
    cp -r "$class/alan" "$class/alice"
    run -0 grade --steps 'opt05*' --jobs 2 "$class"/*
    cp -r "$class/alan" "$class/zoe"
    run -0 grade --steps 'opt05*' --jobs 2 "$class"/*
    [ "$(verdicts)" = '- opt05_multiblock pass
alan opt05_multiblock pass
alice opt05_multiblock pass
zoe opt05_multiblock pass' ]
    [ "$(made alan)" = "$(made alice)" ]
    [ "$(made alan)" = "$(made zoe)" ]
    cmp "$out/logs/alan/opt05_multiblock.log" "$out/logs/zoe/opt05_multiblock.log"
}

@test "a file is copied byte for byte without a program" {
    . class/grading/builds.sh
    cd "$BATS_TEST_TMPDIR"
    for bytes in '' a '\n' '\0' 'a\0\0b' '\0\n\xff\xfe x\n' 'line\nend\0'; do
        printf %b "$bytes" >from
        copy from to
        cmp from to
    done
    run ! copy none to
}

@test "nothing new: nothing is done twice" {
    go_on
    run -1 grade --jobs 3 class/*
    cmp out/results.jsonl "$mixed/out/results.jsonl"
    [[ $output == *"Class: 4 submissions, 2 steps"* ]]
    [ ! -s out/superseded.jsonl ]
}

@test "a wrong answer graded before the rubric paid a part of it: no points are final until the same command has counted its checks" {
    go_on
    sed -i -E 's/,"checks":[0-9]+,"checks_right":[0-9]+//' out/records/bob/opt05_multiblock.jsonl out/results.jsonl
    echo '* correct=6 partial=2' >rubric
    RUBRIC=$PWD/rubric run -0 "$tree/class/points" out
    [[ $output == *'nothing yet: in how many checks it is right has not been counted; the total is not final'* ]]
    RUBRIC=rubric run -1 grade class/*
    [ "$(jq -c "select(.checks) | [.submission, .step, .checks, .checks_right]" out/results.jsonl)" = "[\"bob\",\"opt05_multiblock\",15,7]" ]
    [ "$(jq -r .submission out/superseded.jsonl)" = bob ]
}

@test "pages that were made after a stop know of no pairs: the same command adds them, by the assignment's own rubric" {
    cp -a "$right/out" "$out"
    ln -s "$out" "$tree/stopped" # a folder that is named from the tree
    rm "$out/similar.html"
    class/pages stopped
    echo 'rubric * correct=1' >"$BATS_TEST_TMPDIR/lab"
    out=stopped run -0 grade --steps opt05 --assignment "$BATS_TEST_TMPDIR/lab" "$right/class/alice"
    rm "$tree/stopped"
    [[ $output == *'alice opt05_multiblock: 1 of 1, was 6 of 6: '* && $output != *'not known'* ]]
    grep -q similar.html "$out/index.html"
}

@test "whose points have changed: of a whole class the first, and how many more" {
    . class/grading/progress.sh
    work=$BATS_TEST_TMPDIR
    seq 300 | sed 's/.*/s& opt05_multiblock: 1 of 1, was 6 of 6: 1 of 1 for the answer (pass)/' >"$work/changes"
    run -0 say_changes
    [ "${#lines[@]}" -eq 6 ]
    [[ ${lines[0]} == 's1 opt05'* && ${lines[5]} == "and 295 more changes of points: $out/history has them all" ]]
    sed -i 6q "$work/changes"
    run -0 say_changes
    [[ ${lines[5]} == "and 1 more change of points: "* ]]
    sed -i 5q "$work/changes"
    run -0 say_changes
    [ "$output" = "$(<"$work/changes")" ]
}

@test "everything passes: exit status 0" {
    cp -a "$right/out" "$out"
    [ -e "$right/passed" ]
    [[ $(<"$right/printed") == *"Class: 1 submission, 1 step"* ]]
    [ "$(verdicts)" = "- opt05_multiblock pass
alice opt05_multiblock pass" ]
}

@test "the lines that a hazard names are found in a submission, and its file is called as its author knows it" {
    run -0 jq -r 'select(.submission == "alice").hazards[] | select(.kind == "synchronizes-in-call") | .kind, (.places[0] | .file, .source, .host)' "$mixed/out/results.jsonl"
    [ "$output" = "synchronizes-in-call
$step5
CUDA_CHECK(cudaDeviceSynchronize());
true" ]
    grep 'synchronizes-in-call: opt_2dhisto.cu:[0-9]' "$mixed/out/feedback/alice.txt"
}

# The CPUs that a process may run on.
cpus='s/^Cpus_allowed_list:[[:space:]]*//p'

# says_its_cpus FILE: the step prints them.
says_its_cpus() {
    sed -i -e '1i #include <sched.h>\n#include <stdio.h>' -e '/^void opt_2dhisto_setup(/a\    cpu_set_t set; sched_getaffinity(0, sizeof set, \&set);\n    for (int i = 0; i < CPU_SETSIZE; i++) if (CPU_ISSET(i, \&set)) printf("Cpus_allowed_list: %d\\n", i);' "$1"
}

@test "who is graded at the same time as others has CPUs of its own" {
    (($(nproc) > 1)) || skip "there is one CPU"
    run -0 env cpus="$cpus" bash -c '
        . class/grading/gpu.sh
        jobs=2 device=cpu
        share_cpus
        for worker in 0 1; do (take_cpus "$worker" && sed -n "$cpus" /proc/self/status); done'
    [ "$(tr , '\n' <<<"$output" | sort -u | wc -l)" -eq "$(nproc)" ]
    # And a step says so itself.
    run -0 sed -n "$cpus" "$right/out/logs/alice/opt05_multiblock.log"
    [[ $(sort -u <<<"$output") =~ ^[0-9]+$ ]]
}

@test "a worker that is killed: what it grades ends before anybody else grades it" {
    run -1 bash -c '
        . common/prelude.sh && . common/build/attend.sh && . class/grading/workers.sh
        out=$BATS_TEST_TMPDIR work=$out grader=$$
        mkdir "$out/logs" && exec {attending}>&2
        take_cpus() { :; }
        grade_same() {
            read -r _ _ _ worker _ </proc/"$BASHPID"/stat
            kill -KILL "$worker"
            sleep 0.5
            : >"$work/ended"
        }
        echo "opt05 - alice" >"$work/handed-in"
        work_off "$work/handed-in" 2
        status=$?
        [[ -e $work/ended ]] || exit 3
        exit "$status"'
}

@test "what was built of a source takes no room once it has been graded, and nothing else is emptied" {
    cd "$BATS_TEST_TMPDIR"
    place=build/class/run/step/hash
    mkdir -p $place build/cpu/$place
    drop() {
        echo a | tee build/cpu/$place/runner{,-checked} build/cpu/$place/x.o >build/runner
        echo 0 >$place/status
        ln -sf ../../../../../../runner build/cpu/$place/runner-counted
        run -0 bash -c '. "$tree/class/grading/builds.sh"; place=$1 built=$2 emulated=$3; drop_build' . "$@"
        [ "$(<build/runner)" = a ]
    }
    drop $place build/cpu/$place ''
    [[ ! -s $place/status && ! -s build/cpu/$place/runner && ! -s build/cpu/$place/runner-checked && ! -s build/cpu/$place/x.o ]]
    for place_of in build .. build/cpu/labs/opt05; do drop "$place_of" "$place_of" "$place_of"; done
    [ -s build/cpu/$place/runner ]
}

@test "a submission that has changed is graded again, where it has changed; --regrade does some again, once" {
    go_on
    alice=$(made alice) bob=$(made bob)
    echo '// once more' >>"class/alice/$step5"
    sleep 1
    run -1 grade --regrade 'b*/opt*' class/{alice,bob}
    [ "$(comm -12 <(made bob) - <<<"$bob" | wc -l)" -eq 0 ]
    [ "$(made alice | grep opt06)" = "$(grep opt06 <<<"$alice")" ]
    [[ $(made alice) == *" $(sha256sum <"class/alice/$step5" | cut -d ' ' -f 1)"* ]]
    [ "$(verdicts)" = "$mixed_verdicts" ]
    [ "$(jq -r '"\(.submission) \(.step)"' out/superseded.jsonl | LC_ALL=C sort)" = 'alice opt05_multiblock
bob opt05_multiblock
bob opt06_builtin_min' ]
    run -2 grade --regrade 'opt99*' class/bob
    [[ $output == *"--regrade 'opt99*' names nothing"* ]]
    [ ! -e out/regrade ]
    # Of all: what --regrade was killed at goes on, and does not begin anew. bob's is done, alice's and this tree's are not.
    own=$(made '') alice=$(made alice) bob=$(made bob)
    echo 'opt05*' >out/regrade
    sleep 1
    touch out/records/bob/opt05_multiblock.jsonl
    run -1 grade --regrade 'opt05*' class/{alice,bob}
    [ "$(made bob)" = "$bob" ]
    for who in alice ''; do
        earlier=${own}
        [[ -z $who ]] || earlier=$alice
        [ "$(made "$who" | grep opt05)" != "$(grep opt05 <<<"$earlier")" ]
        [ "$(made "$who" | grep opt06)" = "$(grep opt06 <<<"$earlier")" ]
    done
    [ "$(verdicts)" = "$mixed_verdicts" ]
    [ ! -e out/regrade ]
    # Handed in at last, and taken back.
    rm "class/alice/$step5"
    run -1 grade class/alice
    [ "$(verdicts)" = "${mixed_verdicts/alice opt05_multiblock pass/alice opt05_multiblock missing}" ]
}

@test "an assignment: other steps and points grade nothing again; what nobody has begun is neither built nor run" {
    go_on
    local before
    before=$(made alice)$(made bob)
    mkdir files
    printf '%s\n' 'steps opt05' 'device gpu' 'total 100' 'roster people.csv' >files/lab
    printf 'name,login\nAlice A,alice\nEve E,eve\n' >files/people.csv
    run -1 grade --assignment files/lab class/*
    cmp out/results.jsonl "$mixed/out/results.jsonl"
    [[ $output == *"everybody opt06_builtin_min: it counts no longer"*"Class: 4 submissions, 1 step"* ]]
    grep -q 'Grade: 0 of 100 points' out/feedback/carol.txt # missing
    [ "$(grep ^roster out/assignment)" = "roster $PWD/files/people.csv" ]
    [ "$(cut -f 1,2 out/people.tsv | grep -c 'alice.Alice A')" -eq 1 ]
    # Other steps, a rubric of its own that pays what no rubric paid before, a date, and one who has begun nothing.
    printf '%s\n' 'steps opt05 opt06' 'rubric * correct=1 predicted=1' 'due 2000-01-01 10:00' 'zone UTC' 'late 10' 'extension nobody 1' 'earlier last' 'file finn opt05 old/k.cu' >files/lab
    mkdir -p class/{eve,finn}/labs/opt0{5_multiblock,6_builtin_min}
    (cd "$tree" && build/grades starter "${step5%/*}/step.md" "$step5") >class/eve/starter
    sed 's/partial/mine/g; s/BEGIN SOLUTION/mine/' "$tree/$step5" >class/eve/labs/opt06_builtin_min/opt_2dhisto.cu # a copy of what is published
    { echo '// mine'; tr -s ' ' <class/eve/starter; } >"class/eve/$step5"
    local own='int f(int a) { while (a > 3) a = a * 7 - (a << 2); return a ^ 5; } int g(int b) { for (int k = 0; k < b; ++k) b -= k * k | 3; return b; } int'
    mkdir class/finn/old
    echo "$own nonsense /* TODO */" >class/finn/old/k.cu
    echo %PDF >class/finn/report.pdf
    mkdir -p files/last/submissions/zoe/labs/opt05_multiblock && cp class/finn/old/k.cu files/last/submissions/zoe/labs/opt05_multiblock/opt_2dhisto.cu
    echo "$own  nonsense // other" >class/finn/labs/opt06_builtin_min/opt_2dhisto.cu
    run -1 grade --assignment files/lab class/*
    [ "$(grep -c "'nobody' is nobody who handed in" <<<"$output")" -eq 1 ]
    [ "$(made alice)$(made bob)" = "$before" ]
    [ ! -s out/superseded.jsonl ]
    grep -q 'finn and last/zoe' out/similar.html
    grep -q ': + late 10$' out/history # who and when stand before it
    [ "$(verdicts | grep -v 'eve\|finn')" = "$mixed_verdicts" ]
    [ "$(verdicts | grep 'eve\|finn' | cut -d ' ' -f 3 | paste -sd ' ')" = 'not-started not-started build-failed not-started' ]
    [ "$(detail eve opt05_multiblock)" = 'this is the file as it was handed out' ]
    [ "$(detail eve opt06_builtin_min)" = 'this is opt05_multiblock, as it is published, under another name' ]
    [[ $(grep ^finn out/submissions.tsv) == *"not graded: 'report.pdf'" ]]
    [ "$(detail finn opt06_builtin_min)" = 'this is opt05_multiblock of the same submission under another name' ]
    [ ! -e out/logs/eve/opt05_multiblock.log ]
    grep -q "Begin with this step's own file" out/feedback/finn.txt
    [[ $(<out/feedback/eve.txt) == *'0 of 2 points'*'opt05_multiblock'*'not-started'* ]]
    # From now on the folder knows it, with what it says of a file. One as it was handed out by another harness is listed by its hash.
    cp -p out/results.jsonl results
    run -1 grade --steps opt05 class/*
    cmp out/results.jsonl results
    [[ $output == *"Class: 6 submissions, 2 steps"* ]]
    printf '/* TODO */ int i;\n' >"class/eve/$step5"
    (cd class/eve && sha256sum labs/opt05*/*.cu) >files/hashes
    echo 'handed-out hashes' >>files/lab
    run -1 grade --assignment files/lab --steps opt05 class/eve
    [[ $(verdicts) == *'eve opt05_multiblock not-started'* ]]
    [ "$(wc -l <out/superseded.jsonl)" -eq 1 ]
    # Without its records a submission is in the class no more.
    rm -r out/records/finn out/feedback/finn.*
    run -1 grade --steps opt05 class/eve
    [[ $output == *"Class: 5 submissions, 2 steps"* ]]
    [[ $output == *$'\nGraded before, and still in the class: 4: alice bob carol dave\n'* ]]
    run ! grep -rq finn out/submissions.tsv out/people.tsv out/results.jsonl out/index.html out/similar.html
    run ! compgen -G 'out/*/finn*'
}

@test "other options, another folder's kind, a changed harness: refused, with what to do" {
    go_on
    run -2 grade --iterations 3 class/*
    [[ $output == *"other options (there: iterations 2, here: iterations 3): give those of there to go on, or choose another folder with --out"* ]]
    # Before anything is built for the other device.
    mkdir bin
    printf '#!/bin/sh\n: >%s/called\n' "$PWD" | tee bin/nvcc >bin/nvidia-smi
    chmod +x bin/*
    PATH=$PWD/bin:$PATH run -2 grade --device gpu --iterations 3 class/*
    [[ $output == *"(there: device cpu, here: device gpu): give those"* ]]
    [ ! -e called ]
    run -2 grade --seed 5 class/*
    [[ $output == *"another seed"* ]]
    run -2 grade
    [[ $output == *"holds a grading of submissions"* ]]
    # The tree's own folder has another name for who stands elsewhere.
    mkdir -p "$tree/results" && touch "$tree/results/run"
    run -2 "$tree/grade.sh" --device cpu --no-count
    [[ $output == "grade.sh: $tree/results holds a grading of submissions"* ]]
    # And the other way round.
    mv "$tree/results/run" "$tree/results/results.jsonl"
    run -2 "$tree/grade.sh" --device cpu --no-count class/*
    [[ $output == "grade.sh: $tree/results holds a grading of this tree's own steps: choose another folder with --out" ]]
    [ "$(find "$tree/results" -name results.jsonl -o -name run)" = "$tree/results/results.jsonl" ]
    rm -r "$tree/results"
    # A file of the harness that nothing is built of.
    cp -p "$tree/common/gpus/h200.gpu" gpu
    echo '# comment' >>"$tree/common/gpus/h200.gpu"
    run -2 grade class/*
    cp -p gpu "$tree/common/gpus/h200.gpu"
    [[ $output == *"out was graded by histolab $(jq -r .histolab out/results.jsonl | head -n 1), and this is $("$tree/grade.sh" --version | sed 's/.* //') (there: harness "*", here: harness "*"): go on with that version, or grade all again with this one into another folder with --out"* ]]
    cmp out/results.jsonl "$mixed/out/results.jsonl"
}

@test "wrong use: exit status 2 before anything is built" {
    run -2 grade no-such-file
    [[ $output == *"there is no submission"* ]]
    hand_in alice
    echo 'name,id' >"$class/roster.csv"
    run -2 grade "$class/roster.csv"
    [[ $output == *"so no submission"* ]]
    mkdir -p "$class/graded/records" && : >"$class/graded/results.jsonl"
    run -2 grade "$class/graded"
    [[ $output == *"is a folder of results, and no submission"* ]]
    run -2 grade --seed -1 "$class/alice"
    [[ $output == *"--seed takes a whole number"* ]]
    [ ! -e "$out/results.jsonl" ]
}

@test "the same step in several folders of one folder: several submissions, which are to be named, but for a platform's download" {
    mkdir -p "$class"/lab-{a,b}/labs/opt05_multiblock
    : | tee "$class"/lab-{a,b}/labs/opt05_multiblock/opt_2dhisto.cu
    run -2 grade --steps opt05 "$class"
    [[ ${lines[-1]} == *"has several folders that hold opt05_multiblock, so several submissions: ./grade.sh $class/*" ]]
    mv "$class" "$BATS_TEST_TMPDIR/lab-submissions"
    run -1 grade --steps opt05 "$BATS_TEST_TMPDIR/lab-submissions"
    [[ $output == *"a download by github, of 2 submissions"*"2 build-failed"* ]]
}

@test "hostile names do no harm, and keep their ids" {
    rm -r "$class"
    cp -a "$right"/{class,out} "$BATS_TEST_TMPDIR" # alice is graded; the others have the same source
    odd=("-rf" "a b" 'a$(touch "$0")`x`' $'new\nline\ttab\\' '@' '*' "é" '-.zip' "q'\"q]" "$(printf 'x%.0s' {1..200})"
        build.log opt05_multiblock.log results.jsonl)
    for name in "${odd[@]}"; do mkdir "$class/$name" && cp -r "$class/alice/labs" "$class/$name/"; done
    cp -r "$class/alice" "$BATS_TEST_TMPDIR/alice"
    cd "$class"
    run -0 "$tree/grade.sh" --device cpu --no-count --size 47x1301 --out "$out" --steps 'opt05*' -- * "$BATS_TEST_TMPDIR/alice"
    [ "$(verdicts | grep -c ' pass$')" -eq 16 ]
    ids=$(cut -f 1 "$out/submissions.tsv")
    [[ $ids == *alice-2* ]]
    [ -f "$out/logs/build.log" ]
    [ "$(grep -cE '^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*$' <<<"$ids")" -eq 15 ]
    before=$(cat "$out/results.jsonl")
    run -0 "$tree/grade.sh" --device cpu --no-count --size 47x1301 --out "$out" --steps 'opt05*' -- "$BATS_TEST_TMPDIR/alice" *
    [ "$(cut -f 1 "$out/submissions.tsv")" = "$ids" ]
    [ "$(cat "$out/results.jsonl")" = "$before" ]
}

# ---- killed ------------------------------------------------------------------------------------------

# start_grading JOBS
start_grading() {
    setsid "$tree/grade.sh" --device cpu --no-count --size 47x1301 --jobs "$1" --out "$out" "$class"/* \
        >"$BATS_TEST_TMPDIR/printed" 2>&1 3>&- &
    grading=$!
}

# Wait until the running grading has come so far: so many records, or its end.
wait_for_records() {
    until (($(cat "$out"/records/*/*.jsonl 2>/dev/null | wc -l) >= $1)); do
        kill -0 "$grading" 2>/dev/null || return 0
        sleep 0.05
    done
}

@test "killed at any moment, the same command goes on and loses nothing; four jobs come to the same verdicts as one" {
    # Of the class that one job has graded, bob and carol once more, and at the end a step of alice; with LONG all.
    if [[ ${LONG-} ]]; then a_mixed_class; else go_on && rm out/records/{bob,carol}/*.jsonl; fi
    there=$(cat "$out"/records/*/*.jsonl 2>/dev/null | wc -l)
    for turn in 1 2 ${LONG:+7}; do
        start_grading 4
        wait_for_records $((there + turn))
        # At times everything goes, at times one process of it.
        if ((turn % 2)); then kill -KILL -- "-$grading"; else kill -KILL "$grading"; fi || true
        wait "$grading" || true
        cat "$out"/records/*/*.jsonl >"$BATS_TEST_TMPDIR/at-$turn"
        [ -s "$BATS_TEST_TMPDIR/at-$turn" ]
    done
    # And in the middle of a write.
    printf '{"submission":"alice","step":"opt05_mul' | tee "$out/records/alice/opt05_multiblock.new" >>"$out/results.jsonl"
    : >"$out/records/alice/opt06_builtin_min.jsonl"
    run -1 grade --jobs 4 "$class"/*
    [ "$(verdicts)" = "$mixed_verdicts" ]
    # What was there stayed as it was.
    for earlier in "$BATS_TEST_TMPDIR"/at-*; do
        [ "$(grep -v '"submission":"alice","step":"opt06' "$earlier" | grep -cvxFf "$out/results.jsonl")" -eq 0 ]
    done
    [ ! -s "$out/superseded.jsonl" ]
}

@test "two gradings of one tree, into two folders, build one after the other" {
    hand_in alice
    rm build/judge-opt_2dhisto
    exec {held}<build
    flock "$held"
    run -124 timeout 4 "$tree/grade.sh" --device cpu --out "$out" "$class"/*
    [[ -d $out/logs && ! -e build/judge-opt_2dhisto ]]
    exec {held}<&-
    make -s build/judge-opt_2dhisto
}

@test "two gradings do not mix: the second is told; Ctrl-C says how to go on, and leaves nothing behind" {
    go_on
    rm out/records/carol/*.jsonl
    export hold=$BATS_TEST_TMPDIR/hold
    : >"$hold"
    start_grading 2
    until [[ $(<out/lock) == *" $grading" ]]; do kill -0 "$grading"; sleep 0.05; done
    run -3 grade class/*
    [[ $output == *"another grading is at work in $out (process $grading)"* ]]
    until [[ -e $hold.opt05_multiblock && -e $hold.opt06_builtin_min ]]; do kill -0 "$grading"; sleep 0.05; done
    kill -TERM "$grading"
    wait "$grading" && status=0 || status=$?
    [ "$status" -eq 143 ]
    grep -q 'stopped; the same command goes on from here' "$BATS_TEST_TMPDIR/printed"
    ps -o stat=,args= -s "$grading" >left || true
    run ! grep -v '^Z' left
    [ "$(verdicts)" = "$(grep -v carol <<<"$mixed_verdicts")" ]
    # Who has no record yet is in the class all the same, and waits.
    run -0 "$tree/class/pages" out
    [[ $output == *'4 submissions, 2 steps'* && $output == *'2 still to be graded'* ]]
    run -1 "$tree/class/export" csv out
    [[ $output == *'submission carol: no grade, still to be graded: opt05_multiblock, opt06_builtin_min'* ]]
    rm -r out/exports "$hold"
    run -1 grade class/*
    [ "$(verdicts)" = "$mixed_verdicts" ]
}
