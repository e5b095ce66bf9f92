#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# common/build/variant: a change of a step, and the whole file that it makes.

bats_require_minimum_version 1.5.0 # run -N, run !

# A tree of its own, with one step of seven lines.
setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"/{common/build,labs/opt01_small,tests/bugs}
    cp "$root/common/prelude.sh" "$tree/common/"
    cp "$root/common/build/variant" "$tree/common/build/"
    cd "$tree" || return
    base=labs/opt01_small/opt_2dhisto.cu
    printf '%s\n' '#include "lab.h"' '' 'first();' '' 'again();' 'second(1);' 'again();' >$base
}

# change LINE...: a change of that step whose places are these lines.
change() {
    printf '%s\n' 'base labs/opt01_small' 'cpu wrong' '' 'Why.' '' "$@" >tests/bugs/mistake
}

# makes LINE...: the change makes this file.
makes() {
    run -0 --separate-stderr --keep-empty-lines common/build/variant tests/bugs/mistake
    diff <(printf '%s\n' "$@") <(printf '%s' "$output")
}

# fails LINE TEXT: it does not fit, and the message names the change's line and says why.
fails() {
    run -1 --separate-stderr common/build/variant tests/bugs/mistake
    [[ -z $output ]]
    # shellcheck disable=SC2154  # run sets stderr
    diff <(echo "tests/bugs/mistake:$1: $2") <(echo "$stderr")
}

@test "variant: lines change, go and come, in several places; everything else stays" {
    change '@@' '-first();' '+First();' '@@' ' second(1);' '+third();' ' again();'
    makes '#include "lab.h"' '' 'First();' '' 'again();' 'second(1);' 'third();' 'again();'
    change '@@' '-' '-first();'
    makes '#include "lab.h"' '' 'again();' 'second(1);' 'again();'
    change '@@' '+/* new */' ' #include "lab.h"'
    makes '/* new */' '#include "lab.h"' '' 'first();' '' 'again();' 'second(1);' 'again();'
}

@test "variant: the output of diff is a change" {
    sed 's/^first/FIRST/; s/second(1)/second(2)/; 7a third();' "$base" >copy
    { printf 'base labs/opt01_small\n\nWhy.\n\n' && diff -U1 "$base" copy | tail -n +3; } >tests/bugs/mistake
    grep -q '^@@ -' tests/bugs/mistake
    mapfile -t lines <copy
    makes "${lines[@]}"
}

@test "variant: an empty line of a change is an empty line of the base" {
    change '@@' ' first();' '' '-again();'
    makes '#include "lab.h"' '' 'first();' '' 'second(1);' 'again();'
}

@test "variant: a backslash, an ampersand and a percent sign stay what they are" {
    change '@@' '-first();' '+printf("100 %% of a\\n" + (a & b));'
    makes '#include "lab.h"' '' 'printf("100 %% of a\\n" + (a & b));' '' 'again();' 'second(1);' 'again();'
}

@test "variant: where the base has moved, the message names the change's first line that is not there" {
    change '@@' '-first();' '@@' ' again();' '-second(2);' '+third();'
    fails 10 "this line does not stand there in $base: second(2);"
    change '@@' '-nowhere();'
    fails 7 "this line does not stand in $base: nowhere();"
    change '@@' '-First();'
    fails 7 "this line does not stand in $base: First();"
}

@test "variant: a place that the base has twice is refused" {
    change '@@' '-again();'
    fails 7 "these lines stand in $base twice, at lines 5 and 7: add a line of the base"
    change '@@' ' second(1);' '-again();'
    makes '#include "lab.h"' '' 'first();' '' 'again();' 'second(1);'
}

@test "variant: places come in the base's order, and do not overlap" {
    change '@@' '-second(1);' '@@' '-first();'
    fails 9 "this is line 3 of $base, above the place before it: put places in the order of the base"
    change '@@' '-first();' ' ' ' again();' '@@' ' again();' '-second(1);'
    fails 11 "this is line 5 of $base, above the place before it: put places in the order of the base"
}

@test "variant: a change that changes nothing, or does not say where, is refused" {
    change
    fails 5 'nothing is changed: there is no line @@, which begins a change'
    change '@@' ' first();'
    fails 6 'nothing is changed here: there is no line with - or +'
    change '@@' '+first();'
    fails 6 'the place is not known: add a line of the base, with a space before it'
    change '@@' '-first();' 'First();'
    fails 8 'a line of a change begins with -, + or a space'
}

@test "variant: the base must be a step" {
    echo 'cpu wrong' >tests/bugs/mistake
    run -1 common/build/variant tests/bugs/mistake
    [[ $output == 'variant: tests/bugs/mistake:1: the first line names the step that is changed: base labs/opt05_multiblock' ]]
    echo 'base labs/opt99_none' >tests/bugs/mistake
    run -1 common/build/variant tests/bugs/mistake
    [[ $output == 'variant: tests/bugs/mistake:1: labs/opt99_none is no step: it must be a directory with one .cu file' ]]
    run -2 common/build/variant tests/bugs/none
    run -2 common/build/variant
    run -0 common/build/variant --help
    [[ $output == 'Usage: common/build/variant CHANGE'* ]]
}

@test "variant: a change is made again when its step changes, and the other way round" {
    cd "$BATS_TEST_TMPDIR" && cp -R "$root/Makefile" "$root/common" "$tree" && cd "$tree" || return
    change '@@' '-first();' '+First();'
    run -0 make -s build-changes
    grep -qx 'First();' build/bugs/mistake/opt_2dhisto.cu
    sed -i 's/second(1)/second(2)/' "$base"
    touch -d '+1 minute' "$base"
    run -0 make -s build-changes
    grep -qFx 'second(2);' build/bugs/mistake/opt_2dhisto.cu
    sed -i 's/+First/+FIRST/' tests/bugs/mistake
    touch -d '+2 minutes' tests/bugs/mistake
    run -0 make -s build-changes
    grep -qFx 'FIRST();' build/bugs/mistake/opt_2dhisto.cu
    sed -i 's/first/other/' "$base"
    touch -d '+3 minutes' "$base"
    run ! make -s build-changes
    [[ $output == *"tests/bugs/mistake:7: this line does not stand in $base: first();"* ]]
    [[ ! -e build/bugs/mistake/opt_2dhisto.cu ]]
}

@test "variant: of a read, the header that reads share can change, too; of a directory it prints the whole file" {
    mkdir -p common/baselines/read_small
    printf '%s\n' '#define A 1' '#include "baselines/shared.cuh"' 'last();' >common/baselines/read_small/read_all.cu
    printf '%s\n' '#include "baselines/read_all.h"' 'shared(A);' >common/baselines/shared.cuh
    whole=('#define A 1' '#include "baselines/read_all.h"' 'shared(A);' 'last();')
    diff <(printf '%s\n' "${whole[@]}") <(common/build/variant common/baselines/read_small)
    printf '%s\n' 'base common/baselines/read_small' '' 'Why.' '' '@@' '-shared(A);' '+other(A);' >tests/bugs/mistake
    makes "${whole[@]/shared/other}"
    diff "$base" <(common/build/variant labs/opt01_small)
    run -1 common/build/variant tests
    [[ $output == *"tests is no step: it must be a directory with one .cu file" ]]
}
