#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# ./grade.sh --slurm: a class on a cluster of two nodes with a GPU each. Slurm's commands are stand-ins, which deal out tasks
# as Slurm does; tests/slurm tries a real Slurm.

bats_require_minimum_version 1.5.0 # run -N, run !

load two_gpus

setup() {
    tree=$BATS_TEST_TMPDIR/tree out=$BATS_TEST_TMPDIR/out class=$BATS_TEST_TMPDIR/class
    export state=$BATS_TEST_TMPDIR/state
    two_gpus
    cluster
}

cluster() {
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir -p "$state"/{queue,known} "$TMPDIR"
    stand_in bin/sleep 'read -r -t 0.1 <> <(:) || exit 0'
    stand_in bin/sbatch '
        [[ ! -e $state/refuses ]] || { echo "sbatch: error: invalid partition specified: gpu" >&2; exit 1; }
        # The nodes hold no lock of grade.sh.
        for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd < 3 || fd == 255)) || eval "exec $fd>&-"; done
        printf "%s\n" "$*" >>"$state/sbatch"
        number=$(wc -l <"$state/sbatch")
        for argument; do
            [[ $argument != --array=1-* ]] || last=${argument#--array=1-}
            [[ $argument != --output=* ]] || log=${argument#--output=}
            [[ $argument != --exclude=* ]] || without=${argument#--exclude=}
        done
        cat >"$state/script-$number"
        rm -f "$state"/known/*
        for ((task = 1; task <= last; task++)); do
            echo "PENDING||$number|Resources" >"$state/queue/$task"
        done
        for node in n0 n1; do
            if [[ ,${without-}, != *,$node,* ]]; then node $node $number "${log//%A/$number}" </dev/null >/dev/null 2>&1 3>&- & fi
        done
        echo "$number"'
    stand_in bin/node "$(node)"
    stand_in bin/squeue '
        [[ ! -e $state/no-answer ]] || { echo "squeue: error: Unable to contact slurm controller" >&2; exit 1; }
        cat "$state"/queue/* 2>/dev/null
        [[ ! -e $state/killed ]] || rm -f "$state/hold"'
    stand_in bin/scontrol '
        [[ $* != "show config" ]] || { echo "MaxArraySize            = 1001"; exit; }
        cat "$state"/known/* 2>/dev/null'
}

# A node takes one task after the other. state/dies-NODE: it dies with its first, once. state/cancelled: it runs none.
node() {
    cat <<'END'
    export SLURMD_NODENAME=$1 CUDA_VISIBLE_DEVICES=${1#n} SLURM_CPUS_ON_NODE=1
    died=""
    while [[ -z $died ]]; do
        taken=""
        for file in "$state"/queue/*; do
            task=${file##*/}
            ! mkdir "$state/taken-$2-$task" 2>/dev/null || { taken=1; break; }
        done
        [[ -n $taken && -e $file ]] || break
        echo "RUNNING|$1|$2|None" >"$file"
        export SLURM_ARRAY_TASK_ID=$task
        while [[ -e $state/hold ]]; do read -r -t 0.05 <> <(:); done
        if [[ -e $state/cancelled ]]; then
            job="JobState=CANCELLED ExitCode=0:15"
        elif rm "$state/dies-$1" 2>/dev/null; then
            died=1
            setsid bash "$state/script-$2" >>"${3//%a/$task}" 2>&1 &
            until [[ -s $state/handed-over && $(wc -l <"$state/ran") -ge 9 ]]; do
                read -r -t 0.05 <> <(:)
                (cd "${state%/*}/out/records" && ls -- [a-f]/*.jsonl) >"$state/handed-over" 2>/dev/null
            done
            kill -KILL -- -$!
            job="JobState=NODE_FAIL ExitCode=0:9"
        else
            bash "$state/script-$2" >>"${3//%a/$task}" 2>&1
            status=$?
            job="JobState=COMPLETED ExitCode=$status:0"
            ((status == 0)) || job="JobState=FAILED ExitCode=$status:0"
        fi
        echo "JobId=$2 ArrayJobId=$2 ArrayTaskId=$task $job BatchHost=$1 NumNodes=1" >"$state/known/$task"
        rm -f "$file"
    done
END
}

grade() {
    ./grade.sh --out "$out" --slurm '--gres=gpu:1 --time=10' "$@" "$class"/*
}

# How often the judge timed a step, at most.
most_runs() {
    grep ' step ' "$state/ran" | sort | uniq -c | awk '$1 > most { most = $1 } END { print most + 0 }'
}

@test "two nodes: each times this tree's own steps on its GPU first, and each step of the class is graded once" {
    hand_in a b c d e f
    run -0 grade
    [ ! -e "$state/clashes" ]
    [ "$(verdicts | grep -c ' pass$')" -eq 12 ]
    [ "$(verdicts | uniq -d)" = "" ]
    [ "$(most_runs)" -eq 1 ]
    [ "$(gpus_of '')" = "GPU-0 GPU-1" ]
    for gpu in 0 1; do [ "$(grep "^$gpu step" "$state/ran" | head -n 2 | grep -c '^. step  opt0')" -eq 2 ]; done
    [ "$(jq -r 'select(.kind == "read").device.uuid' "$out/results.jsonl" | sort -u | paste -sd ' ')" = "GPU-0 GPU-1" ]
    # As it would be on one machine, the seed included.
    [ "$(sort -u "$state/seeds")" = "$(head -n 1 "$out/run") 600" ]
    [ "$(sort -u "$state/versions")" = 1.2.3+g1234567 ]
    # What sbatch is given comes last, and what Slurm says is told.
    [[ $(<"$state/sbatch") == *" --cpus-per-task=4 --gres=gpu:1 --time=10" ]]
    [[ $output == *"Slurm's job 1: 12 steps in 2 tasks"* && $output == *" on n"* ]]
    [ -z "$(ls "$TMPDIR")" ] # of the nodes
    # A submission that has changed is graded again, and only that, on a GPU that has been measured.
    echo '// changed' >>"$class/a/labs/opt05_multiblock/opt_2dhisto.cu"
    run -0 grade
    [ "$(wc -l <"$state/sbatch")" -eq 2 ]
    [ "$(grep -c 'step  opt05' "$state/ran")" -eq 2 ]
    [ "$(wc -l <"$out/superseded.jsonl")" -eq 1 ]
    [ "$(grep -c 'step [a-f] ' "$state/ran")" -eq 13 ]
}

@test "a node that dies: what it had not handed over is dealt out again, and nothing is graded twice or lost" {
    hand_in a b c d e f
    touch "$state/dies-n0"
    run -0 grade
    [[ $output == *"on n0: node_fail"* ]]
    [ "$(verdicts | grep -c ' pass$')" -eq 12 ]
    [ "$(verdicts | uniq -d)" = "" ]
    # What had been handed over did not run again.
    grep ' step [a-f]' "$state/ran" | sed 's/^. step //; s| |/|; s/$/.jsonl/' | sort | uniq -d >"$state/ran-twice"
    [ "$(sort "$state/handed-over" "$state/ran-twice" | uniq -d)" = "" ]
}

@test "grade.sh is killed and typed again: it waits for what Slurm has begun" {
    hand_in a b
    touch "$state/hold"
    ./grade.sh --out "$out" --slurm --gres=gpu:1 "$class"/* >printed 2>&1 3>&- &
    grading=$!
    until grep -q "Slurm's job 1" printed; do
        kill -0 "$grading"
        read -r -t 0.1 <> <(:) || true
    done
    kill -KILL "$grading"
    touch "$state/killed" # from now on the nodes work
    run -0 grade
    [ "$(wc -l <"$state/sbatch")" -eq 1 ]
    [ "$(verdicts | grep -c ' pass$')" -eq 4 ]
    [ "$(most_runs)" -eq 1 ]
}

@test "a job that is cancelled is not begun again by the command that waits for it" {
    hand_in a
    touch "$state/cancelled"
    run -3 grade
    [[ $output == *"could not be graded (the job was cancelled); the same command tries again"* ]]
    [ "$(wc -l <"$state/sbatch")" -eq 1 ]
}

@test "a node where the harness does not work is left out of the next round" {
    hand_in a b c d e f
    touch "$state/lost-0"
    echo 1.21 >"$state/time-c"
    run -0 grade
    [[ $output == *"on n0: failed: "*"there is no GPU that can be used"* ]]
    [[ $(tail -n 1 "$state/sbatch") == *"--exclude=n0 --gres"* ]]
    [ "$(gpus_of a)" = "GPU-1" ]
    [ "$(verdicts | sort -u | grep -c ' pass$')" -eq 12 ]
    # What decides by little is measured again in the same task, so on the same GPU.
    [ "$(find "$out"/records -name '*.second.jsonl' | sort | paste -sd ' ')" = "$(echo "$out"/records/c/opt0*.second.jsonl)" ]
    [ "$(most_runs)" -eq 2 ]
}

@test "what is wrong is told in a line: no Slurm, no answer, a job refused, an option of ours after --slurm" {
    hand_in a
    touch "$state/no-answer"
    run -3 grade
    [[ $output == *"Slurm does not answer: squeue: error: Unable to contact slurm controller"* ]]
    rm "$state/no-answer"
    touch "$state/refuses"
    run -3 grade
    [[ $output == *"Slurm refuses the job: sbatch: error: invalid partition specified: gpu"* ]]
    run -2 ./grade.sh --slurm --out "$out" "$class/a"
    [[ $output == *"put --out before it"* ]]
    run -2 ./grade.sh --gpus 0 --slurm --gres=gpu:1 "$class/a"
    [[ $output == *"on a cluster Slurm does"* ]]
    run -2 ./grade.sh --slurm '--gres=gpu:1 --array=1-2' "$class/a"
    [[ $output == *"leave that out"* ]]
    run -2 ./grade.sh --slurm
    [[ $output == *"are for submissions"* ]]
    mkdir without
    ln -s /bin/* /usr/bin/* without 2>/dev/null || true
    rm -f bin/sbatch without/sbatch
    PATH=$tree/bin:$tree/without run -3 grade
    [[ $output == *"sbatch or squeue is missing"* ]]
}
