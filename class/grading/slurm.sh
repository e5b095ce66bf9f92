# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Grades a stack of submissions on a cluster, by Slurm. Sourced by grade.sh for --slurm.
# shellcheck shell=bash
#
# Where grade.sh is typed, submissions are taken in and dealt out; what it needs to know of progress is in the run's folder
# (submissions.sh) and in Slurm's queue. One job array grades the steps that have no record: each of its tasks (slurm-task)
# takes a slice, work/slice-N, which lists submissions. When Slurm knows the job no more, what is left is dealt out again,
# as long as a job has brought something: tasks reach their time limit, nodes fail. grade.sh itself can be stopped at any
# time. The job goes on, and the same command finds it by its name, which follows from the folder's path.
#
#   slurm/JOB_TASK.log   what a task has said
#
# Formats and states: squeue(1), sbatch(1), scontrol(1) of Slurm 22.05; nothing here needs its accounting.

. class/grading/submissions.sh
. class/grading/harness.sh

# A GPU, if sbatch is asked for one.
choose_cluster_device() {
    local option
    for option in "${sbatch_options[@]}"; do
        [[ ! $option =~ ^(--array|-a|--job-name|-J|--wrap) ]] || usage_error "--slurm gives sbatch its own $option: leave that out"
    done
    command -v sbatch >/dev/null && command -v squeue >/dev/null ||
        fault "sbatch or squeue is missing: --slurm works where Slurm's commands are, as on a cluster's login node"
    if [[ $device == auto ]]; then
        device=cpu
        [[ ! " ${sbatch_options[*]}" =~ \ (--gres=.*gpu|--gpus|-G) ]] || device=gpu
    fi
    [[ $device == gpu ]] || choose_device
    default_iterations
}

grade_on_slurm() {
    open_folder
    builds='' make_step=() owners=()
    [[ $device == gpu ]] || owners=(cpu)
    whole=$(realpath "$out") || fault "cannot enter $out"
    job_name=$(sha256sum <<<"$whole")
    job_name=histolab-${job_name:0:12} bad_nodes='' job='' cancelled=''
    choose_samples
    check_run
    build_here
    keep_private
    goes_on="what Slurm has begun goes on, and the same command waits for it (scancel --name=$job_name ends it)"
    mkdir -p "$out/slurm" || fault "$(unwritable "$out")"
    open_run
    keep_assignment
    [[ -z ${RUBRIC-} ]] || export RUBRIC=$(realpath "$RUBRIC") # as nodes see it
    name_submissions
    : >"$work/start"
    wait_for_job
    remove_leftovers
    note_measured
    : >"$work/gpus"
    take_in_all
    say_found
    mark_for_regrading
    supersede_stale
    gather
    deal_out
    [[ $device == cpu ]] || find_measured
    finish
}

# The judge says here what is wrong with the options. What nodes need is built here if they may have use for it.
build_here() {
    if [[ $device == cpu ]]; then
        build_all
        packed_for "$out"
        pack_harness || fault "$(unwritable "$out")"
    else
        version=$(harness_version) described=''
        make_harness "${functions[@]/#/build/judge-}"
        for function in "${functions[@]}"; do check_settings; done
    fi
}

# Sets owners[]: the GPUs that steps of this tree were measured on.
find_measured() {
    local path
    owners=()
    for path in "$out"/records/-*/; do [[ ! -d $path ]] || { path=${path%/} && owners+=("${path##*/-}"); }; done
}

# Own steps that have changed are measured again on each GPU that is met again.
note_measured() {
    local uuid step owners
    find_measured
    for uuid in "${owners[@]}"; do
        note_own_sources "$uuid"
        for step in "${steps[@]##*/}"; do supersede_if_stale "-$uuid" "$step"; done
    done
}

# Here and not on the nodes, where two might write to superseded.jsonl at once.
supersede_stale() {
    local who step
    while read -r who step; do supersede_if_stale "$who" "$step"; done < <(list_undone)
}

supersede_if_stale() {
    local record=$out/records/$1/$2
    [[ -e $record.jsonl && $record.source -nt $record.jsonl ]] || return 0
    supersede "$record".{jsonl,second.jsonl} || fault "$(unwritable "$out")"
}

# ---- the job ------------------------------------------------------------------------------------

# A round that brings nothing is the last.
deal_out() {
    local before=''
    count_undone
    while ((undone)) && [[ $undone != "$before" && -z $cancelled ]]; do
        before=$undone
        deal_slices
        submit
        wait_for_job
        gather
        count_undone
    done
    why_undone="the records say why of a harness-error, $out/slurm/ what the tasks have said"
    [[ -z $cancelled ]] || why_undone='the job was cancelled'
}

# Sets `slices`, the number of files work/slice-N. Each lists submissions, in the order of names, with 10 to 40 steps to
# grade: enough to be worth the start of a task, and few enough to be lost with a node. One with more steps is a slice of
# its own. Slurm takes 1000 tasks where MaxArraySize is as it comes.
deal_slices() {
    local most
    most=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *//p')
    rm -f "$work"/slice-*
    slices=$(list_undone | LC_ALL=C sort | awk -v most="$((${most:-1001} - 1))" -v folder="$work" '
        !($1 in left) { who[++submissions] = $1 }
        { left[$1]++ }
        END {
            size = int(NR / 16)
            size = size < 10 ? 10 : size > 40 ? 40 : size
            if (submissions > most && size < 2 * NR / most)
                size = 2 * NR / most
            for (i = 1; i <= submissions; i++) {
                if (!slices || steps + left[who[i]] > size) {
                    slices++
                    steps = 0
                }
                steps += left[who[i]]
                print who[i] >(folder "/slice-" slices)
            }
            print slices
        }') && [[ $slices == "$(find "$work" -name 'slice-*' | wc -l)" ]] || fault "$(unwritable "$out")"
}

# Sets `job`. What sbatch is given on the command line comes last, so it counts.
submit() {
    local script id cpus=''
    printf -v script '#!/usr/bin/env bash\nexec %q %q\n' "$PWD/class/grading/slurm-task" "$whole"
    # While a GPU's clock runs, the judge, the step and the build of the next one each need a CPU.
    [[ $device == cpu ]] || cpus=4
    id=$(sbatch --parsable --job-name="$job_name" --array="1-$slices" --open-mode=append --output="${whole//%/%%}/slurm/%A_%a.log" \
        ${cpus:+"--cpus-per-task=$cpus"} ${bad_nodes:+"--exclude=$bad_nodes"} "${sbatch_options[@]}" <<<"$script" 2>"$work/said") ||
        fault "Slurm refuses the job: $(tail -n 1 "$work/said")"
    say "$(cat "$work/said")"
    id=${id##*$'\n'}
    job=${id%%;*}
    say "Slurm's job $job: $undone steps in $slices tasks"
}

say() {
    [[ -z $1 ]] || { progress ''; printf 'grade.sh: %s\n' "$(printable "$1")" >&2; }
}

# Until no job with our name is in the queue: `job`, or what it finds there. Sets `cancelled` if somebody has cancelled it, and
# `bad_nodes`, the nodes where the harness could not work, with commas between.
wait_for_job() {
    local queue seconds=1 said='' changed now
    while :; do
        if ! queue=$(squeue --noheader --array --name="$job_name" --user="$(id -un)" --format='%T|%N|%F|%r' 2>"$work/said"); then
            now="Slurm does not answer: $(tail -n 1 "$work/said")"
            [[ -n ${undone-} ]] || fault "$now" # at the start: something is missing here
        elif [[ -z $queue ]]; then
            break
        else
            job=$(cut -d '|' -f 3 <<<"$queue" | sort -n | tail -n 1)
            now="Slurm's job $job: $(queue_in_words <<<"$queue")"
        fi
        # Where nobody watches, a line for each change of state, but not of the numbers.
        changed=${now//[0-9] /}
        [[ -t 2 || $changed == "$said" ]] || say "$now"
        said=$changed
        progress "$(so_far)$(printable "$now")"
        sleep "$seconds" &
        wait $!
        ((seconds >= 5)) || seconds=$((seconds + 1))
    done
    progress ''
    [[ -z $job ]] || look_back "$job"
}

so_far() {
    [[ -z ${undone-} ]] || printf '%s of %s steps graded. ' "$(find "$out/records" -name '*.jsonl' -newer "$work/start" | wc -l)" "$undone"
}

# `2 running on n1 n2, 5 pending (Resources)` of squeue's lines.
queue_in_words() {
    awk -F '|' '
        {
            state = tolower($1)
            if (state == "pending")
                state = state " (" $4 ")"
            if (!count[state]++)
                states[++number] = state
            if ($2 != "" && !((state, $2) in seen)) {
                seen[state, $2] = 1
                nodes[state] = nodes[state] " " $2
            }
        }
        END {
            for (i = 1; i <= number; i++) {
                state = states[i]
                printf "%s%d %s%s", (i > 1 ? ", " : ""), count[state], state, nodes[state] == "" ? "" : " on" nodes[state]
            }
            print ""
        }'
}

# What Slurm still knows of a job that has ended (for MinJobAge): a line for each task.
look_back() {
    local task state node status file
    while IFS='|' read -r task state node status; do
        [[ $state != CANCELLED ]] || cancelled=1
        [[ $state =~ ^(FAILED|NODE_FAIL|OUT_OF_MEMORY)$ ]] || continue
        file=$out/slurm/$1_$task.log
        say "task $task on $node: ${state,,}: $(tail -n 1 "$file" 2>/dev/null)"
        [[ $status != 3:* || ,$bad_nodes, == *",$node,"* ]] || bad_nodes+=${bad_nodes:+,}$node
    done < <(scontrol -o show job "$1" 2>/dev/null | awk '{
        split("", value)
        for (i = 1; i <= NF; i++)
            if (split($i, field, "=") == 2)
                value[field[1]] = field[2]
        print value["ArrayTaskId"] "|" value["JobState"] "|" value["BatchHost"] "|" value["ExitCode"]
    }')
}
