# For test files that grade a class on GPUs, where there are none: `load two_gpus`.
# shellcheck shell=bash

# Makes the tree $tree, an empty $class, $state and two GPUs that are files. The stand-ins for the judge, the device program,
# the isolation, make and the pages do nothing but say what they were asked for.
two_gpus() {
    local source_tree
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export GPU_LOCKS=$BATS_TEST_TMPDIR
    mkdir -p "$tree/data" "$class" "$state"
    cp -a "$source_tree"/{Makefile,grade.sh,common,emulator,desk,class,report} "$tree"
    rm -r "$tree"/common/baselines/read_overlapped* # one of each kind is enough
    echo 1.2.3+g1234567 >"$tree/VERSION"
    cd "$tree" || return
    for step in opt05_multiblock opt06_builtin_min; do
        mkdir -p labs/$step
        cp "$source_tree/labs/$step"/* labs/$step
    done
    # make builds nothing here; hand-ins are taken in, records read, and points computed, as everywhere.
    make -s -C "$source_tree" build/{report,grades,not-begun} && mkdir -p build &&
        cp "$source_tree"/build/{report,grades,not-begun} build
    # With times of 1 s each, none lies where points begin or end.
    echo '* correct=6 speed=4 full=1.2 none=10' >"$BATS_TEST_TMPDIR/rubric"
    export RUBRIC=$BATS_TEST_TMPDIR/rubric PATH=$tree/bin:$PATH
    unset CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER
    stand_in bin/nvcc 'exit 0'
    stand_in bin/make '
        # In a copy of the tree, to which a node may have brought a part. Of two at once, one copies and the other waits for it.
        exec 8>.copying && flock 8
        [[ -x build/report ]] || { mkdir -p build; cp -an '"$tree"'/build/. build; }
        exec 8>&-
        for target; do
            [[ $target != */runner || -x $target ]] || { mkdir -p "${target%/*}"; : >"${target%/*}/evidence"; echo >"$target"; chmod +x "$target"; }
        done'
        mkdir -p build/gpu/runner
    gcc -x c -c - -o build/gpu/runner/runner.o <<<'int runner;'
    stand_in bin/nvidia-smi 'echo "GPU 0: one (UUID: x)"; echo "GPU 1: another (UUID: y)"'
    # What waits for a lost GPU; it may come back meanwhile.
    stand_in bin/sleep '[[ ! -e $state/comes-back ]] || rm -f "$state"/lost-*'
    stand_in build/gpu/device '
        [[ ! -e $state/lost-$CUDA_VISIBLE_DEVICES ]] || { echo "device: no usable GPU" >&2; exit 1; }
        printf "%s\n" "kind gpu" "uuid GPU-$CUDA_VISIBLE_DEVICES" "arch sm_90" "name one" "driver x" "sms 4" "l2_bytes 1000"'
    stand_in build/isolate/isolate '
        [[ $1 != --available ]] || { [[ ! -e $state/no-bwrap ]] || { echo "no bubblewrap here"; exit 1; }; exit 0; }
        [[ ! -e $state/no-sandbox || $4 == */own ]] || { echo "isolate: no sandbox"; exit 125; }
        # For the emulator'"'"'s checks.
        [[ $5 != build/cpu/* ]] || { mkdir -p "$5" && echo >"$5/runner-checked" && chmod +x "$5/runner-checked"; exit; }
        echo "$*" >>"$state/builds"
        ! grep -q "without end" "$4"/*.cu || exit 124
        mkdir -p "$5" && : >"$5/evidence" && echo >"$5/runner" && chmod +x "$5/runner"'
    stand_in build/judge-opt_2dhisto "$(judge)"
    stand_in class/pages 'exit 0' # other tests make pages
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
    go_wrong() {
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
    }
    echo "$*" >>"$state/asked"
    unsettled='' verdict=pass kind=step submission='' runs='' time=1 detail='' hash='' gpu='' locks='' place=''
    # Without programs, each of which costs more than all that this does.
    if [[ ${1-} != -* ]]; then
        run=$1 references=()
        while read -r key value; do
            case $key in
                device) described=$value ;;
                seed) seed=$value ;;
                histolab) echo "$value" >>"$state/versions" ;;
                told) told=$value ;;
            esac
        done <"$run"
        while read -r key value; do [[ $key != reference-seconds ]] || references+=("$value"); done <"$told"
        while read -r key value; do [[ $key != uuid ]] || gpu=${value#GPU-}; done <"$described"
        echo "$seed $(stat -c %a "$run")" >>"$state/seeds"
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
            --unsettled) unsettled=$2 ;;
            --submission) submission=$2 ;;
            --step) step=$2 ;;
            --kind)
                kind=$2
                [[ $kind != reference ]] || { runs=1 kind=baseline; echo "reference-seconds 50" >>"$told"; }
                ;;
            --verdict) verdict=$2 ;;
            --detail) detail=$2 ;;
            --source-sha256) hash=$2 ;;
            --locks) locks=$2 ;;
            --place) place=$2 ;;
        esac
        shift
    done
    [[ -z $place ]] || flock "$place"
    for lock in ${locks//,/ }; do flock "$lock"; done
    [[ -z $place ]] || flock -u "$place"
    # A step is compared with what was measured before.
    [[ -z $runs || $kind != step || ${references[*]} == 50 ]] ||
        echo "no reference for $step on $gpu" >>"$state/clashes"
    if [[ -n $runs ]]; then
        [[ $gpu == "$CUDA_VISIBLE_DEVICES" ]] || echo "device file of $gpu on $CUDA_VISIBLE_DEVICES" >>"$state/clashes"
        mkdir "$state/busy-$gpu" || echo "two on $gpu" >>"$state/clashes"
        read -r -t 0.05 <> <(:)
        echo "$gpu $kind $submission $step" >>"$state/ran"
        if [[ -e $state/lose-$submission || -e $state/fail-$submission ]]; then
            exec 9>"$state/one-at-a-time"
            flock 9
            go_wrong
            exec 9>&-
        fi
        [[ ! -e $state/all-fail ]] || verdict=harness-error
        [[ ! -e $state/time-$submission ]] || time=$(<"$state/time-$submission")
        rmdir "$state/busy-$gpu"
    fi
    [[ -z $unsettled || $verdict != @(crashed|harness-error) ]] || record=$unsettled
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

# submission step verdict, of a class's records, as the stand-in wrote them. (jq takes longer to begin than a step to be graded.)
verdicts() {
    sed -nE 's/.*"submission":"([^"]+)","step":"([^"]+)","kind":"step".*"verdict":"([^"]+)".*/\1 \2 \3/p' "$out/results.jsonl" | LC_ALL=C sort
}

# On which GPUs a submission was graded.
gpus_of() {
    sed -nE 's/.*"submission":"'"$1"'","step":"[^"]+","kind":"step".*"uuid":"([^"]+)".*/\1/p' "$out/results.jsonl" | sort -u | paste -sd ' '
}
