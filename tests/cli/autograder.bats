#!/usr/bin/env bats
# The autograders, unpacked in an empty folder and laid out as the platforms do it; one step, built once.

load failed
bats_require_minimum_version 1.5.0

load tree

setup_file() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_FILE_TMPDIR" || return
    printf '%s\n' 'steps opt02' 'rubric * correct=3' 'total 50' 'due 2000-01-01 10:00' 'zone UTC' 'extension jane 2 ill' >lab
    "$root/class/autograder/pack" gradescope --assignment lab '*' .
    export AUTOGRADER=$BATS_FILE_TMPDIR/autograder
    mkdir -p "$AUTOGRADER"/{source,submission,results}
    bsdtar -xf autograder-gradescope.zip -C "$AUTOGRADER/source"
    cp "$AUTOGRADER/source/run_autograder" "$AUTOGRADER/"
    copy_built "$AUTOGRADER/source/histolab"
    # Small and few inputs and no counters: what is tested is what becomes of a verdict.
    sed -i "s,./grade.sh --device cpu,& --size 61x1021 --no-count," "$AUTOGRADER/source/histolab/class/autograder/grade-one"
    # What setup.sh does where all tools are there; it would install those that are not.
    (cd "$AUTOGRADER/source/histolab" && make -s -j2 build-cpu build/report build/grades >build.log 2>&1) || { cat "$AUTOGRADER/source/histolab/build.log"; return 1; }
}

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    step=opt02_one_block/opt_2dhisto.cu
    results=$AUTOGRADER/results/results.json
    rm -rf "${AUTOGRADER:?}/submission" "$AUTOGRADER/results/"*
    mkdir -p "$AUTOGRADER/submission/opt02_one_block"
}

# A right, a wrong or an uncompilable step, at the path given. What other verdicts become is for exports.bats.
write_step() {
    case $1 in
        right) cp "$root/labs/$step" "$2" ;;
        wrong) (cd "$root" && build/variants print tests/changes/opt05_multiblock.changes counts_padding_zeros) >"$2" ;;
        uncompilable) echo 'int x = <b>;' >"$2" ;;
    esac
}

gradescope() {
    write_step "$1" "$AUTOGRADER/submission/$step"
    gradescope_as_it_is
}

gradescope_as_it_is() {
    (cd "$AUTOGRADER" && ./run_autograder)
}

@test "autograder: the zip holds what the platform wants at its root, and of the steps only those chosen" {
    run -0 bsdtar -tf "$BATS_FILE_TMPDIR/autograder-gradescope.zip"
    for file in setup.sh run_autograder histolab/{LICENSE,NOTICE,VERSION,grade.sh} histolab/labs/opt02_one_block/opt_2dhisto.cu; do
        [[ $'\n'"$output"$'\n' == *$'\n'"$file"$'\n'* ]]
    done
    [[ "$output" != *opt03* && "$output" != *.git/* && "$output" != *tests/* ]]
    [ "$(<"$AUTOGRADER/source/histolab/class/autograder/assignment")" = $'steps opt02\nrubric * correct=3\ntotal 50' ] # nothing of people
    [ -x "$AUTOGRADER/source/setup.sh" ]
    [ -x "$AUTOGRADER/run_autograder" ]
}

@test "autograder: Gradescope, a right upload" {
    run -0 gradescope right
    jq -e '.score == 50 and .tests[0].max_score == 3 and .tests[0].status == "passed" and (.tests | length == 1)' "$results"
}

@test "autograder: an upload that looks like a class's download, like several submissions or like results is graded, and is one; what does not compile is told" {
    cd "$AUTOGRADER/submission"
    rm -r opt02_one_block
    for name in doejane_11_1_opt02.cu roebob_12_2_opt02.cu; do write_step wrong "$name"; done
    run -0 gradescope_as_it_is
    jq -e '.score == 0 and (.tests[0].output | test("^wrong"))' "$results"
    rm ./*
    mkdir -p {old,new}/opt02_one_block records
    for name in old new; do write_step uncompilable "$name/$step"; done
    touch results.jsonl
    run -0 gradescope_as_it_is
    jq -e '.score == 0 and (.tests[0].output | test("^build-failed")) and (.output | test("error:")) and (.output | test("/tmp") | not)' "$results"
}

@test "autograder: where the harness cannot work there is no result, and nobody gets a zero" {
    write_step right "$AUTOGRADER/submission/$step"
    echo '{"score": 100}' >"$results"
    rubric=$AUTOGRADER/source/histolab/class/autograder/assignment
    echo 'rubric * correct=ten' >>"$rubric"
    run gradescope_as_it_is
    sed -i '$d' "$rubric"
    [ "$status" -eq 3 ]
    [[ "$output" == *"assignment:"*"'correct=ten' needs a number"* ]]
    [ ! -e "$results" ]
}

@test "autograder: pack refuses what it does not know in one line" {
    for options in "" "webct" "gradescope nothing*" "gradescope opt02* x y" "../x"; do
        # shellcheck disable=SC2086  # a platform and a pattern
        run "$root/class/autograder/pack" $options
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
}
