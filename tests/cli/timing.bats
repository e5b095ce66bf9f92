#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How the judge takes a step's times. The judge is told that it has a GPU and given the emulator's runners: the
# times mean nothing, how they are taken is all as it is on a GPU. A call of opt01 on 32 pixels takes some
# microseconds there, on a whole image many milliseconds. On so short samples the two clocks may be found to
# disagree, and the step is measured anew; the verdict is not looked at where that could be.

bats_require_minimum_version 1.5.0 # run -N

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    make -s build/judge-opt_2dhisto build/cpu/labs/opt01_single_thread/runner >/dev/null
    printf '%s\n' "kind gpu" "name one" "uuid GPU-x" "driver x" "sms 8" "l2_bytes 4096" >"$BATS_TEST_TMPDIR/device"
    echo "device $BATS_TEST_TMPDIR/device" >"$BATS_TEST_TMPDIR/run"
    # What was built. Every process of the step leaves a line, but for the check that comes first.
    built=$BATS_TEST_TMPDIR/built
    mkdir "$built"
    ln -s "$PWD/build/cpu/labs/opt01_single_thread/runner" "$built/runner-checked"
    printf '#!%s\necho "$$" >>"%s"\nexec "%s"\n' "$(command -v bash)" "$BATS_TEST_TMPDIR/processes" \
        "$PWD/build/cpu/labs/opt01_single_thread/runner" >"$built/runner"
    chmod +x "$built/runner"
}

judge() {
    build/judge-opt_2dhisto "$BATS_TEST_TMPDIR/run" "$built" --record "$BATS_TEST_TMPDIR/record" --step opt01 --budget 0.005 "$@"
}

record() { jq -r "$1" "$BATS_TEST_TMPDIR/record"; }

processes() { wc -l <"$BATS_TEST_TMPDIR/processes"; }

@test "ten samples in two rounds, each of their parts in a process of its own" {
    run judge --size 1x32 --iterations 40 --budget 0.05
    [ "$(record '.samples_s | length')" = 10 ]
    [ "$(record '.audit_s | length')" = 10 ]
    [ "$(record '.samples_s + .audit_s + [.overhead_s, .synced_s, .whole_s] | min > 0')" = true ]
    [ "$(record '.ci95_s[0] <= .median_s and .median_s <= .ci95_s[1]')" = true ]
    # More have run where the judge found that more calls fit, and began again.
    [ "$(record .processes)" = 8 ]
    [ "$(processes)" -ge 8 ]
}

@test "samples that fill no round, and fewer calls where the budget is small" {
    run judge --size 1x32 --samples 7
    [ "$(record '.samples_s | length')" = 7 ]
    [ "$(record '.calls < .iterations and .scaled')" = true ]
    [ "$(record .processes)" -le 8 ] # two rounds of four parts
}

@test "calls of many milliseconds are worth no processes" {
    run judge --samples 2 --iterations 4 --budget 0.01
    [ "$(record '.calls, .scaled, .processes' | xargs)" = "1 true 1" ]
    [ "$(processes)" -le 3 ] # measured anew where the clocks disagree
}

@test "a call that takes the whole budget is made once, with no synchronized and no whole calls" {
    run judge --samples 7 --iterations 4 --budget 0.0001
    [ "$(record '.calls, (.samples_s | length), .synced_s, .whole_s' | xargs)" = "1 1 null null" ]
    [[ $(record .notes) == *"1 of 7 samples, because a call takes "* ]]
}

@test "a step that is slow in its first call alone makes as many calls as any other" {
    mkdir "$BATS_TEST_TMPDIR/late"
    sed -e 's/^void opt_2dhisto(.*/static bool called;\n&\n    if (height == 1 \&\& !called)\n        usleep(400 * 1000);\n    called = true;/' \
        -e '1i #include <unistd.h>' labs/opt01_single_thread/opt_2dhisto.cu >"$BATS_TEST_TMPDIR/late/opt_2dhisto.cu"
    make -s "build/cpu/$BATS_TEST_TMPDIR/late/runner" >/dev/null
    sed -i "s#$PWD/build/cpu/labs/opt01_single_thread#build/cpu/$BATS_TEST_TMPDIR/late#" "$built/runner"
    # Only one process is slow: the warm-ups of the others take what their calls take.
    run judge --size 1x32 --iterations 40 --samples 2 --budget 0.4
    rm -r "build/cpu/$BATS_TEST_TMPDIR"
    [ "$(record .calls)" = 40 ]
}

@test "a step is torn down only after calls" {
    # Its tear-down reads events that its calls record, and fails where there was no call.
    make -s build/cpu/tests/honest/times_itself/runner >/dev/null
    sed -i 's#labs/opt01_single_thread#tests/honest/times_itself#' "$built/runner"
    run judge --size 1x32 --budget 0.05
    record '.verdict, .detail'
    [[ $(record .verdict) =~ ^(pass|flagged)$ ]]
}

@test "a read is taken in one process" {
    make -s build/cpu/common/baselines/read_plain/runner >/dev/null
    sed -i 's#labs/opt01_single_thread#common/baselines/read_plain#' "$built/runner"
    run judge --size 1x1024 --kind read --budget 0.05
    [ "$(record '.samples_s | length')" -ge 10 ] # more where they spread
    [ "$(record .processes)" = 1 ]
    [ "$(processes)" -le 3 ]
}

# lines NAME: how many lines of that name the run file has.
lines() { grep -c "^$1 " "$BATS_TEST_TMPDIR/run"; }

# Long enough that the clocks agree, as a rule also beside other work: only a read that passes sets a roof.
long_read() {
    for _ in {1..15}; do
        ! built=$read judge --size 512x3984 --kind read --samples 2 --iterations 40 --budget 4 "$@" || return 0
        rm "$BATS_TEST_TMPDIR/record"
    done
    false
}

@test "what baselines show is noted in the run file, and steps are compared with it" {
    make -s build/cpu/common/baselines/read_plain/runner >/dev/null
    run -0 judge --size 1x1024 --kind reference --iterations 7 --budget 0.2
    [ "$(jq -s -r '.[0].reference_s' "$BATS_TEST_TMPDIR/record")" = "$(sed -n 's/^reference-seconds //p' "$BATS_TEST_TMPDIR/run")" ]
    [ "$(jq -s -r 'map(.kind) | unique | join(" ")' "$BATS_TEST_TMPDIR/record")" = baseline ]
    # Several samples and an interval, also of the machine's own bandwidth.
    [ "$(jq -s -r 'map(select((.samples_s | length) == 6 and .ci95_s[0] < .median_s and .median_s < .ci95_s[1]) | .step) | join(" ")' "$BATS_TEST_TMPDIR/record")" = "reference all_cores cpu_read" ]

    read=$BATS_TEST_TMPDIR/read
    mkdir "$read"
    ln -s "$PWD/build/cpu/common/baselines/read_plain/runner" "$read/runner"
    rm "$BATS_TEST_TMPDIR/record"
    long_read
    [ "$(record .gbps)" = "$(sed -n 's/^roof-gbps //p' "$BATS_TEST_TMPDIR/run")" ]
    [ "$(record .overhead_s)" = "$(sed -n 's/^overhead-seconds //p' "$BATS_TEST_TMPDIR/run")" ]
    [ "$(lines part-overhead-seconds)" = 1 ]
    # A baseline is compared with nothing.
    [ "$(record '[.reference_s, .roof_gbps] | tojson')" = '[null,null]' ]

    rm "$BATS_TEST_TMPDIR/record"
    run judge --size 1x32 --samples 1 --iterations 7
    [ "$(record '[.reference_s, .roof_gbps] | map(. > 0) | tojson')" = '[true,true]' ]
    [ "$(lines reference-seconds) $(lines roof-gbps) $(lines overhead-seconds)" = "1 1 1" ]

    # Of several reads the fastest is the roof; a slower one leaves no line.
    printf '%s\n' "roof-gbps 1e9" "overhead-seconds 1e5" >>"$BATS_TEST_TMPDIR/run"
    long_read
    [ "$(lines roof-gbps) $(lines overhead-seconds)" = "2 2" ]
}

@test "a read that sets no roof is compared with the one that is there" {
    make -s build/cpu/common/baselines/read_plain/runner >/dev/null
    mkdir "$BATS_TEST_TMPDIR/read"
    ln -s "$PWD/build/cpu/common/baselines/read_plain/runner" "$BATS_TEST_TMPDIR/read/runner"
    read=$BATS_TEST_TMPDIR/read
    echo "roof-gbps 1e-6" >>"$BATS_TEST_TMPDIR/run"
    cp "$BATS_TEST_TMPDIR/run" "$BATS_TEST_TMPDIR/before"
    long_read --no-roof
    [ "$(record '[.kind, .roof_gbps, .roof_fraction > 1] | tojson')" = '["read",1e-06,true]' ]
    diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/run"
}

@test "a read that is wrong sets no roof" {
    mkdir "$BATS_TEST_TMPDIR/read"
    printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/read/runner"
    chmod +x "$BATS_TEST_TMPDIR/read/runner"
    built=$BATS_TEST_TMPDIR/read run -1 judge --size 1x1024 --kind read
    [ "$(cat "$BATS_TEST_TMPDIR/run")" = "device $BATS_TEST_TMPDIR/device" ]
}

@test "the emulator sets no roof and no reference" {
    sed -i 's/kind gpu/kind cpu/' "$BATS_TEST_TMPDIR/device"
    run -0 judge --size 1x32 --kind reference
    [ "$(cat "$BATS_TEST_TMPDIR/run")" = "device $BATS_TEST_TMPDIR/device" ]
}

@test "a step that goes wrong in a later process is found out" {
    # shellcheck disable=SC2016  # $$ is the runner's
    # The first two processes that are timed are right, the third is gone at once.
    printf '#!%s\necho "$$" >>"%s"\n[ "$(wc -l <"%s")" -le 2 ] || exit 7\nexec "%s"\n' "$(command -v bash)" \
        "$BATS_TEST_TMPDIR/processes" "$BATS_TEST_TMPDIR/processes" \
        "$PWD/build/cpu/labs/opt01_single_thread/runner" >"$built/runner"
    run judge --size 1x32 --budget 0.05
    [ "$status" -eq 1 ]
    [ "$(record .verdict)" = crashed ]
    [[ "$(record .detail)" == *"exit status 7" ]]
    [ "$(record .samples_s)" = null ]
}

@test "a GPU that takes one process at a time has one; on others the check and the graded trial begin together" {
    # Each process notes how many live, itself included.
    cat >"$built/notes" <<EOF
#!$(command -v bash)
cd "$BATS_TEST_TMPDIR"
echo "\$\$" >>pids
alive=0
for pid in \$(cat pids); do kill -0 "\$pid" 2>/dev/null && alive=\$((alive + 1)); done
echo "\$alive" >>alive
exec "$PWD/build/cpu/labs/opt01_single_thread/runner"
EOF
    chmod +x "$built/notes"
    ln -f "$built/notes" "$built/runner"
    ln -f "$built/notes" "$built/runner-checked"
    : >"$BATS_TEST_TMPDIR/pids"
    # A budget in which calls fit for all parts of a sample, also beside other work.
    run judge --size 1x32 --samples 1 --iterations 40 --budget 0.05
    [ "$(sort -n "$BATS_TEST_TMPDIR/alive" | tail -n 1)" -ge 2 ]

    echo "exclusive 1" >>"$BATS_TEST_TMPDIR/device"
    : >"$BATS_TEST_TMPDIR/pids"
    rm "$BATS_TEST_TMPDIR/alive"
    run judge --size 1x32 --samples 1 --iterations 40 --budget 0.05
    [ "$(wc -l <"$BATS_TEST_TMPDIR/alive")" -ge 5 ]
    [ "$(sort -u "$BATS_TEST_TMPDIR/alive")" = 1 ]
}

@test "the parts of a round share as many processes as are asked for, and the record says so" {
    local n
    for n in 1 2 3; do
        rm -f "$BATS_TEST_TMPDIR/record"
        run judge --size 1x32 --samples 5 --processes "$n" --iterations 40 --budget 0.05
        [ "$(record ".processes == $n * (.samples_s | length) / 5")" = true ]
        [ "$(processes)" -ge "$(record .processes)" ]
    done
}

@test "a step that fails its check is not timed, and the process that had begun for its samples is gone" {
    mkdir "$BATS_TEST_TMPDIR/wrong"
    sed 's/^void opt_2dhisto(.*/&\n    return;/' labs/opt01_single_thread/opt_2dhisto.cu >"$BATS_TEST_TMPDIR/wrong/opt_2dhisto.cu"
    make -s "build/cpu/$BATS_TEST_TMPDIR/wrong/runner" >/dev/null
    ln -sf "$PWD/build/cpu/$BATS_TEST_TMPDIR/wrong/runner" "$built/runner-checked"
    run judge --size 1x32 --samples 1
    [ "$status" = 1 ]
    [ "$(record .verdict)" = wrong ]
    [[ $(record .detail) == "check ("* ]]
    [ "$(record '.samples_s | length')" = 0 ]
    run ! kill -0 "$(cat "$BATS_TEST_TMPDIR/processes")"
}

# late_in N: of the step's first N graded processes each message comes 20 ms late, more than a sample takes. The device's clock starts
# after that, so the two clocks disagree, as they do where others use all processors.
late_in() {
    cat >"$BATS_TEST_TMPDIR/late.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

typedef ssize_t receive(int, void *, size_t, int);

ssize_t recv(int socket, void *message, size_t size, int flags) {
    ssize_t got = ((receive *)dlsym(RTLD_NEXT, "recv"))(socket, message, size, flags);
    usleep(20000);
    return got;
}
END
    cc -shared -fPIC -o "$BATS_TEST_TMPDIR/late.so" "$BATS_TEST_TMPDIR/late.c" -ldl
    sed -i "s|^exec|[ \"\$(wc -l <'$BATS_TEST_TMPDIR/processes')\" -gt $1 ] \|\| export LD_PRELOAD='$BATS_TEST_TMPDIR/late.so'\nexec|" "$built/runner"
    printf '%s\n' "overhead-seconds 1e-4" "part-overhead-seconds 1e-6" >>"$BATS_TEST_TMPDIR/run"
}

@test "where the clocks disagree the step is measured anew, three times at the most, and the last time counts" {
    late_in 1
    run judge --size 64x512 --samples 2 --processes 1 --iterations 40 --budget 0.5
    [[ $(record .notes) =~ "measured "[23]" times, because the clocks disagreed before" ]]
    [ "$(processes)" -ge 2 ]
    [ "$(record '.audit_s | min < 0.02')" = true ]

    rm "$BATS_TEST_TMPDIR"/{record,processes}
    late_in 99
    run -1 judge --size 64x512 --samples 2 --processes 1 --iterations 40 --budget 0.5
    [ "$(record .verdict)" = flagged ]
    [[ $(record .notes) == *"measured 3 times"* ]]
    [ "$(record '.audit_s | min >= 0.02')" = true ]
}
