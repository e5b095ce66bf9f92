# Which records are a student's own. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash

# Sets `earlier`: the files of former gradings of this tree's steps, the oldest first. A folder that holds a file `run` is a
# grading of submissions.
own_records() {
    local file
    earlier=()
    for file in results/results.jsonl results/*/results.jsonl results/desk/history.jsonl; do
        [[ -s $file && ! -e ${file%/*}/run && $file != results/desk/results.jsonl ]] && earlier+=("$file")
    done
    return 0
}
