#!/usr/bin/env bats
# desk/step: what changed between steps, and a step of one's own. Works on a copy of labs/.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    work=$BATS_TEST_TMPDIR
    mkdir "$work/common" "$work/desk"
    cp -r "$BATS_TEST_DIRNAME"/../../common/{prelude.sh,build,problems} "$work/common/"
    cp "$BATS_TEST_DIRNAME/../../desk/step" "$work/desk/"
    cp -r "$BATS_TEST_DIRNAME/../../labs" "$work/"
    ln -s "$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"/{report,build} "$work/"
    step=$work/desk/step
}

@test "step diff: shows what a step changes in the one that it builds on" {
    run "$step" diff opt05
    [ "$status" -eq 0 ]
    [[ "$output" == *"--- opt04_shared_memory/opt_2dhisto.cu"* ]]
    [[ "$output" == *"+    histogram<<<blocks, THREADS>>>"* ]]
    cp "$work/labs/opt04_shared_memory/opt_2dhisto.cu" "$work/labs/opt05_multiblock"
    run -0 "$step" diff opt05
    [ "$output" = "opt04_shared_memory/opt_2dhisto.cu and opt05_multiblock/opt_2dhisto.cu are equal" ]
}

@test "step new: begins with the last step of the ladder, and its header is complete" {
    last=$(cd "$work/labs" && printf '%s\n' sum* | tail -n 1)
    run "$step" new sum99_mine
    [ "$status" -eq 0 ]
    cmp "$work/labs/sum99_mine/opt_sum.cu" "$work/labs/$last/opt_sum.cu"
    for key in title idea; do
        grep -q "^$key: ." "$work/labs/sum99_mine/step.md"
    done
    grep -qx "builds-on: $last" "$work/labs/sum99_mine/step.md"
}

@test "step new: lint names what is still to be written in the new step, with file and line" {
    unfilled=$BATS_TEST_DIRNAME/../unfilled
    run -0 "$unfilled" "$work"/labs/opt05*
    "$step" new sum99_mine >/dev/null
    page=$work/labs/sum99_mine/step.md
    run -1 "$unfilled" "$work/labs/sum99_mine"
    [[ ${lines[0]} == "$page:1: the title is only the name of the directory"* ]]
    [[ ${lines[1]} == "$page:2: this is still what make new wrote: idea: "* ]]
    [[ ${lines[2]} == "$page:6: this is still"* && ${lines[3]} == "$page:9: this is still"* ]] # goal, task
    [[ ${lines[4]} == "$page:11: the section \"Difficulties\" is empty" && ${#lines[@]} -eq 8 ]]
    [[ ${lines[7]} == "$work/labs/sum99_mine/opt_sum.cu:1: the first comment is of another step, sum"[0-9]*": rewrite it" ]]
    sed -i '1s/^.. sum[0-9]*:/\/* sum99:/' "$work/labs/sum99_mine/opt_sum.cu"
    sed -i '1s/mine/My idea/; s/(to write: .*)/Words./; s/^## [DTW].*/&\nWords./' "$page"
    run -0 "$unfilled" "$work/labs/sum99_mine"
}

@test "step new: refuses a bad name, a number that is taken and an unknown ladder, and makes nothing" {
    before=$(ls "$work/labs")
    for name in foo ../opt98_x opt05_again zzz01_x ""; do
        run "$step" new "$name"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
    [ "$(ls "$work/labs")" = "$before" ]
}

@test "step hint: a question, the idea, the lines of another step, each when it is asked for; a course may have none" {
    run -0 "$step" hint opt05
    [[ ${lines[1]} == *"ask of every index: does it count within the"* && $output == *"come from mixing"*"make hint-opt05 again."* && $output != *"Two blocks"* ]]
    # A question comes with what it is about.
    run -0 "$step" hint sum09
    [[ $output == *"A thread now adds some hundred numbers one after the other. Is that still"* ]]
    run -0 "$step" hint opt05
    [[ $output == *"Two blocks for each multiprocessor: the whole GPU works."* && $output != *atomicAdd* ]]
    for _ in 1 2; do
        run -0 "$step" hint opt05
        [[ $output == *"byte02_shared_atomics shows it, for another problem:"*"atomicAdd(&counts["* ]]
    done
    # In a handout that step is the student's own to write, and step.md has nothing of others.
    : >"$work/common/handed-out"
    run -0 "$step" hint opt05
    [[ $output == *"There are no lines to show."* && $output != *"others found"* ]]
    rm "$work/common/handed-out"
    run ! grep -q '^hints:' "$work/labs/opt05_multiblock/step.md"
    mkdir "$work/common/hints" && : >"$work/common/hints/recorded"
    "$step" hint opt04 >/dev/null && "$step" hint opt04 >/dev/null
    [ "$(sed '/^$/q' "$work/labs/opt04_shared_memory/step.md" | grep '^hints:')" = "hints: 2" ]
    mv "$work/common/hints/"{recorded,off}
    run -2 "$step" hint opt04
    [ "$output" = "hint: there are no hints in this course: ask your instructor" ]
}

@test "step last: what changed since the step passed; that version comes back, and this one is kept" {
    source=labs/opt05_multiblock/opt_2dhisto.cu
    run -2 "$step" last opt05
    [[ $output == *"no version of opt05_multiblock that passed is kept in results/desk/passed"*"make opt05" ]]
    mkdir -p "$work/results/desk/passed" && cp "$work/$source" "$work/results/desk/passed/opt05_multiblock.cu"
    run -0 "$step" last opt05
    [ "$output" = "$source is as it was when it passed" ]
    sed -i 's/atomicAdd/atomicSub/' "$work/$source" && cp "$work/$source" "$work/changed"
    run -0 "$step" last opt05
    [[ $output == *"-"*"atomicAdd"*"+"*"atomicSub"*"make last-opt05 BACK=1"* ]]
    run -0 "$step" last opt05 1
    cmp "$work/$source" "$work/results/desk/passed/opt05_multiblock.cu"
    cmp "$work/changed" "$work/results/desk/passed/opt05_multiblock.before.cu"
    rm "$work/$source"
    run -2 "$step" last opt05
    [[ $output == *"there is none. The version that passed is kept: cp results/desk/passed/opt05_multiblock.cu $source" ]]
}
