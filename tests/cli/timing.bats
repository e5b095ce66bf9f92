#!/usr/bin/env bats
# How the judge takes a step's times. The judge is told that it has a GPU and given the emulator's runners: the
# times mean nothing, how they are taken is all as it is on a GPU. A call of opt01 on 32 pixels takes some
# microseconds there, on a whole image many milliseconds. On so short samples the two clocks may be found to
# disagree; the verdict is not looked at where that could be.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    make -s build/judge-opt_2dhisto build/cpu/labs/opt01_single_thread/runner >/dev/null
    printf '%s\n' "kind gpu" "name one" "uuid GPU-x" "driver x" "sms 8" "l2_bytes 4096" >"$BATS_TEST_TMPDIR/device"
    # Every process of the step leaves a line.
    printf '#!%s\necho "$$" >>"%s"\nexec "%s"\n' "$(command -v bash)" "$BATS_TEST_TMPDIR/processes" \
        "$PWD/build/cpu/labs/opt01_single_thread/runner" >"$BATS_TEST_TMPDIR/runner"
    chmod +x "$BATS_TEST_TMPDIR/runner"
}

judge() {
    build/judge-opt_2dhisto --device "$BATS_TEST_TMPDIR/device" --record "$BATS_TEST_TMPDIR/record" \
        --step opt01 --check-runner build/cpu/labs/opt01_single_thread/runner --budget 0.0001 "$@"
}

record() { jq -r "$1" "$BATS_TEST_TMPDIR/record"; }

processes() { wc -l <"$BATS_TEST_TMPDIR/processes"; }

@test "ten samples in two rounds, each of their parts in a process of its own" {
    run judge --size 1x32 --runner "$BATS_TEST_TMPDIR/runner" --budget 0.05
    [ "$(record '.samples_s | length')" = 10 ]
    [ "$(record '.audit_s | length')" = 10 ]
    [ "$(record '.samples_s + .audit_s + [.overhead_s, .synced_s, .whole_s] | min > 0')" = true ]
    [ "$(record '.ci95_s[0] <= .median_s and .median_s <= .ci95_s[1]')" = true ]
    [ "$(processes)" = 8 ]
}

@test "samples that fill no round, and fewer calls where the budget is small" {
    run judge --size 1x32 --runner "$BATS_TEST_TMPDIR/runner" --samples 7
    [ "$(record '.samples_s | length')" = 7 ]
    [ "$(record '.calls < .iterations and .scaled')" = true ]
    [ "$(processes)" -le 8 ] # two rounds of four parts
}

@test "calls of many milliseconds are worth no processes" {
    run judge --runner "$BATS_TEST_TMPDIR/runner" --samples 2 --iterations 4
    [ "$(record '.samples_s | length')" = 2 ]
    [ "$(record '.calls, .scaled' | xargs)" = "1 true" ]
    [ "$(processes)" = 1 ]
}

@test "a read is taken in one process" {
    make -s build/cpu/common/baselines/read_plain/runner >/dev/null
    sed -i 's#labs/opt01_single_thread#common/baselines/read_plain#' "$BATS_TEST_TMPDIR/runner"
    run judge --size 1x1024 --read "$BATS_TEST_TMPDIR/runner"
    [ "$(record '.samples_s | length')" = 10 ]
    [ "$(processes)" = 1 ]
}

@test "a step that goes wrong in a later process is found out" {
    # shellcheck disable=SC2016  # $$ is the runner's
    # The first two processes that are timed are right, the third is gone at once.
    printf '#!%s\necho "$$" >>"%s"\n[ "$(wc -l <"%s")" -le 2 ] || exit 7\nexec "%s"\n' "$(command -v bash)" \
        "$BATS_TEST_TMPDIR/processes" "$BATS_TEST_TMPDIR/processes" \
        "$PWD/build/cpu/labs/opt01_single_thread/runner" >"$BATS_TEST_TMPDIR/runner"
    run judge --size 1x32 --runner "$BATS_TEST_TMPDIR/runner" --budget 0.05
    [ "$status" -eq 1 ]
    [ "$(record .verdict)" = crashed ]
    [[ "$(record .detail)" == *"exit status 7" ]]
    [ "$(record .samples_s)" = null ]
}
