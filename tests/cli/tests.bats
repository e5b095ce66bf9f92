#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# tests/run: what it counts, what it shows, and how less than everything is run. The parts here are made up.

bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p common tests
    cp "$source_tree/common/prelude.sh" common
    cp "$source_tree"/tests/{run,common.sh} tests
    unset TEST_PATTERN KEEP
    part good 'check "one is one" true' 'check "two is two" true'
}

# part NAME LINE...: a part of these lines.
part() {
    printf '%s\n' '#!/usr/bin/env bash' 'cd "${BASH_SOURCE[0]%/*}/.." && . tests/common.sh' "${@:2}" finish >"tests/part-$1"
    chmod +x "tests/part-$1"
}

@test "everything passes: a line for each part, the sum at the end, exit status 0" {
    part better 'check "three is three" true'
    run -0 tests/run good better
    [[ ${lines[0]} =~ ^good\ +2\ passed,\ 0\ failed\ +\([0-9]+\ s\)$ ]]
    [[ ${lines[1]} =~ ^better\ +1\ passed,\ 0\ failed ]]
    [ "${lines[2]}" = "3 passed, 0 failed" ]
    [ "${#lines[@]}" -eq 3 ]
}

@test "what fails is shown with what it printed, and what passes is not; exit status 1" {
    part bad 'check "this holds" echo fine' 'check "this does not" cat /nowhere' 'check "nor this" false'
    run -1 tests/run bad good
    [[ $output == "NOT OK this does not"*"       cat: /nowhere"*"NOT OK nor this"* ]]
    [[ $output != *"this holds"* ]]
    [ "${lines[-1]}" = "3 passed, 2 failed" ]
}

@test "what is skipped is counted and named, and fails nothing" {
    part choosy 'check "this holds" true' 'skip "a test of namespaces" "there are none here"'
    run -0 tests/run choosy good
    [ "${lines[0]}" = "SKIP   a test of namespaces: there are none here" ]
    [[ ${lines[1]} == "choosy "*" 1 passed, 0 failed, 1 skipped "* ]]
    [ "${lines[-1]}" = "3 passed, 0 failed, 1 skipped" ]
}

@test "a part that ends before its sum, or with another exit status than its sum has, is a failure" {
    part cut 'check "this holds" true' 'exit 0'
    run -1 tests/run cut
    [ "${lines[-1]}" = "0 passed, 1 failed" ]
    part liar 'check "this holds" true' 'finish; exit 4'
    run -1 tests/run liar
    [ "${lines[-1]}" = "1 passed, 1 failed" ]
}

@test "tests beside each other: all are run, printed in the order of their starts, and counted" {
    part many 'for i in {1..20}; do later check "number $i" test "$i" -ne 7; done' 'later skip "the last" "no reason"'
    run -1 env KEEP=logs tests/run many
    [ "${lines[-1]}" = "19 passed, 1 failed, 1 skipped" ]
    [ "$(grep -c . logs/many.log)" -eq 22 ]
    [ "$(sed -n 's/^\(ok    \|NOT OK\) number //p' logs/many.log)" = "$(seq 20)" ]
}

@test "PART PATTERN runs the tests whose names match; none is wrong usage" {
    run -0 tests/run good '^two'
    [ "${lines[-1]}" = "1 passed, 0 failed" ]
    run -2 tests/run good 'three'
    [[ ${lines[-1]} == *"no test of good matches 'three'" ]]
    for arguments in nothing 'good nothing else' '../good'; do
        # shellcheck disable=SC2086
        run -2 tests/run $arguments
        [[ $output == *"there is no part"* ]]
    done
}

@test "bats' results become those of a part: passed, failed with the reason, skipped with the reason" {
    cp "$source_tree/tests/part-cli" tests
    mkdir tests/cli
    printf '@test "%s" {\n    %s\n}\n' 'this holds' true 'this does not' 'false' 'not here' 'skip "no GPU"' >tests/cli/made-up.bats
    printf '@test "another file" {\n    true\n}\n' >tests/cli/other.bats
    # Whatever the part builds before its tests, this tree has it.
    printf '%%:\n\t@true\n' >Makefile
    run -1 tests/run cli
    [ "${lines[-1]}" = "2 passed, 1 failed, 1 skipped" ]
    [[ $output == *"NOT OK this does not"*"made-up.bats, line 5"*"SKIP   not here"*": no GPU"* ]]
    run -0 tests/run cli other
    [ "${lines[-1]}" = "1 passed, 0 failed" ]
    run -0 tests/run cli 'this holds'
    [ "${lines[-1]}" = "1 passed, 0 failed" ]
    printf 'nonsense(\n' >>tests/cli/other.bats
    run -1 tests/run cli other
    [[ $output == *"NOT OK"* ]]
}

# ---- the first hour ------------------------------------------------------------------------------

@test "how a mistake was told: an endless loop's time is not compared, its line is" {
    record='{"verdict":"timed-out","detail":"check (edges, 47 x 1301): not finished after 6 s of CPU time while running the calls: opt_2dhisto.cu:46, on the host","diagnosis":"It seems to be in a loop without an end, at the line: `for (volatile bool on = true; on;)`.","hazards":[]}'
    echo "$record" >"$BATS_TEST_TMPDIR/record"
    run -0 awk -f "$source_tree/tests/first_hour_told.awk" "$source_tree/tests/bugs/endless_host" "$BATS_TEST_TMPDIR/record"
    [ "$output" = diagnosis ]
    echo "${record/cu:46/cu:47}" >"$BATS_TEST_TMPDIR/record"
    run -0 awk -f "$source_tree/tests/first_hour_told.awk" "$source_tree/tests/bugs/endless_host" "$BATS_TEST_TMPDIR/record"
    [ "$output" = otherwise ]
}
