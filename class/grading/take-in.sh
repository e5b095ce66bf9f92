# Takes in submissions: a clean copy of each one's steps, and what each step's record is to be made from. Sourced by submissions.sh.
# shellcheck shell=bash disable=SC2154  # the variables of grade.sh
# class/README.md says what a file STEP.source holds.

# note_source WHO STEP LINE. Half a line is none of these, and so the next run writes it anew.
note_source() {
    local file=$out/records/$1/$2.source line=${3//$'\n'/ } earlier=''
    [[ ! -e $file ]] || IFS= read -r earlier <"$file"
    [[ $line == "$earlier" ]] || printf '%s\n' "$line" >"$file"
}

# noticed ID: what class/intake has noticed and somebody should look at, in a line.
noticed() {
    local line said=() text=''
    [[ ! -e $out/logs/$1/intake.log ]] || while IFS= read -r line; do
        [[ $line == 'intake: note: '* ]] || said+=("${line#intake: }")
    done <"$out/logs/$1/intake.log"
    ((${#said[@]} <= 20)) || said=("${said[@]: -20}")
    ((${#said[@]} == 0)) || printf -v text '%s; ' "${said[@]}"
    printf '%s' "${text%; }"
}

# This tree's own steps, which are measured once on each GPU that a run has had.
note_own_sources() {
    local hash file step
    mkdir -p "$out/records/-$uuid" || fault "$(unwritable "$out")"
    while read -r hash file; do
        step=${file#labs/} step=${step%/*}
        note_source "-$uuid" "$step" "$hash" || fault "$(unwritable "$out")"
    done < <(for step in "${steps[@]}"; do printf '%s\0' "$step"/*.cu; done | xargs -0 sha256sum)
}

# clean_copy OPTION...: prints why a submission has no steps: `- ` if that is its own doing, else `! `. Nothing if it has some.
clean_copy() {
    local status said patience=600
    timeout -k 5 "$patience" bash class/intake "$@" "${path_of[$id]}" "$copy" 2>>"$log"
    status=$?
    ((status)) || return 0
    ((status != 137)) || sleep 1 # who kills all of a grading may come to this process only now
    said=$(noticed "$id")
    said=${said:-class/intake ended with status $status}
    if ((status == 124)); then
        echo "- it took longer than $((patience / 60)) minutes to unpack: it should hold the step files, and little else"
    elif ((status == 1)); then echo "- $said"; else echo "! $said"; fi
}

# take_in ID FILES: in a process of its own. What intake noticed is in logs/ID/intake.log.
# FILES: which file is which step, where the assignment says so: ID, step and path, a line each.
# Ends with 0, also of a submission that is refused, or with 3: the results folder cannot be written.
take_in() {
    local id=$1 program=take-in copy=$out/submissions/$1 log=$out/logs/$1/intake.log notes=$out/handed-in/.notes/${path_of[$1]##*/}
    local options=(--steps "${steps[*]##*/}") who step path failure said hash source why own line
    local -A source_of=()
    shopt -s nullglob
    [[ ! -e $copy ]] || rm -rf "$copy"
    mkdir -p "$out/records/$id" "${log%/*}" && : >"$log" || fault "$(unwritable "$out")"
    # What class/lms/take.pl has put there, and noticed.
    if [[ ${path_of[$id]} == */handed-in/* && -e $notes ]]; then
        options=(--uploads "${options[@]}")
        while IFS= read -r line; do printf 'intake: %s\n' "$line"; done <"$notes" >"$log"
    fi
    while IFS=$'\t' read -r who step path; do
        [[ $who != "$id" ]] || options+=(--file "$step" "$path")
    done <<<"$2"
    failure=$(clean_copy "${options[@]}")

    # In one piece: what a killed process did not say is not missing.
    said=$(HANDED_OUT=$work/handed-out build/not-begun "$work"/starters/* "$copy"/labs/*/*.cu) || fault "cannot read $copy"
    while IFS=$'\t' read -r hash source why; do
        source_of[${source:-none}]=${why:+= }$hash${why:+ $why}
    done <<<"$said"
    for step in "${steps[@]##*/}"; do
        own=(labs/"$step"/*.cu)
        source=$step/${own[0]##*/}
        note_source "$id" "$step" "${source_of[$source]-${failure:-- the submission has no $source}}" || fault "$(unwritable "$out")"
    done
}
