# The assignment of a class, and what of a submission nobody has begun. Sourced by grade.sh and submissions.sh.
# shellcheck shell=bash disable=SC2154  # the variables of grade.sh

. class/view.sh

# use_assignment FILE: what --assignment names, else the one that the folder of results has. Its device, unless --device names
# one; its steps, of which --steps may choose some.
use_assignment() {
    assignment=$1
    [[ -n $assignment || ! -e $out/assignment && ! -L $out/assignment ]] || assignment=$out/assignment
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

# The folder has a link to it, so that every later command reads what it says by then.
keep_assignment() {
    local kept=$out/assignment
    [[ -n $assignment ]] || return 0
    [[ $assignment -ef $kept ]] || ln -sfn -- "$(realpath -- "$assignment")" "$kept" || fault "$(unwritable "$out")"
    unset ASSIGNMENT # of whoever called: from here on the folder's own counts
    assignment=$kept
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

# not_begun TREE: of the submission in the current folder the steps that nobody has begun, a line each: STEP/NAME.cu, tab, why.
# Starters are small: a large file is none.
not_begun() {
    local files tree=$1 notes=$work starters
    [[ $notes == /* ]] || notes=$tree/$notes # a folder of results may be named from the tree: --out results
    starters=("$notes"/starters/*)
    [[ -e ${starters[0]} ]] || starters=()
    mapfile -d '' files < <([[ ! -d labs ]] || find labs -type f -name '*.cu' -size -64 -print0 | LC_ALL=C sort -z)
    ((${#files[@]})) || return 0
    [[ ! -e $notes/handed-out ]] || local -x HANDED_OUT=$notes/handed-out
    "$tree/build/not-begun" "${starters[@]}" "${files[@]}"
}
