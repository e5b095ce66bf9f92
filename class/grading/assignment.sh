# The assignment of a class, and what of a submission nobody has begun. Sourced by grade.sh and submissions.sh.
# shellcheck shell=bash disable=SC2154  # the variables of grade.sh

. class/view.sh

# use_assignment FILE: what --assignment names, else the one that the folder of results has. Its device, unless --device names
# one; its steps, of which --steps may choose some.
use_assignment() {
    assignment=$1
    if [[ -z $assignment && -e $out/assignment ]]; then
        assignment=$out/assignment
        check_assignment "$assignment"
    fi
    [[ -n $assignment ]] || return 0
    class/assignment "$assignment" >/dev/null || exit
    [[ $device != auto ]] || device=$(class/assignment "$assignment" device)
    [[ -n $device ]] || device=auto
    mapfile -t assigned < <(class/assignment "$assignment" steps)
    select_steps "$pattern" "${assigned[@]}"
}

# assignment_value KEY: nothing without an assignment.
assignment_value() {
    [[ -z ${assignment-} ]] || class/assignment "${assignment-}" "$1"
}

# The folder keeps a copy, which says what it is of: where that changes, nothing is computed by the old one unasked
# (check_assignment in class/view.sh). Files that it names are found from there, too.
keep_assignment() {
    local copy=$out/assignment folder
    [[ -n $assignment ]] || return 0
    if [[ ! $assignment -ef $copy ]]; then
        folder=$(cd -- "$(dirname -- "$assignment")" && pwd) &&
            FOLDER=$folder awk '
                /^[ \t]*(roster|handed-out|earlier)[ \t]+[^\/ \t]/ {
                    match($0, /^[ \t]*[a-z-]+[ \t]+/)
                    $0 = substr($0, 1, RLENGTH) ENVIRON["FOLDER"] "/" substr($0, RLENGTH + 1)
                }
                { print }' "$assignment" >"$work/assignment" &&
            note_original "$assignment" >>"$work/assignment" && note_changes "$copy" "$work/assignment" && mv "$work/assignment" "$copy" || fault "$(unwritable "$out")"
    fi
    unset ASSIGNMENT # of whoever called: from here on the folder's own counts
    assignment=$copy
}

# note_changes OLD NEW: lines of an assignment that came or went.
note_changes() {
    local old=$1
    [[ -e $old ]] || old=/dev/null
    diff --unchanged-line-format='' --old-line-format='- %L' --new-line-format='+ %L' "$old" "$2" |
        sed '/^. *\(#\|$\)/d' | note_history "$out"
}

# work/starters/STEP, what is handed out of each step; and work/handed-out, what the assignment lists as handed out, with the
# codes of the published solutions.
write_starters() {
    local step source known=common/handed-out
    rm -rf "$work/starters"
    mkdir -p "$work/starters" || fault "$(unwritable "$out")"
    for source in labs/*/*.cu; do
        step=${source%/*}
        build/grades starter "$step/step.md" "$source" >"$work/starters/${step##*/}" || fault "$(unwritable "$out")"
    done
    [[ -e $known ]] || known=/dev/null
    source=$(assignment_value handed-out)
    { cat -- "${source:-/dev/null}" "$known" && build/not-begun --codes labs/*/*.cu; } >"$work/handed-out" || fault "$(unwritable "$out")"
}
