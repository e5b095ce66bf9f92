#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# build/image: images from files and from the course's walk.

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." build/image >&2
}

setup() {
    image=$BATS_TEST_DIRNAME/../../build/image
    work=$BATS_TEST_TMPDIR
}

@test "image: a converted file reads back as the same bins" {
    "$image" "$BATS_TEST_DIRNAME/../../data/camera.pgm" "$work/once.pgm"
    "$image" "$work/once.pgm" "$work/twice.pgm"
    cmp "$work/once.pgm" "$work/twice.pgm"
}

@test "image: the walk has the course's size and depends on the seed" {
    "$image" --walk 0 "$work/0.pgm"
    "$image" --walk 1 "$work/1.pgm"
    [[ "$(head -c 16 "$work/0.pgm" | tr '\n' ' ')" == "P5 3984 4096 10"* ]]
    run cmp -s "$work/0.pgm" "$work/1.pgm"
    [ "$status" -eq 1 ]
}

@test "image: wrong usage and bad files end with status 2 and one line" {
    run "$image" --walk ten "$work/out.pgm"
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ]
    run "$image" /dev/zero "$work/out.pgm"
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ]
    run "$image" "$BATS_TEST_DIRNAME/../../data/camera.pgm" "$work/missing/out.pgm"
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ]
}
