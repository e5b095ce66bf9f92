# Which records are a student's own, and how one more is shown and kept. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash disable=SC2154  # the variables of those who source this

# Sets `earlier`: the files of former gradings of this tree's steps, the oldest first. A folder that holds a file `run` is a
# grading of submissions.
own_records() {
    local file
    earlier=()
    for file in results/results.previous.jsonl results/results.jsonl results/*/results.jsonl results/desk/history.jsonl; do
        [[ -s $file && ! -e ${file%/*}/run && $file != results/desk/results.jsonl ]] && earlier+=("$file")
    done
    return 0
}

# show_and_keep STEP: prints the page of its record in the file `records`, and adds the record to the history. `out` is
# the desk's folder, `log` what the compilers and the step printed; `measured_at` is as in desk/baselines.sh.
show_and_keep() {
    local brief=1
    [[ -z ${V-} ]] || brief=
    own_records
    (. report/lib/views.sh && LOG=$log BASELINES=${measured_at-} report_view one-step ${brief:+--brief} "$1" "$records" "${earlier[@]}") ||
        fault "the result could not be shown from $records"
    local record lines=()
    [[ $(<"$records") != *'"verdict":"pass"'* ]] || keep_passed "$1"
    [[ ! -e $out/history.jsonl ]] || mapfile lines <"$out/history.jsonl"
    ((!${#lines[@]})) || [[ ${lines[-1]} == *$'\n' ]] || echo >>"$out/history.jsonl" # a line that was cut short
    while read -r record; do
        [[ $record != *"\"step\":\"$1\""* ]] || printf '%s\n' "$record" >>"$out/history.jsonl"
    done <"$records"
}
