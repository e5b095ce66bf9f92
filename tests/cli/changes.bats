#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What is said of mistakes (tests/bugs) and experiments beside the change itself.

bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$root" || return
}

# says LINE...: what tests/expectation says of a file of these lines, without the file's name.
says() {
    printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/mistake"
    run tests/expectation "$BATS_TEST_TMPDIR/mistake"
    output=${output//"$BATS_TEST_TMPDIR/"/}
}

base='base labs/opt05_multiblock'

@test "expectation: a pattern for the detail, or for a diagnosis, says why a mistake is rejected" {
    says "$base" 'cpu wrong bin 3' 'gpu wrong bin 3' 'diagnosis ^none$' '' 'Why.' '' '@@'
    [[ $status -eq 0 && -z $output ]]
    says "$base" 'cpu wrong' 'gpu wrong|crashed' 'diagnosis ^The last row' '' 'Why.' '' '@@'
    [[ $status -eq 0 && -z $output ]]
    for diagnosis in '^none$' 'none' '^The last row|^none$' 'o' '.'; do
        says "$base" 'cpu wrong bin 3' 'gpu wrong' "diagnosis $diagnosis" '' 'Why.' '' '@@'
        [[ $status -eq 1 && $output == 'mistake:3: no pattern for the detail, and the diagnosis may be none: '* ]]
    done
}

@test "expectation: what is missing, given twice or misspelled is told" {
    says "$base" 'gpu wrong bin 3' 'diagnosis ^The' '' 'Why.' '@@'
    [[ $status -eq 1 && $output == 'mistake:1: it must begin with one line each for base, cpu, gpu and diagnosis' ]]
    says "$base" 'cpu wrong' 'cpu wrong' 'gpu wrong' 'diagnosis ^The' '' 'Why.' '@@'
    [[ $status -eq 1 && $output == 'mistake:1: it must begin with one line each for base, cpu, gpu and diagnosis' ]]
    says "$base" 'cup wrong' 'cpu wrong' 'gpu wrong' 'diagnosis ^The' '' 'Why.' '@@'
    [[ $status -eq 1 && $output == 'mistake:2: tests/grade-corpus --help describes no such line' ]]
    says "$base" 'cpu Wrong' 'gpu wrong' 'diagnosis ^The' '' 'Why.' '@@'
    [[ $status -eq 1 && $output == 'mistake:2: no verdict' ]]
    says "$base" 'cpu wrong' 'gpu wrong' 'diagnosis ^The' '' '@@' '-a text, but in the change'
    [[ $status -eq 1 && $output == 'mistake:6: no text says what is wrong' ]]
    run -2 tests/expectation
    run -2 tests/expectation tests/bugs/none
}

@test "experiments: the README's table is the one that the recorded results and the experiments' texts make" {
    diff <(for file in report/recorded/evidence/experiments*.jsonl; do experiments/table "$file"; done | grep "^|") <(grep "^|" experiments/README.md)
}
