#!/usr/bin/env bats
# tests/sizes: what it must find, and what it must not.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    sizes=$BATS_TEST_DIRNAME/../sizes
    cd "$BATS_TEST_TMPDIR" || return
}

# lines N: so many.
lines() {
    seq "$1" | sed 's/.*/    true/'
}

@test "a script of over 300 lines is named; one of 300, and tests of any length, are not" {
    lines 300 >short.sh
    cp short.sh short.awk
    lines 301 >tests.bats
    cp tests.bats large.c
    run -0 "$sizes" "$PWD"/{short.sh,short.awk,tests.bats,large.c}
    [ -z "$output" ]
    lines 301 >long.sh
    run -1 "$sizes" "$PWD"/{short.sh,long.sh,short.awk}
    [ "$output" = "$PWD/long.sh: 301 lines, over 300" ]
}

@test "a function of over 50 lines is named, in shell, awk and C" {
    for head in 'f() {' 'function f(a,  b) {' 'static int f(int a) {' 'void *f(int a,'$'\n''        int b) {'; do
        file=$PWD/file.sh
        [[ $head != *int* ]] || file=$PWD/file.c
        before=$(wc -l <<<"$head")
        { echo 'a = 1'; echo "$head"; lines $((49 - before)); echo '}'; lines 60; } >"$file"
        run -0 "$sizes" "$file"
        { echo 'a = 1'; echo "$head"; lines $((50 - before)); echo '}'; lines 60; } >"$file"
        run -1 "$sizes" "$file"
        [ "$output" = "$file:2: f has 51 lines, over 50" ] || { echo "$head: $output"; return 1; }
    done
}

@test "a shellcheck rule that is off for a whole file is named; off for one line, it is not" {
    printf '%s\n' '#!/bin/bash' '# A script.' '' '# shellcheck disable=SC2086' '' 'echo $1' >whole.sh
    run -1 "$sizes" "$PWD/whole.sh"
    [ "$output" = "$PWD/whole.sh:4: switches a shellcheck rule off for the whole file" ]
    printf '%s\n' '#!/bin/bash' 'set -u' '# shellcheck disable=SC2086  # two words' 'echo $1' >line.sh
    run -0 "$sizes" "$PWD/line.sh"
}

