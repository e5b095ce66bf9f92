#!/usr/bin/env bats
# The handout of all steps, as students get it: unpacked in an empty folder, and starters built and graded on
# the cpu device. What a handout is besides is for handout.bats.

load failed
bats_require_minimum_version 1.5.0 # run -N

load tree

@test "starters: all steps of this tree build without a warning; the first of each ladder works, and the second, with LONG all others, is wrong" {
    tree=$BATS_TEST_DIRNAME/../..
    "$tree/class/handout/pack" --recorded no --out "$BATS_TEST_TMPDIR"
    tar -xzf "$BATS_TEST_TMPDIR/histolab.tar.gz" -C "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR/histolab"
    for source in labs/*/*.cu; do echo "enum { BEGUN_$((++begun)) = $begun };" >>"$source"; done # all of them
    copy_built .
    . common/build/steps.sh
    steps=(labs/*/) all=("$tree"/labs/*/)
    [ "${#steps[@]}" -eq "${#all[@]}" ]
    graded='*0[12]_*' objects=("${steps[@]/#/build/cpu/}")
    [[ ! ${LONG-} ]] || graded='*'
    # (With some seeds the sum that is wrong on purpose is wrong in the small, too.)
    run -1 ./grade.sh --device cpu --no-count --size 61x1021 --seed 20261126 --steps "$graded"
    for step in "${steps[@]}"; do
        step=$(basename "$step")
        files=("labs/$step"/*)
        [ "${#files[@]}" -eq 3 ] # with Makefile
        fits "$step" "$graded" || continue
        expected=wrong
        [ "$(step_header "$step" builds-on)" != none ] || expected='(pass|wrong, intended)'
        [[ $output =~ $'\n'$step\ +$expected ]] || { echo "$step is not: $expected"; printf '%s\n' "$output"; false; }
    done
    make -s -k -j2 "${objects[@]/%/step.o}"
    run ! grep -n 'warning' build/cpu/labs/*/build.log
}
