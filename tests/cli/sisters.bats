#!/usr/bin/env bats
# The ladders of bytes, texts and sums on the emulator.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    out=$BATS_TEST_TMPDIR/results
}

grade() {
    ./grade.sh --device cpu --no-count --out "$out" "$@"
}

@test "a step that is there to be wrong is, by how much, and the grade does not suffer" {
    run -0 grade --steps 'sum01*' --size 40000000 --iterations 1
    [[ $output == *"wrong, intended"* ]]
    [[ $output == *"1 of 1 steps passed, 1 of them wrong as intended"* ]]
    jq -e 'select(.step == "sum01_one_atomic") | .verdict == "wrong" and .intended == "wrong" and .error > 0.1' \
        "$out/results.jsonl"
}

@test "the same mistake in a step that is there to be right is one" {
    work=$BATS_TEST_TMPDIR/tree
    mkdir "$work"
    cp -r Makefile grade.sh common desk class report build "$work"
    mkdir "$work/labs"
    cp -r labs/sum01_one_atomic "$work/labs"
    sed -i /^intended:/d "$work/labs/sum01_one_atomic/step.md"
    cd "$work"
    run -1 grade --steps 'sum01*' --size 40000000 --iterations 1
    [[ $output == *"0 of 1 steps passed"* ]]
}

# The check comes first and is the same at every size: the checked build makes it at one of them, and the plain one, which
# is much faster, at the others.
@test "every step is right at any size" {
    make -s build/cpu/device build/judge-opt_{byte,text}histo build/judge-opt_sum
    build/cpu/device >"$BATS_TEST_TMPDIR/device"
    for step in labs/[bst]*/opt_*.cu; do
        function=$(basename "$step" .cu) built=build/cpu/$(dirname "$step") plain=$BATS_TEST_TMPDIR/plain
        make -s "$built"/runner{,-checked}
        mkdir "$plain"
        ln -s "$PWD/$built"/{runner,evidence} "$plain"
        ln -s "$PWD/$built/runner" "$plain/runner-checked"
        for size in 0 1 33 4097; do
            echo "$step $size" # shown where this fails
            ((size == 4097)) && directory=$built || directory=$plain
            run -0 "build/judge-$function" /dev/null "$directory" --device "$BATS_TEST_TMPDIR/device" \
                --record "$BATS_TEST_TMPDIR/records" --iterations 2 --size "$size"
        done
        rm -r "$plain"
    done
    [ "$(jq -r .verdict "$BATS_TEST_TMPDIR/records" | sort | uniq -c | xargs)" = "104 pass" ]
}

@test "a step of each ladder is right in every shape, with some that are drawn anew each time" {
    seed=${SHAPES_SEED:-$RANDOM} RANDOM=$seed
    echo "SHAPES_SEED=$seed gives the same steps and shapes again" # shown where this fails
    shapes=(0x5 5x0 1x1 1x4099 4097x3 3x4097 127x2
        $((RANDOM % 5000))x$((RANDOM % 5)) $((RANDOM % 5))x$((RANDOM % 5000)) $((RANDOM % 150))x$((RANDOM % 150)))
    make -s build/cpu/device
    build/cpu/device >"$BATS_TEST_TMPDIR/device"
    for ladder in opt byte text sum; do
        steps=(labs/"$ladder"0[2-9]_*/opt_*.cu) # the first are there to be slow, or wrong
        step=${steps[RANDOM % ${#steps[@]}]}
        function=$(basename "$step" .cu) built=build/cpu/$(dirname "$step")
        make -s "build/judge-$function" "$built"/runner{,-checked}
        for shape in "${shapes[@]}"; do
            echo "$step $shape"
            run -0 "build/judge-$function" /dev/null "$built" --device "$BATS_TEST_TMPDIR/device" \
                --record "$BATS_TEST_TMPDIR/records" --iterations 2 --size "$shape"
        done
    done
}

@test "any file is a text" {
    printf 'a {z}\n\377' >"$BATS_TEST_TMPDIR/text"
    run -0 grade --steps 'text0[1-9]*' --image "$BATS_TEST_TMPDIR/text" --iterations 2
    [[ $output == *"image, 7 x 1"* ]]
}

@test "without the English text its input is refused in one line" {
    make -s build/judge-opt_texthisto build/cpu/device
    build/cpu/device >"$BATS_TEST_TMPDIR/device.txt"
    judge=$PWD/build/judge-opt_texthisto
    cd "$BATS_TEST_TMPDIR"
    run -3 "$judge" /dev/null --device device.txt --record records.jsonl --kind reference --size 100
    [[ $output == *"data/english.txt"* ]]
    [ "${#lines[@]}" -eq 1 ]
}
