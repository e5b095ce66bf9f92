#!/usr/bin/env bats
# desk/step: what changed between steps, and a step of one's own. Works on a copy of labs/.

setup() {
    work=$BATS_TEST_TMPDIR
    mkdir "$work/common" "$work/desk"
    cp -r "$BATS_TEST_DIRNAME"/../../common/{prelude.sh,build} "$work/common/"
    cp "$BATS_TEST_DIRNAME/../../desk/step" "$work/desk/"
    cp -r "$BATS_TEST_DIRNAME/../../labs" "$work/"
    step=$work/desk/step
}

@test "step diff: shows what a step changes in the one that it builds on" {
    run "$step" diff opt05
    [ "$status" -eq 0 ]
    [[ "$output" == *"--- opt04_shared_memory/opt_2dhisto.cu"* ]]
    [[ "$output" == *"+    histogram<<<blocks, THREADS>>>"* ]]
}

@test "step diff: the first step, an unknown one and an ambiguous one are named in one line" {
    for name in opt01 nothing opt1 ""; do
        run "$step" diff "$name"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
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

@test "step new: refuses a bad name, a number that is taken and an unknown ladder, and makes nothing" {
    before=$(ls "$work/labs")
    for name in foo ../opt98_x opt05_again zzz01_x ""; do
        run "$step" new "$name"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
    [ "$(ls "$work/labs")" = "$before" ]
}
