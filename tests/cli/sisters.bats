#!/usr/bin/env bats
# The ladders of bytes, texts and sums on the emulator.

load failed
bats_require_minimum_version 1.5.0

load tree

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree
    copy_tree "$tree" '@(sum01|text0[16])_*'
    without_charts "$tree"
}

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    out=$BATS_TEST_TMPDIR/results
}

grade() {
    ./grade.sh --device cpu --no-count --out "$out" "$@"
}

# With this seed the constant is one whose sum stops growing early.
@test "a step that is there to be wrong is, by how much, and the grade does not suffer" {
    cd "$tree"
    run -0 grade --steps 'sum01*' --input constant --seed 1 --size 21000000 --iterations 1
    [[ $output == *"wrong, intended"* ]]
    [[ $output == *"1 of 1 steps passed, 1 of them wrong as intended"* ]]
    jq -e 'select(.step == "sum01_one_atomic") | .verdict == "wrong" and .intended == "wrong" and .error > 0.1' \
        "$out/results.jsonl"
}

@test "the same mistake in a step that is there to be right is one" {
    cd "$tree"
    cp -r labs/sum01_one_atomic labs/sum99_meant
    mkdir -p build/cpu/labs/sum99_meant
    cp -p build/cpu/labs/sum01_one_atomic/* build/cpu/labs/sum99_meant
    sed -i /^intended:/d labs/sum99_meant/step.md
    run -1 grade --steps 'sum99*' --input constant --seed 1 --size 300000 --iterations 1
    rm -r {,build/cpu/}labs/sum99_meant
    [[ $output == *"0 of 1 steps passed"* ]]
}

# right_at STEP SIZE...: the driver says whether an answer is wrong.
right_at() {
    local size
    for size in "${@:2}"; do
        echo "$1 $size" # shown where this fails
        "build/cpu/${1%/*}/driver" "$size" - 2
    done
}

# build_steps SOURCE...
build_steps() {
    local directories=("${@%/*}")
    directories=("${directories[@]/#/build/cpu/}")
    make -s -j2 "${directories[@]/%//driver}"
}

# pass_the_check SOURCE...: what the judge looks at besides, which is the same at every size.
pass_the_check() {
    local step function built
    build/cpu/device >"$BATS_TEST_TMPDIR/device"
    for step; do
        function=$(basename "$step" .cu) built=build/cpu/${step%/*}
        make -s build/cpu/device "build/judge-$function" "$built"/runner{,-checked}
        run -0 "build/judge-$function" /dev/null "$built" --device "$BATS_TEST_TMPDIR/device" \
            --record "$BATS_TEST_TMPDIR/records" --iterations 2 --size 1021
    done
}

@test "steps are right at any size: one of each way to count or add, with LONG all" {
    # Checks are larger than these sizes: a step that is there to be wrong on large inputs is wrong at once.
    mapfile -t steps < <(for step in labs/[bst]*/opt_*.cu; do
        [[ -n ${LONG-} || $step == labs/@(byte0[25]|sum0[258]|text0[48])_* ]] || continue
        grep -q '^intended:' "${step%/*}/step.md" || echo "$step"
    done)
    build_steps "${steps[@]}"
    for step in "${steps[@]}"; do right_at "$step" 0 1 33 4097; done
    [[ ! ${LONG-} ]] || pass_the_check "${steps[@]}"
}

@test "a step of each ladder is right in every shape, with some that are drawn anew each time" {
    seed=${SHAPES_SEED:-$RANDOM} RANDOM=$seed
    echo "SHAPES_SEED=$seed gives the same steps and shapes again" # shown where this fails
    shapes=(0x5 5x0 1x1 1x4099 4097x3 3x4097 127x2
        $((RANDOM % 5000))x$((RANDOM % 5)) $((RANDOM % 5))x$((RANDOM % 5000)) $((RANDOM % 150))x$((RANDOM % 150)))
    chosen=()
    for ladder in opt byte text sum; do
        steps=(labs/"$ladder"0[2-9]_*/opt_*.cu) # the first are there to be slow, or wrong
        chosen+=("${steps[RANDOM % ${#steps[@]}]}")
    done
    build_steps "${chosen[@]}"
    for step in "${chosen[@]}"; do right_at "$step" "${shapes[@]}"; done
    pass_the_check "${chosen[@]}"
}

@test "any file is a text" {
    cd "$tree"
    printf 'a {z}\n\377' >"$BATS_TEST_TMPDIR/text"
    run -0 grade --steps 'text0[16]*' --image "$BATS_TEST_TMPDIR/text" --iterations 2
    [[ $output == *"image, 7 x 1"* ]]
}

@test "without the English text its input is refused in one line" {
    make -s build/judge-opt_texthisto build/cpu/device
    build/cpu/device >"$BATS_TEST_TMPDIR/device.txt"
    judge=$PWD/build/judge-opt_texthisto
    cd "$BATS_TEST_TMPDIR"
    run -3 "$judge" /dev/null --device device.txt --record records.jsonl --kind reference --size 100
    [[ $output == *"build/data/english.txt"* ]]
    [ "${#lines[@]}" -eq 1 ]
}
