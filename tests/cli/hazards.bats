#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How tests/part-hazards compares a record with what a file of tests/hazards/ says, and what is asked of the file.

bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$root" || return
    expected=(finds\ race-in-block 'at counts[i] = 0;' 'at sum += counts[j];' 'array counts')
}

place() {
    printf '{"file":"x.cu","line":%s,"source":"%s","does":"%s","block":[0,0,0],"thread":[1,0,0],"host":false}' "$@"
}

# hazard KIND SEVERITY ARRAY PLACE...
hazard() {
    local IFS=,
    printf '{"kind":"%s","severity":"%s","array":"%s","index":7,"bytes":4,"note":"","places":[%s]}' "$1" "$2" "$3" "${*:4}"
}

# compared VERDICT HAZARD...: with what is expected.
compared() {
    local IFS=,
    printf '{"step":"it","verdict":"%s","detail":"","hazards":[%s],"more_hazards":null}\n' "$1" "${*:2}" >"$BATS_TEST_TMPDIR/record"
    printf '%s\n' "${expected[@]}" '' 'Why.' '' '@@' >"$BATS_TEST_TMPDIR/expected"
    run awk -v name=it -f common/printable.awk -f report/lib/text.awk -f report/lib/columns.awk -f report/lib/json.awk -f tests/hazards.awk \
        common/runner/hazards.def "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/record"
}

write=$(place 3 '    counts[i] = 0;' writes) read=$(place 9 'sum += counts[j];' reads) other=$(place 4 'x = 1;' writes)

@test "hazards: of a wrong step, one hazard has the class, the lines in any order, and the array" {
    compared hazard "$(hazard race-in-block fault 'counts of f' "$read" "$write")"
    [[ $status -eq 0 && ${lines[0]} == 'ok     it: race-in-block' && ${lines[-1]} == '       marks: wrong found class lines array' ]]
    compared hazard "$(hazard uninitialized fault counts "$read")" "$(hazard race-in-block fault counts "$write" "$read")"
    [[ $status -eq 0 && ${lines[-1]} == '       marks: wrong others found class lines array' ]]
    expected[0]='finds race-in-warp|race-in-block'
    compared hazard "$(hazard race-in-block fault counts "$write" "$read")"
    [[ $status -eq 0 ]]
}

@test "hazards: another class, line or array, a pass, and no hazard at all are not what is expected" {
    compared hazard "$(hazard race-in-warp fault counts "$write" "$read")"
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK it: verdict hazard; no hazard is all of this: race-in-block, '* ]]
    [[ ${lines[-1]} == '       marks: wrong others found lines array' ]]
    compared hazard "$(hazard race-in-block fault counts "$write" "$other")"
    [[ $status -eq 1 && ${lines[-1]} == '       marks: wrong found class array' ]]
    compared hazard "$(hazard race-in-block fault sums "$write" "$read")"
    [[ $status -eq 1 && ${lines[-1]} == '       marks: wrong found class lines' ]]
    compared hazard "$(hazard race-in-block fault sums "$write" "$read")" "$(hazard race-in-block fault counts "$other")"
    [[ $status -eq 1 ]]
    compared wrong
    [[ $status -eq 1 && ${lines[-1]} == '       marks: wrong' ]]
    compared pass "$(hazard race-in-block fault counts "$write" "$read")"
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK it: it passes;'* ]]
}

@test "hazards: a right step passes with the remarks that are expected, and with nothing else" {
    local remark fault
    remark=$(hazard same-value remark counts "$write") fault=$(hazard race-in-block fault counts "$write" "$read")
    expected=('finds nothing')
    compared pass
    [[ $status -eq 0 && ${lines[*]} == 'ok     it: nothing        marks: right' ]]
    compared pass "$remark"
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK it: a remark that nobody expects: same-value' ]]
    compared hazard "$fault"
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK it: a false alarm; verdict hazard: ' && ${lines[-1]} == '       marks: right alarm' ]]
    compared wrong
    [[ $status -eq 1 && ${lines[-1]} == '       marks: right' ]]
    expected+=('remark same-value')
    compared pass "$remark"
    [[ $status -eq 0 ]]
    compared pass
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK it: the remark is missing: same-value' ]]
}

# says LINE...: what tests/expectation says of a change of opt05 with these lines.
says() {
    mkdir -p "$BATS_TEST_TMPDIR/hazards"
    printf '%s\n' 'base labs/opt05_multiblock' "$@" '@@' '-    partial[threadIdx.x] = 0;' '+    partial[threadIdx.x] = 1;' \
        >"$BATS_TEST_TMPDIR/hazards/it"
    run tests/expectation "$BATS_TEST_TMPDIR/hazards/it"
}

@test "expectation: of a hazard, the class is a fault, each line stands once, and a right step names no line" {
    says 'finds race-in-block|uninitialized' 'at partial[threadIdx.x] = 1;' 'array partial' '' 'Why.'
    [[ $status -eq 0 && -z $output ]]
    says 'finds nothing' 'remark same-value' '' 'Why.'
    [[ $status -eq 0 && -z $output ]]
    says 'finds same-value' 'at partial[threadIdx.x] = 1;' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:2: hazards.def has no FAULT same-value' ]]
    says 'finds leak' 'at __syncthreads();' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:3: this line stands 2 times in the whole file' ]]
    says 'finds leak' 'at partial[threadIdx.x] = 0;' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:3: this line stands 0 times in the whole file' ]]
    says 'finds leak' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:1: a wrong step has one or two lines'* ]]
    says 'finds nothing' 'array partial' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:1: a wrong step has one or two lines'* ]]
    says 'finds nothing' 'remark leak' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:3: hazards.def has no REMARK leak' ]]
    says 'finds nothing' 'cpu pass' '' 'Why.'
    [[ $status -eq 1 && $output == *'it:3: tests/part-hazards --help describes no such line' ]]
    says 'finds nothing' ''
    [[ $status -eq 1 && $output == *'no text says why' ]]
}
