#!/usr/bin/env bats
# Which GPU grades, and what happens when it is lost: a class on GPUs that are files.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load two_gpus

setup() {
    tree=$BATS_TEST_TMPDIR/tree out=$BATS_TEST_TMPDIR/out class=$BATS_TEST_TMPDIR/class
    export state=$BATS_TEST_TMPDIR/state
    two_gpus
}

# shellcheck disable=SC2120  # run calls it with some
grade() {
    ./grade.sh --device gpu --jobs 3 --out "$out" "$@" "$class"/*
}

# How often the judge ran each of a submission's steps, in order.
runs_of() {
    grep " step $1 " "$state/ran" | sort | uniq -c | awk '{ print $1 }' | sort -n | paste -sd ' '
}

@test "a GPU grades one step at a time, beside this tree's own steps and baselines" {
    hand_in a b c d
    run -0 grade
    [ ! -e "$state/clashes" ]
    [ "$(verdicts | grep -c ' pass$')" -eq 8 ]
    for name in a b c d ''; do [ "$(gpus_of "$name")" = GPU-0 ]; done
    for kind in baseline read empty; do
        [ "$(jq -r --arg kind $kind 'select(.kind == $kind).device.uuid' "$out/results.jsonl" | sort -u)" = GPU-0 ]
    done
    # Own versions before all others, and everything built for this GPU.
    [ "$(grep "^0 step" "$state/ran" | head -n 2 | grep -c '^. step  opt0')" -eq 2 ]
    [ "$(grep -v "/own " "$state/builds" | grep -c 'ARCH=sm_90')" -eq 8 ]
    # The judge knows the seed, which no command line and no other user can tell.
    [ "$(sort -u "$state/seeds")" = "$(head -n 1 "$out/run") 600" ]
    run ! grep -q -e "$(head -n 1 "$out/run")" "$state/asked"
    # Once more nothing is measured; where nothing is left to measure, nothing is built, not even to try.
    ran=$(wc -l <"$state/ran") built=$(wc -l <"$state/builds")
    run -0 grade
    [ "$(wc -l <"$state/ran")" -eq "$ran" ]
    [ "$(wc -l <"$state/builds")" -eq "$built" ]
}

@test "CUDA_VISIBLE_DEVICES: its first; another one later has its own measurements to compare with" {
    hand_in a b
    CUDA_VISIBLE_DEVICES=1,0 run -0 grade
    [ "$(gpus_of a) $(gpus_of b) $(gpus_of '')" = "GPU-1 GPU-1 GPU-1" ]
    echo '// changed' >>"$class/a/labs/opt05_multiblock/opt_2dhisto.cu"
    run -0 grade
    [ "$(gpus_of a)" = "GPU-0 GPU-1" ]
    [ "$(gpus_of '')" = "GPU-0 GPU-1" ]
    echo >"$state/lost-1"
    CUDA_VISIBLE_DEVICES=1 run -3 grade
    [[ $output == *"the GPU cannot be used (device: no usable GPU): make doctor says more"* ]]
}

@test "a GPU on which another run of this machine measures: nothing is measured there until it has ended; no bubblewrap: a line, or with --require-isolation no grading" {
    hand_in a
    touch "$state/no-bwrap"
    run -3 grade --require-isolation
    [ "$output" = "grade.sh: no isolation: no bubblewrap here" ]
    exec {other}>"$GPU_LOCKS/histolab-gpu-GPU-0"
    flock "$other"
    # shellcheck disable=SC2119
    grade >printed 2>errors {other}>&- &
    grading=$!
    until [ -e "$out/work/lock" ]; do
        kill -0 "$grading"
        read -r -t 0.1 <> <(:) || true
    done
    read -r -t 0.3 <> <(:) || true
    [ ! -e "$state/ran" ]
    exec {other}>&-
    wait "$grading"
    [ "$(<errors)" = "grade.sh: no isolation: no bubblewrap here" ]
    [ "$(verdicts | grep -c ' pass$')" -eq 2 ]
}

@test "a GPU that comes back: what ran when it was lost runs again" {
    hand_in a b
    echo once >"$state/lose-a"
    touch "$state/comes-back"
    run -0 grade
    [ "$(verdicts)" = "a opt05_multiblock pass
a opt06_builtin_min pass
b opt05_multiblock pass
b opt06_builtin_min pass" ]
    # Whichever of its steps was first ran twice.
    [ "$(runs_of a)" = '1 2' ]
}

@test "a step that takes the GPU away each time is the harness's error, never a verdict; the rest goes on" {
    hand_in a b
    seq 100 >"$state/lose-a"
    rm "$class/a/labs/opt06_builtin_min/opt_2dhisto.cu"
    touch "$state/comes-back"
    run -3 grade
    [ "$(verdicts)" = "a opt05_multiblock harness-error
a opt06_builtin_min missing
b opt05_multiblock pass
b opt06_builtin_min pass" ]
    [[ $output == *"1 step could not be graded"*"the same command tries again"* ]]
    rm "$state/lose-a"
    run -1 grade
    [[ $(verdicts) == "a opt05_multiblock pass"* ]]
    [ "$(verdicts | wc -l)" -eq 4 ]
}

# How often this tree's own versions were graded on GPU 0 to see whose fault it was: each comes first once.
controls() {
    echo $(($(grep -c '^0 step  opt0' "$state/ran") - 2))
}

@test "a harness-error that only one submission shows, twice, is its own: it crashed; one that comes once is forgotten" {
    hand_in a b
    seq 100 >"$state/fail-a"
    echo once >"$state/fail-b"
    rm "$class/a/labs/opt06_builtin_min/opt_2dhisto.cu"
    run -1 grade
    [ "$(verdicts)" = "a opt05_multiblock crashed
a opt06_builtin_min missing
b opt05_multiblock pass
b opt06_builtin_min pass" ]
    [ "$(jq -r 'select(.verdict == "crashed").detail' "$out/results.jsonl")" = \
        "the harness could not work with this step (it went wrong), and could with this project's own version right after" ]
    [ "$(runs_of a) $(runs_of b) $(controls)" = "2 1 2 2" ]
    [ -n "$(jq -r 'select(.verdict == "crashed").source_sha256' "$out/results.jsonl")" ]
    [ ! -e "$state/clashes" ]
    [ -z "$(find "$tree/build/class" -name 'own-*')" ]
}

@test "a harness-error that this tree's own version shows too is nobody's" {
    hand_in a
    echo all >"$state/fail-a"
    run -3 grade
    [ "$(verdicts)" = "a opt05_multiblock harness-error
a opt06_builtin_min harness-error" ]
}

@test "a GPU that stays away: exit status 3, and when one is back the same command goes on" {
    hand_in a b c
    echo once >"$state/lose-b"
    run -3 grade --jobs 1
    [[ $output == *"the GPU cannot be used"* ]]
    [[ $(verdicts) == *"a opt06_builtin_min pass"* ]]
    rm "$state/lost-0"
    run -0 grade
    [ "$(verdicts | grep -c ' pass$')" -eq 6 ]
    [ "$(grep -c 'step a ' "$state/ran")" -eq 2 ]
}

@test "no sandbox for a submission: the harness's error, and exit status 3" {
    hand_in a
    touch "$state/no-sandbox"
    run -3 grade
    [ "$(verdicts)" = "a opt05_multiblock harness-error
a opt06_builtin_min harness-error" ]
    [ "$(jq -r 'select(.submission == "a").detail' "$out/results.jsonl" | sort -u)" = "status 3: isolate: no sandbox" ]
}

@test "a submission that does not end to be unpacked, and a build without end: each is its own, and says so" {
    hand_in a b
    stand_in bin/timeout "[[ \" \$* \" != *' class/intake '*/b' '* ]] || exit 124; exec $(command -v timeout) \"\$@\""
    echo '// compiles without end' >>"$class/a/labs/opt05_multiblock/opt_2dhisto.cu"
    run -1 grade
    [ "$(verdicts)" = "a opt05_multiblock build-failed
a opt06_builtin_min pass
b opt05_multiblock missing
b opt06_builtin_min missing" ]
    [[ $(jq -r 'select(.submission == "b").detail' "$out/results.jsonl") == "it took longer than 10 minutes to unpack"* ]]
    [[ $(jq -r 'select(.verdict == "build-failed").detail' "$out/results.jsonl") == "the build was stopped: it took more than 60 s"* ]]
    grep -q -- '--timeout 60 ' "$state/builds"
}

@test "builds that do not work at all are told at once" {
    hand_in a
    stand_in build/isolate/isolate '[[ $1 != build ]] || { echo "make: no such rule"; exit 2; }'
    run -3 grade
    [[ $output == *"builds of submissions do not work here: make: no such rule"* ]]
    [ "$(verdicts)" = "" ]
}

@test "equal sources are graded once: each submission has the record, and one that is graded again is graded" {
    hand_in alice bob carol
    cp "$class/alice/labs/opt05_multiblock/opt_2dhisto.cu" "$class/bob/labs/opt05_multiblock/"
    cp "$class/alice/labs/opt05_multiblock/opt_2dhisto.cu" "$class/carol/labs/opt05_multiblock/"
    run -0 grade
    [ "$(grep -cE ' step (alice|bob|carol) opt05' "$state/ran")" = 1 ]
    [ "$(verdicts | grep -c ' opt05_multiblock pass$')" = 3 ]
    [ "$(verdicts | wc -l)" = 6 ]

    : >"$state/ran"
    run -0 grade --regrade 'bob/opt05*'
    [ "$(grep -c ' step bob opt05' "$state/ran")" = 1 ]
    [ "$(verdicts | wc -l)" = 6 ]
}

@test "--energy and ENERGY=yes have the judge measure it, of this tree's own steps alone" {
    hand_in a
    run -2 grade --energy
    [ "$output" = "grade.sh: --energy is for this tree's own steps: leave it out" ]
    run -0 ./grade.sh --device gpu --energy --out "$out"
    grep -qx 'energy 3' "$out/run-opt_2dhisto"
    DEVICE=gpu ENERGY=yes run -0 desk/try opt05
    grep -q -e 'results/desk/run-gpu-opt_2dhisto .* --energy 3 ' "$state/asked"
}
