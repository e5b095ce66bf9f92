#!/usr/bin/env bats
# Every command that people type: its help, and what it says of words that it cannot mean.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    commands=()
    local file
    for file in grade.sh desk/* desk/inside/* class/* class/*/pack common/gpus/measure report/* \
        experiments/* tests/{run,part-changes,grade-corpus,hazards-on-gpu,first-hour} tests/fuzz/unpack; do
        [[ ! -f $file || ! -x $file ]] || commands+=("$file")
    done
    ((${#commands[@]} > 40))
}

@test "help: every command prints its usage, what it is for, and nothing else" {
    for command in "${commands[@]}"; do
        run -0 "./$command" --help
        [[ ${lines[0]} == "Usage: $command"* || ${lines[0]} == "Usage: ./$command"* ]] || { echo "$command: ${lines[0]}"; return 1; }
        ((${#lines[@]} > 2)) || { echo "$command: its help says nothing"; return 1; }
    done
}

@test "help: every command refuses an option that it does not have, in one line that says what and where to read on" {
    for command in "${commands[@]}"; do
        run "./$command" --no-such-option </dev/null
        # Measuring looks for a GPU first.
        ((status == 2)) || [[ $command == common/gpus/measure && $status == 3 ]] || { echo "$command: exit status $status"; return 1; }
        [[ ${#lines[@]} -eq 1 && $output =~ ^[a-z.-]+:\ . || $command == desk/@(goal|variables) ]] ||
            { echo "$command: $output"; return 1; }
    done
}
