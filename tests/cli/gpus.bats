#!/usr/bin/env bats
# Which GPU grades what, and what happens when one is lost: a class on two GPUs that are files. The stand-ins
# for the judge, the device program, the isolation and make do nothing but say what they were asked for.

bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$BATS_TEST_TMPDIR/tree out=$BATS_TEST_TMPDIR/out class=$BATS_TEST_TMPDIR/class
    export state=$BATS_TEST_TMPDIR/state
    mkdir "$tree" "$class" "$state"
    cp -a "$source_tree"/{Makefile,grade.sh,common,desk,class,report} "$tree"
    cd "$tree" || return
    for step in opt05_multiblock opt06_builtin_min; do
        mkdir -p labs/$step
        cp "$source_tree/labs/$step"/* labs/$step
    done
    export PATH=$tree/bin:$PATH
    unset CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER
    stand_in bin/nvcc 'exit 0'
    stand_in bin/make '
        [[ " $* " != *class/grading/grade.mk* ]] || exec '"$(command -v make)"' "$@"
        for target; do
            [[ $target != */runner ]] || { mkdir -p "${target%/*}"; : >"${target%/*}/evidence"; echo >"$target"; chmod +x "$target"; }
        done'
    # An object that common/build/evidence can read, as it does once in each run.
    mkdir -p build/gpu/runner
    gcc -x c -c - -o build/gpu/runner/runner.o <<<'int runner;'
    stand_in bin/nvidia-smi 'echo "GPU 0: one (UUID: x)"; echo "GPU 1: another (UUID: y)"'
    # What waits for a lost GPU; it may come back meanwhile.
    stand_in bin/sleep '[[ ! -e $state/comes-back ]] || rm -f "$state"/lost-*'
    stand_in build/gpu/device '
        [[ ! -e $state/lost-$CUDA_VISIBLE_DEVICES ]] || { echo "device: no usable GPU" >&2; exit 1; }
        printf "%s\n" "kind gpu" "uuid GPU-$CUDA_VISIBLE_DEVICES" "arch sm_90" "name one" "driver x" "sms 4" "l2_bytes 1000"'
    stand_in class/isolate '
        [[ $1 != --available ]] || { [[ ! -e $state/no-bwrap ]] || { echo "no bubblewrap here"; exit 1; }; exit 0; }
        [[ ! -e $state/no-sandbox || $4 == */own ]] || { echo "isolate: no sandbox"; exit 125; }
        echo "$*" >>"$state/builds"
        ! grep -q "without end" "$4"/*.cu || exit 124
        mkdir -p "$5" && : >"$5/evidence" && echo >"$5/runner" && chmod +x "$5/runner"'
    stand_in build/judge-opt_2dhisto "$(judge)"
}

stand_in() {
    mkdir -p "${1%/*}"
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$1"
    chmod +x "$1"
}

# Notes two that use a GPU at once. state/lose-SUBMISSION: its first step takes the GPU away, as often as the
# file has lines. state/time-SUBMISSION: what its steps take; all others take 1 s. state/fail-SUBMISSION: its first
# step is a harness-error, as often as the file has lines; with the word `all`, so is everything after it.
judge() {
    cat <<'END'
    echo "$*" >>"$state/asked"
    verdict=pass kind=step submission='' runs='' time=1 detail='' hash='' gpu=''
    if [[ ${1-} != -* ]]; then
        run=$1
        gpu=$(sed -n 's/^uuid GPU-//p' "$(sed -n 's/^device //p' "$run")")
        echo "$(sed -n 's/^seed //p' "$run") $(stat -c %a "$run")" >>"$state/seeds"
        shift
    fi
    if [[ ${1-} != -* ]]; then
        [[ -x $1/runner ]] && runs=1 || verdict=build-failed
        shift
    fi
    while (($#)); do
        case $1 in
            --dry-run) exit 0 ;;
            --record) record=$2 ;;
            --submission) submission=$2 ;;
            --step) step=$2 ;;
            --kind)
                kind=$2
                [[ $kind != reference ]] || { runs=1 kind=baseline; echo "reference-seconds 50" >>"$run"; }
                ;;
            --verdict) verdict=$2 ;;
            --detail) detail=$2 ;;
            --source-sha256) hash=$2 ;;
        esac
        shift
    done
    # A step is compared with what was measured before.
    [[ -z $runs || $kind != step ]] || [[ $(grep -c '^reference-seconds 50$' "$run") == 1 ]] ||
        echo "no reference for $step on $gpu" >>"$state/clashes"
    if [[ -n $runs ]]; then
        [[ $gpu == "$CUDA_VISIBLE_DEVICES" ]] || echo "device file of $gpu on $CUDA_VISIBLE_DEVICES" >>"$state/clashes"
        mkdir "$state/busy-$gpu" || echo "two on $gpu" >>"$state/clashes"
        read -r -t 0.05 <> <(:)
        echo "$gpu $kind $submission $step" >>"$state/ran"
        exec 9>"$state/one-at-a-time"
        flock 9
        if [[ -s $state/lose-$submission ]]; then
            sed -i 1d "$state/lose-$submission"
            echo >"$state/lost-$gpu"
            verdict=crashed
        fi
        if [[ -s $state/fail-$submission ]]; then
            [[ $(head -n 1 "$state/fail-$submission") != all ]] || : >"$state/all-fail"
            sed -i 1d "$state/fail-$submission"
            verdict=harness-error detail='it went wrong'
        fi
        [[ ! -e $state/all-fail ]] || verdict=harness-error
        exec 9>&-
        [[ ! -e $state/time-$submission ]] || time=$(<"$state/time-$submission")
        rmdir "$state/busy-$gpu"
    fi
    printf '{"submission":"%s","step":"%s","kind":"%s","problem":"opt_2dhisto","input":"walk","verdict":"%s","intended":"pass","detail":"%s","device":{"kind":"gpu","name":"one","driver":"x","uuid":"GPU-%s"},"iterations":1000,"median_s":%s,"reference_s":50,"overhead_s":0.1,"gbps":100,"source_sha256":"%s","harness":"h"}\n' \
        "$submission" "$step" "$kind" "$verdict" "$detail" "$gpu" "$time" "$hash" >>"$record"
    case $verdict in pass) exit 0 ;; harness-error) exit 3 ;; *) exit 1 ;; esac
END
}

hand_in() {
    local name step
    for name; do
        for step in opt05_multiblock opt06_builtin_min; do
            mkdir -p "$class/$name/labs/$step"
            { cat "labs/$step/opt_2dhisto.cu"; echo "// $name"; } >"$class/$name/labs/$step/opt_2dhisto.cu"
        done
    done
}

grade() {
    ./grade.sh --device gpu --jobs 3 --out "$out" "$@" "$class"/*
}

# submission step verdict, of a class's records.
verdicts() {
    jq -r 'select(.kind == "step" and .submission != "") | "\(.submission) \(.step) \(.verdict)"' "$out/results.jsonl" | LC_ALL=C sort
}

# How often the judge ran each of a submission's steps, in order.
runs_of() {
    grep " step $1 " "$state/ran" | sort | uniq -c | awk '{ print $1 }' | sort -n | paste -sd ' '
}

# On which GPUs a submission was graded.
gpus_of() {
    jq -r --arg who "$1" 'select(.kind == "step" and .submission == $who).device.uuid' "$out/results.jsonl" | sort -u | paste -sd ' '
}

@test "two GPUs: both grade, neither two at once, and each has this tree's own steps and baselines" {
    hand_in a b c d e f
    run -0 grade
    [ ! -e "$state/clashes" ]
    [ "$(verdicts | grep -c ' pass$')" -eq 12 ]
    for name in a b c d e f; do [[ $(gpus_of $name) =~ ^GPU-[01](\ GPU-[01])?$ ]]; done
    [ "$(gpus_of '')" = "GPU-0 GPU-1" ]
    for kind in baseline read empty; do
        [ "$(jq -r --arg kind $kind 'select(.kind == $kind).device.uuid' "$out/results.jsonl" | sort -u | wc -l)" -eq 2 ]
    done
    # Own versions before all others, and everything built for this GPU.
    for gpu in 0 1; do [ "$(grep "^$gpu step" "$state/ran" | head -n 2 | grep -c '^. step  opt0')" -eq 2 ]; done
    [ "$(grep -v "/own " "$state/builds" | grep -c 'ARCH=sm_90')" -eq 12 ]
    # The judge knows the seed, which no command line and no other user can tell.
    [ "$(sort -u "$state/seeds")" = "$(head -n 1 "$out/run") 600" ]
    run ! grep -q -e "$(head -n 1 "$out/run")" "$state/asked"
    # Nothing is measured twice.
    ran=$(wc -l <"$state/ran")
    run -0 grade
    [ "$(wc -l <"$state/ran")" -eq "$ran" ]
}

@test "--gpus: those, each once" {
    hand_in a b
    run -0 grade --gpus 1
    [ "$(gpus_of a) $(gpus_of b) $(gpus_of '')" = "GPU-1 GPU-1 GPU-1" ]
    # Another one later has its own measurements to compare with.
    echo '// changed' >>"$class/a/labs/opt05_multiblock/opt_2dhisto.cu"
    run -0 grade --gpus 0
    [ "$(gpus_of a)" = "GPU-0 GPU-1" ]
    [ "$(gpus_of '')" = "GPU-0 GPU-1" ]
    run -2 grade --gpus 1,1
    [[ $output == *"--gpus names a GPU twice"* ]]
    echo >"$state/lost-1"
    run -3 grade --gpus 1
    [[ $output == *"GPU 1 cannot be used: device: no usable GPU"* ]]
}

@test "a GPU that comes back: what ran when it was lost runs again" {
    hand_in a b
    echo once >"$state/lose-a"
    touch "$state/comes-back"
    run -0 grade --gpus 0
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

# How often this tree's own versions were graded to see whose fault it was: each GPU's own come first.
controls() {
    echo $(($(grep -c '^. step  opt0' "$state/ran") - 4))
}

@test "a harness-error that only one submission shows, twice, is its own: it crashed" {
    hand_in a b
    seq 100 >"$state/fail-a"
    rm "$class/a/labs/opt06_builtin_min/opt_2dhisto.cu"
    run -1 grade
    [ "$(verdicts)" = "a opt05_multiblock crashed
a opt06_builtin_min missing
b opt05_multiblock pass
b opt06_builtin_min pass" ]
    [ "$(jq -r 'select(.verdict == "crashed").detail' "$out/results.jsonl")" = \
        "the harness could not work with this step (it went wrong), and could with this project's own version right after" ]
    [ "$(runs_of a) $(controls)" = "2 1" ]
    [ -n "$(jq -r 'select(.verdict == "crashed").source_sha256' "$out/results.jsonl")" ]
    [ ! -e "$state/clashes" ]
    [ -z "$(find "$tree/build/class" -name 'own-*')" ]
}

@test "a harness-error that comes once is forgotten" {
    hand_in a
    echo once >"$state/fail-a"
    run -0 grade
    [ "$(verdicts)" = "a opt05_multiblock pass
a opt06_builtin_min pass" ]
    [ "$(controls)" -eq 1 ]
}

@test "a harness-error that this tree's own version shows too is nobody's" {
    hand_in a
    echo all >"$state/fail-a"
    run -3 grade
    [ "$(verdicts)" = "a opt05_multiblock harness-error
a opt06_builtin_min harness-error" ]
    rm "$state/all-fail"
    run -0 grade
}

@test "a GPU that stays away: the other one does the rest, also what was lost with it" {
    hand_in a b c d
    echo once >"$state/lose-b"
    run -0 grade
    [ "$(verdicts | grep -c ' pass$')" -eq 8 ]
    [ "$(verdicts | wc -l)" -eq 8 ]
    [[ $output == *"GPU "?" does not answer any more"* ]]
}

@test "no GPU left: exit status 3, and when one is back the same command goes on" {
    hand_in a b c
    echo once >"$state/lose-b"
    run -3 grade --gpus 0 --jobs 1
    [[ $output == *"there is no GPU that can be used"* ]]
    [[ $(verdicts) == *"a opt06_builtin_min pass"* ]]
    rm "$state/lost-0"
    run -0 grade --gpus 0
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
    rm "$state/no-sandbox"
    run -0 grade
    [ "$(verdicts | wc -l)" -eq 2 ]
}

@test "a submission that does not end to be unpacked is refused, and graded no more" {
    hand_in a
    stand_in bin/timeout "[[ \" \$* \" != *' class/intake '* ]] || exit 124; exec $(command -v timeout) \"\$@\""
    run -1 grade
    [ "$(verdicts)" = "a opt05_multiblock missing
a opt06_builtin_min missing" ]
    [[ $(jq -r 'select(.submission == "a").detail' "$out/results.jsonl") == "it took longer than 10 minutes to unpack"* ]]
}

@test "a build without end is the submission's, and says so" {
    hand_in a
    echo '// compiles without end' >>"$class/a/labs/opt05_multiblock/opt_2dhisto.cu"
    run -1 grade --build-timeout 7
    [ "$(verdicts)" = "a opt05_multiblock build-failed
a opt06_builtin_min pass" ]
    [[ $(jq -r 'select(.verdict == "build-failed").detail' "$out/results.jsonl") == "the build was stopped: it took more than 7 s"* ]]
    grep -q -- '--timeout 7 ' "$state/builds"
}

@test "builds that do not work at all are told at once" {
    hand_in a
    stand_in class/isolate '[[ $1 != build ]] || { echo "make: no such rule"; exit 2; }'
    run -3 grade
    [[ $output == *"builds of submissions do not work here: make: no such rule"* ]]
    [ "$(verdicts)" = "" ]
}

@test "no bubblewrap: a line, or with --require-isolation no grading" {
    hand_in a
    touch "$state/no-bwrap"
    run -3 grade --require-isolation
    [ "$output" = "grade.sh: no isolation: no bubblewrap here" ]
    run -0 --separate-stderr grade
    # shellcheck disable=SC2154  # set by run
    [ "$stderr" = "grade.sh: no isolation: no bubblewrap here" ]
    [ "$(verdicts | grep -c pass)" -eq 2 ]
}

@test "a time that decides by little is measured twice, on the same GPU" {
    hand_in a b c
    echo 1.21 >"$state/time-a"
    echo 3 >"$state/time-b"
    echo 9.9 >"$state/time-c"
    run -0 grade
    [ "$(grep -c 'step a ' "$state/ran")" -eq 4 ]
    [ "$(grep -c 'step b ' "$state/ran")" -eq 2 ]
    [ "$(grep -c 'step c ' "$state/ran")" -eq 4 ]
    [ "$(jq -r 'select(.submission == "a").step' "$out/results.jsonl" | wc -l)" -eq 4 ]
    # Each step's two records are of one GPU.
    for name in a c; do
        [ "$(jq -r --arg who $name 'select(.submission == $who) | "\(.step) \(.device.uuid)"' "$out/results.jsonl" | sort -u | wc -l)" -eq 2 ]
    done
    ran=$(wc -l <"$state/ran")
    run -0 grade
    [ "$(wc -l <"$state/ran")" -eq "$ran" ]
    [ ! -e "$state/clashes" ]
}
