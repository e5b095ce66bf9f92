#!/usr/bin/env bats
# class/record: stopped, killed, carried to other machines, and what is measured again. Judge and GPU are stand-ins.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load two_gpus

setup() {
    # shellcheck disable=SC2034  # two_gpus makes it
    tree=$BATS_TEST_TMPDIR/tree class=$BATS_TEST_TMPDIR/class
    export state=$BATS_TEST_TMPDIR/state RECORDED=$BATS_TEST_TMPDIR/recorded
    two_gpus
    rm -rf "$tree"/common/baselines/cub_{byte,text,block_}histo "$tree"/common/baselines/{cub_sum,read_overlapped_deep}
    stand_in build/gpu/device 'cat "$state/device"'
    on_board GPU-a
    stand_in build/judge-opt_2dhisto "$(recording_judge)"
    mkdir "$RECORDED"
    dir=results/record/one
}

on_board() {
    printf '%s\n' 'kind gpu' "uuid $1" "name ${2-one}" 'driver x' 'sms 4' >"$state/device"
}

# It has two inputs. Each measurement is a line of $state/ran. state/kill-STEP: there it kills who called it, once, by 9 or the signal that is written there; state/fail-STEP: a wrong answer.
recording_judge() {
    cat <<'END'
    [[ $1 != --inputs ]] || { printf '%s\n' walk hot; exit; }
    [[ $1 != --dry-run ]] || exit 0
    run=$1 kind=step hash='' verdict=pass energy=''
    shift
    while (($#)); do
        case $1 in
            --step | --kind | --record) declare "${1#--}=$2" ;;
            --source-sha256) hash=$2 ;;
        esac
        shift
    done
    declare -A says board # without programs, each of which costs more than all that this does
    while read -r key value; do says[$key]=$value; done <"$run"
    while read -r key value; do says[$key]=$value; done <"${says[told]}"
    while read -r key value; do board[$key]=$value; done <"$state/device"
    [[ $kind == step ]] || while read -r key value; do [[ $key != cub ]] || cub=$value; done <"${says[device]}"
    input=${says[input]-}
    [[ ! -v says[warm] ]] || input+=', warm'
    [[ ! -v says[energy] ]] || energy="\"energy\":{\"joules\":${#step},\"idle_watts\":${says[idle-watts]:-null}},"
    [[ -z $energy || $kind == step ]] || echo "idle-watts 77" >>"${says[told]}"
    echo "$input${energy:+, energy} $step" >>"$state/ran"
    if [[ -e $state/kill-$step ]]; then
        signal=$(<"$state/kill-$step")
        rm "$state/kill-$step"
        printf '{"half":' >>"$record"
        kill "-${signal:-9}" "$PPID"
        exit
    fi
    [[ ! -e $state/fail-$step ]] || verdict=wrong
    [[ $kind != step || $energy || ( ${says[reference-seconds]-} && ${says[roof-gbps]-} ) ]] || echo "$step without a roof" >>"$state/clashes"
    write() {
        printf '{%s"submission":"","step":"%s","kind":"%s","problem":"opt_2dhisto","input":"%s","verdict":"%s","intended":"pass","device":{"kind":"gpu","name":"%s","uuid":"%s"},"iterations":1000,"median_s":1,"source_sha256":"%s","timing":"%s","build":{"cub":"%s"}}\n' \
            "$energy" "$1" "$kind" "$input" "$verdict" "${board[name]}" "${board[uuid]}" "$hash" "${says[timing]-}" "${cub-}" >>"$record"
    }
    if [[ $kind == reference ]]; then
        kind=baseline
        write reference
        write all_cores
        echo "reference-seconds 50" >>"${says[told]}"
    else
        [[ $kind != read ]] || echo "roof-gbps 50" >>"${says[told]}"
        write "$step"
    fi
    [[ $verdict == pass ]]
END
}

# Fails if something was recorded twice.
recorded() {
    jq -r '"\(.input) \(.step)"' "$@" | sort | uniq -c | awk '$1 != 1 { print; bad = 1 } END { exit bad }'
}

of_group() {
    cat "$dir/groups/opt_2dhisto-$1"/*.jsonl
}

@test "record: the graded input cold comes first; all is measured once, kept, and never again" {
    run -0 class/record
    [[ $output == *"5 of 5 groups are finished"*"Nothing is left."* ]]
    [ "$(cut -d ' ' -f 1,2 "$state/ran" | sed 's/ [a-z].*//; s/ opt.*//' | uniq | head -n 2 | paste -sd ' ')" = "walk hot" ]
    items=$(grep -c '^walk [a-z]' "$state/ran")
    [ "$items" -ge 6 ]
    # Warm groups have no reference of their own: it comes with all_cores. Energy is the GPU's.
    ran=$((4 * items - 2 + items - 1))
    [ "$(wc -l <"$state/ran")" -eq "$ran" ]
    run -1 grep 'warm reference' "$state/ran"
    [ "$(gzip -dc "$RECORDED/one.jsonl.gz" | jq -r '.timing' | sort -u | wc -l)" -eq 1 ]
    run -0 recorded <(gzip -dc "$RECORDED/one.jsonl.gz")
    [ "$(gzip -dc "$RECORDED/one.jsonl.gz" | wc -l)" -eq $((2 * (items + 1) + 2 * (items - 1))) ]
    run -0 class/record
    run -0 class/record --left
    [ "$(wc -l <"$state/ran")" -eq "$ran" ]
    [ ! -e "$state/clashes" ]
}

@test "record: killed in a step and in the reference, it goes on where it was; nothing is there twice" {
    : >"$state/kill-opt05_multiblock"
    run -137 class/record
    run -1 class/record --left
    [[ $output == *"left: opt_2dhisto-walk-cold "*" 2 of "* ]]
    : >"$state/kill-reference"
    run -137 class/record
    run -0 class/record
    run -0 recorded <(gzip -dc "$RECORDED/one.jsonl.gz")
    # Two were begun twice: those that were killed.
    [ "$(sort "$state/ran" | uniq -d | wc -l)" -eq 2 ]
    [ "$(grep -c 'walk read_plain' "$state/ran")" -eq 1 ]
    [ ! -e "$state/clashes" ]
}

@test "record: at the end of its time it collects what is finished" {
    echo TERM >"$state/kill-opt05_multiblock"
    run -143 class/record --only '*-hot-cold'
    [[ $output == *"0 of 1 groups are finished"* ]]
    run -0 class/record --only '*-walk-cold'
    echo TERM >"$state/kill-opt05_multiblock"
    run -143 class/record
    [[ $output == *"1 of 5 groups are finished"* ]]
    [ "$(jq -r .input "$dir/results.jsonl" | sort -u)" = walk ]
}

@test "record: on another board finished groups stay, and one that was begun begins again" {
    : >"$state/kill-read_plain"
    run -137 class/record --only '*-walk-cold'
    run -0 class/record --only '*-hot-cold'
    on_board GPU-b
    run -0 class/record
    [[ $output == *"opt_2dhisto-walk-cold begins again: it was begun on another board"*"results/record/one/set-aside."* ]]
    [ "$(of_group hot-cold | jq -r .device.uuid | sort -u)" = GPU-a ]
    [ "$(of_group walk-cold | jq -r .device.uuid | sort -u)" = GPU-b ]
    [ "$(jq -r .device.uuid "$dir/set-aside/opt_2dhisto-walk-cold"/*.jsonl | sort -u)" = GPU-a ]
    # Another kind of GPU has a folder of its own.
    on_board GPU-c other
    run -1 class/record --left
    [[ $output == *"0 of 5 groups are finished (results/record/other/"* ]]
}

@test "record: a changed step is measured again, alone; changed code that times, and another protocol, begin all again" {
    run -0 class/record --only '*-walk-*'
    before=$(wc -l <"$state/ran")
    echo '// changed' >>labs/opt06_builtin_min/opt_2dhisto.cu
    run -0 class/record --only '*-walk-*'
    [ "$(tail -n +$((before + 1)) "$state/ran")" = $'walk opt06_builtin_min\nwalk, energy opt06_builtin_min\nwalk, warm opt06_builtin_min' ]
    run -0 recorded "$dir/results.jsonl"
    echo '/* only a comment */' >>common/judge/timing/timing.c
    run -0 class/record --left --only '*-walk-*'
    echo 'int changed;' >>common/judge/timing/timing.c
    run -1 class/record --left --only '*-walk-*'
    [[ $output == *"left: opt_2dhisto-walk-cold "*"(it was measured in another way)"* ]]
    git checkout -q common/judge/timing/timing.c 2>/dev/null || sed -i '/int changed/d' common/judge/timing/timing.c
    run -0 class/record --left --only '*-walk-*'
    sed -i 's/samples 10/samples 11/' class/record
    run -0 class/record --only '*-walk-*'
    [[ $output == *"opt_2dhisto-walk-cold begins again: it was measured in another way. What it had is in "* ]]
}

@test "record: what fails is named, is not kept, and is tried again next time" {
    : >"$state/fail-opt05_multiblock"
    run -1 class/record --only '*-walk-cold'
    [[ $output == *"opt_2dhisto-walk-cold: opt05_multiblock failed"* ]]
    [ ! -s "$dir/results.jsonl" ]
    rm "$state/fail-opt05_multiblock"
    run -0 class/record --only '*-walk-cold'
    run -0 recorded "$dir/results.jsonl"
    [ "$(grep -c opt06 "$state/ran")" -eq 1 ]
}

@test "record: energy is measured after the cold groups, and stands in their records; a step that has changed has none yet" {
    run -0 class/record --only '*-cold'
    run ! grep -q '"energy"' "$dir/results.jsonl"
    : >"$state/kill-opt05_multiblock" # what the GPU draws without calls is known when it goes on
    run -137 class/record --only '*-energy'
    run -0 class/record --only '*-energy' # what it does not choose stays in the results
    [ "$(jq -r 'select(.energy) | .input' "$dir/results.jsonl" | sort -u)" = walk ]
    [ "$(cut -d ' ' -f 1,2 "$state/ran" | uniq | grep -c energy)" -eq 1 ]
    run -1 class/record --left
    run -0 recorded "$dir/results.jsonl"
    # Each its own: the stand-in's is as long as the name. The first has measured what the GPU draws without calls.
    [ "$(jq -r 'select(.energy) | "\(.input) \(.energy.joules == (.step | length))"' "$dir/results.jsonl" | sort -u)" = "walk true" ]
    [ "$(jq -r 'select(.energy) | .energy.idle_watts' "$dir/results.jsonl" | sort | uniq -c | xargs)" = "$(grep energy "$state/ran" | sort -u | wc -l | awk '{ print $1 - 1, 77, 1, "null" }')" ]
    [ "$(jq -rs 'map(select(.input == "walk" and .energy == null) | .step) | join(" ")' "$dir/results.jsonl")" = "reference all_cores" ]
    echo '// changed' >>labs/opt06_builtin_min/opt_2dhisto.cu
    run -0 class/record --only '*-cold'
    [ "$(jq -r 'select(.input == "walk" and .step == "opt06_builtin_min") | has("energy")' "$dir/results.jsonl")" = false ]
    # Code that measures energy begins energy again, and nothing else.
    echo 'int changed;' >>common/judge/timing/energy.c
    run -1 class/record --left
    [[ $output == *"left: opt_2dhisto-walk-energy "* && $(grep -c "measured in another way" <<<"$output") -eq 1 ]]
}
