#!/usr/bin/env bats
# tests/run: what it counts, what it shows, and how less than everything is run. The parts here are made up.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p common tests
    cp "$source_tree/common/prelude.sh" common
    cp "$source_tree"/tests/{run,common.sh,reaper.c} tests
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
    [[ ${lines[0]} =~ ^good\ +2\ passed,\ 0\ failed\ +\([0-9]+\ s,\ [0-9]+\ s\ of\ CPU\ time\)$ ]]
    [[ ${lines[1]} =~ ^better\ +1\ passed,\ 0\ failed ]]
    [ "${lines[-1]}" = "3 passed, 0 failed" ]
    run ! grep -v -e '^good ' -e '^better ' -e '^slowest:$' -e '^ *[0-9.]* s  ' -e ' passed, ' <<<"$output"
}

@test "the ten tests of all parts that took longest stand before the sum, the longest first" {
    part ten 'for ms in {1..9} 5500; do echo "ok     test $ms in ${ms}ms"; done; echo "NOT OK last in 12ms"; passed=10 failed=1'
    run -1 tests/run ten good
    [ "${lines[-12]}" = 'slowest:' ]
    [ "${lines[-11]}" = '   5.5 s  ten test 5500' ]
    [ "${lines[-10]}" = '   0.0 s  ten last' ]
    [ "${lines[-1]}" = '12 passed, 1 failed' ]
}

@test "a part that leaves a process behind has failed, and the process is ended" {
    part untidy 'check "it is done" true; (setsid sleep 1234 & echo "$!" >pid)'
    run -1 tests/run untidy
    [[ $output == *"NOT OK untidy leaves processes behind"*"process "*": sleep 1234"* ]]
    [ "${lines[-1]}" = "1 passed, 1 failed" ]
    run ! kill -0 "$(<pid)"
}

@test "Ctrl-C leaves no process and no file behind, nor does ending tests/run alone" {
    mkfifo begun
    mkdir scratch
    part endless 'later setsid bash -c "echo \$\$ >begun; exec sleep 1234"; later sleep 1234; wait'
    part cli 'later sleep 1234; wait'
    echo 'build-tests: ;' >Makefile
    for signal in INT TERM; do
        # As a terminal would start it: a process group of its own, in which SIGINT is not ignored.
        TMPDIR=$PWD/scratch setsid env --default-signal=INT tests/run endless cli 3>&- &
        group=$!
        read -r sleeper <begun
        kill -$signal "$([[ $signal == TERM ]] || echo -)$group"
        wait "$group" && status=0 || status=$?
        [ "$status" -eq 130 ]
        run ! kill -0 "$sleeper"
        run ! pgrep -g "$group"
        [ -z "$(ls scratch)" ]
    done
}

@test "cli runs beside the other parts, once what both use is built; a tree that does not build is no test's failure" {
    mkfifo met
    # Each of the two waits for the other.
    part cli 'check "one writes" bash -c "echo here >met"'
    part other 'check "the other reads" grep -q here met'
    printf 'build-tests:\n\t@echo once >>built\n' >Makefile
    run -0 tests/run cli other
    [[ ${lines[0]} == "other "* && ${lines[1]} == "cli "* && ${lines[-1]} == "2 passed, 0 failed" ]]
    [ "$(<built)" = once ]
    printf 'build-tests:\n\t@echo no such header; false\n' >Makefile
    run -3 tests/run cli other
    [[ $output == *"no such header"*"this tree does not build"* ]]
}

@test "what fails is shown with what it printed, and what passes is not; exit status 1" {
    part bad 'check "this holds" echo fine' 'check "this does not" cat /nowhere' 'check "nor this" false'
    run -1 tests/run bad good
    [[ $output == "NOT OK this does not"*"       cat: /nowhere"*"NOT OK nor this"* ]]
    [[ $output != *"ok     this holds"* ]]
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
    [ "$(sed -n 's/^\(ok    \|NOT OK\) number \([0-9]*\) in .*/\2/p' logs/many.log)" = "$(seq 20)" ]
}

@test "PART PATTERN runs the tests whose names match; none is wrong usage" {
    run -0 tests/run good '^two'
    [ "${lines[-1]}" = "1 passed, 0 failed" ]
    # What parts leave out is for --long alone, whatever the environment says.
    part told 'check "LONG is ${LONG-none}" true'
    LONG=yes KEEP=logs run -0 tests/run told
    grep -q '^ok     LONG is none ' logs/told.log
    KEEP=logs run -0 tests/run --long told
    grep -q '^ok     LONG is yes ' logs/told.log
    run -2 tests/run good 'three'
    [[ ${lines[-1]} == *"no test of good matches 'three'" ]]
    for arguments in nothing 'good nothing else' '../good'; do
        # shellcheck disable=SC2086
        run -2 tests/run $arguments
        [[ $output == *"there is no part"* ]]
    done
}

@test "--quick does not run a unit test program again that passed, unless it or what it reads has changed" {
    cp "$source_tree/tests/part-unit" tests
    mkdir -p tests/unit build/unit/gcc data
    touch tests/unit/test_trial.c data/input
    printf '%%:\n\t@true\n' >Makefile
    echo 'all: ;' >tests/unit/build.mk
    program() {
        printf '%s\n' '#!/bin/sh' 'echo >>ran' "$@" >build/unit/gcc/test_trial
        chmod +x build/unit/gcc/test_trial
    }
    ran_after() {
        run "-$1" tests/run "${@:3}" unit test_trial
        [ "$(wc -l <ran)" -eq "$2" ]
    }
    program 'echo "ok 1 - one"' 'echo "ok 2 - two"'
    for _ in 1 2; do
        ran_after 0 1 --quick
        [ "${lines[-1]}" = "2 passed, 0 failed" ]
    done
    ran_after 0 2
    ran_after 0 2 --quick
    echo more >data/input
    ran_after 0 3 --quick
    program 'echo "not ok 1 - one"' 'exit 1'
    ran_after 1 4 --quick
    ran_after 1 5 --quick
    [[ $output == *"NOT OK test_trial (gcc): one"* ]]
}

@test "--quick does not check a script again that passed, unless it or what it sources has changed" {
    cp "$source_tree"/tests/{part-lint,files.sh,shellcheck-stubs.pl} tests
    mkdir common/build tools
    cp "$source_tree/common/build/steps.sh" common/build
    # Which of these three it is given; all else passes.
    printf '%s\n' '#!/bin/sh' "for file; do case \$file in [abc]) echo \$file >>$PWD/checked ;; esac; done" >tools/shellcheck
    chmod +x tools/shellcheck
    printf '#!/bin/bash\n%s\n' '. ./first.sh' >a
    printf '#!/bin/bash\n%s\n' 'echo first.sh second.sh' >b
    printf '#!/bin/bash\n%s\n' '. ./third.sh' >c
    echo '. ./second.sh' >first.sh
    touch second.sh third.sh .shellcheckrc
    checked_after() {
        : >checked
        PATH=$PWD/tools:$PATH run -0 tests/run "${@:2}" lint '^shellcheck'
        [ "$(sort checked | tr -d '\n')" = "$1" ]
    }
    checked_after abc --quick
    checked_after '' --quick
    checked_after abc
    echo x=1 >second.sh
    checked_after a --quick
    echo x=1 >>b
    checked_after b --quick
    echo disable=all >.shellcheckrc
    checked_after abc --quick
}

@test "bats' results become those of a part: passed, failed with the reason, skipped with the reason" {
    cp "$source_tree/tests/part-cli" tests
    mkdir tests/cli
    cp "$source_tree/tests/cli/failed.bash" tests/cli
    printf 'load failed\nis_two() {\n    [[ $1 == 2 ]]\n    true\n}\n' >tests/cli/made-up.bats
    printf '@test "%s" {\n    %s\n}\n' 'this holds' 'is_two 2' 'this does not' 'is_two 3' 'not here' 'skip "no GPU"' >>tests/cli/made-up.bats
    printf '@test "another file" {\n    true\n}\n' >tests/cli/other.bats
    # Whatever the part builds before its tests, this tree has it.
    printf '%%:\n\t@true\n' >Makefile
    run -1 tests/run cli
    [ "${lines[-1]}" = "2 passed, 1 failed, 1 skipped" ]
    [[ $output == *"NOT OK this does not"*"\`is_two' in file"*", line 3,"*"made-up.bats, line 10)"*"SKIP   not here"*": no GPU"* ]]
    run -0 tests/run cli other
    [ "${lines[-1]}" = "1 passed, 0 failed" ]
    run -0 tests/run cli 'this holds'
    [ "${lines[-1]}" = "1 passed, 0 failed" ]
    printf 'nonsense(\n' >>tests/cli/other.bats
    run -1 tests/run cli other
    [[ $output == *"NOT OK"* ]]
    # A test may leave no process, and is not tried again.
    printf '@test "it\047s untidy" {\n    sleep 1234 3>&- &\n}\n' >tests/cli/other.bats
    printf '@test "once" {\n    echo >>%s\n    false\n}\n' "$PWD/tries" >>tests/cli/other.bats
    run -1 tests/run cli other
    [[ $output == *"NOT OK once in "*"NOT OK other.bats leaves processes behind"*"it's untidy: process "*": sleep 1234"* ]]
    [ "${lines[-1]}" = "1 passed, 2 failed" ]
    [ "$(wc -l <tries)" -eq 1 ]
}
