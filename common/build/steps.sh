# What is known of steps, from their directories alone. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash

# The directories of all steps, one a line, ladder by ladder: common/problems/PROBLEM/order holds the place of a
# problem's ladder. Those without one come last.
steps_in_order() {
    local source problem place previous='' at=()
    for source in labs/*/*.cu; do
        [[ -e $source && ${source%/*} != "$previous" ]] || continue
        previous=${source%/*} problem=${source##*/} place=''
        problem=common/problems/${problem%.cu}/order
        [[ ! -r $problem ]] || read -r place <"$problem"
        [[ $place =~ ^[0-9]+$ ]] || place=999
        at[10#$place]+=$previous$'\n'
    done
    for place in "${!at[@]}"; do printf '%s' "${at[place]}"; done
}

# The names of all steps, on one line.
all_steps() {
    local names
    mapfile -t names < <(steps_in_order)
    echo "${names[@]#labs/}"
}

# check_folder DIRECTORY: ends the script, with what to do, unless a step is there. Make takes a name with blanks for several,
# and of several .cu files whichever comes first. The file's name is as in other steps of the ladder.
check_folder() {
    local name=${1#labs/} file wanted='' others=()
    [[ $name != *[!A-Za-z0-9_.-]* ]] ||
        usage_error "'$1' is no folder of a step, whose name has letters, digits, _, - and . only: rename it, or move it out of labs/"
    for file in "$1"/*.cu labs/"${name%%[0-9]*}"[0-9]*/*.cu; do
        file=${file##*/}
        [[ ! -e common/problems/${file%.cu}/problem.c ]] || { wanted=$file && break; }
    done
    for file in "$1"/*; do
        [[ ${file,,} != *.cu || ${file##*/} == "$wanted" ]] || others+=("${file##*/}")
    done
    [[ -n $wanted && -e $1/$wanted ]] && { ((${#others[@]})) || return 0; } && others[0]="also ${others[0]}"
    file=${others[*]/%/,} file=${file%,}
    [[ -n $file || ! -e results/desk/passed/$name.cu ]] ||
        file="none. The version that passed is kept: cp results/desk/passed/$name.cu $1/$wanted"
    usage_error "$1 must hold one .cu file, ${wanted:-named after its problem in common/problems}; there is ${file:-none}"
}

# check_folders PATTERN...: the same of each folder whose name fits, and that holds a step's words or its source.
check_folders() {
    local directory sources
    for directory in labs/*/; do
        sources=("$directory"*.cu)
        fits "${directory:5:-1}" "$@" && [[ -e ${sources[0]} || -e ${directory}step.md ]] || continue
        check_folder "${directory%/}"
    done
}

# files_below PATH...: the files there, with git not those that it ignores.
files_below() {
    { git ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null | grep . || find "$@" -type f 2>/dev/null; } |
        while IFS= read -r file; do [[ ! -f $file ]] || printf '%s\n' "$file"; done
}

# fits NAME PATTERN...: whether it is like one of these, as the shell matches names of files.
fits() {
    local pattern
    for pattern in "${@:2}"; do
        # shellcheck disable=SC2053  # the right side is a pattern
        [[ $1 != $pattern ]] || return 0
    done
    return 1
}

# step_header STEP KEY: what the header of its step.md says.
step_header() {
    local line
    [[ -r labs/$1/step.md ]] || return
    while read -r line && line=${line%$'\r'} && [[ -n $line ]]; do
        [[ $line != "$2:"* ]] || { line=${line#"$2:"} && echo "${line#"${line%%[! ]*}"}"; }
    done <"labs/$1/step.md"
    return 0
}

# Sets `step`: the one whose name begins so, or that build/front takes it for, which says what else may be meant.
find_step() {
    local beginning=$1 found
    [[ ! -x build/front ]] || beginning=$(PROGRAM=$program build/front --steps "$1") || exit
    found=(labs/"${beginning:-?}"*/)
    [[ -n $1 && -d ${found[0]} ]] || usage_error "there is no step '$1' (ls labs/ lists them)"
    found=("${found[@]%/}")
    ((${#found[@]} == 1)) || usage_error "several steps begin with '$1': ${found[*]#labs/}"
    check_folder "${found[0]}"
    step=${found[0]#labs/}
}

# Sets, of each step, `source_hashes` and `why_not_begun` (common/begun/): nothing where somebody has begun it.
know_steps() {
    local name hash why
    declare -gA source_hashes=() why_not_begun=()
    for name in common/begun/*.[ch] common/sha256.[ch]; do
        [[ build/not-begun -nt $name ]] || { make -s -j2 build/not-begun >/dev/null || return; }
    done
    while IFS=$'\t' read -r hash name why; do
        source_hashes[labs/${name%/*}]=$hash why_not_begun[${name%/*}]=${why/ of the same submission/}
    done < <(HANDED_OUT=common/handed-out build/not-begun labs/*/*.cu)
}

# The hash of the source in a directory.
hash_of() {
    local hash=${source_hashes[$1]-}
    [[ -n $hash ]] || read -r hash _ < <(sha256sum "$1"/*.cu 2>/dev/null)
    echo "$hash"
}

# Where steps were handed out, common/handed-out has the hashes of their sources (sha256sum labs/*/*.cu). Elsewhere no
# step is as it was handed out.
touched() {
    [[ -d labs/$1 ]] || usage_error "there is no step '$1'"
    [[ -e common/handed-out ]] || return 0
    ((${#source_hashes[@]})) || know_steps
    local hash=${source_hashes[labs/$1]-}
    ! grep -q "^${hash:-none} .*labs/$1/" common/handed-out
}

# Whether nobody has begun a step: it is still the starter that was handed out, or an earlier step under another name, as
# `why_not_begun` says, and as the grading of a class has it. A ladder's first step that is handed out whole has
# nothing to do in it, so it is not a starter.
not_started() {
    ((${#source_hashes[@]})) || know_steps
    [[ -n ${why_not_begun[$1]-} ]]
}

# keep_passed STEP: its source, which `make last-opt05` brings back. Nothing is started for what is kept already.
keep_passed() {
    local kept=results/desk/passed/$1.cu source=(labs/"$1"/*.cu) text
    [[ ! -e $kept || $(<"$kept") != "$(<"${source[0]}")" ]] || return 0
    IFS= read -rd '' text <"${source[0]}"
    { [[ -d ${kept%/*} ]] || mkdir -p "${kept%/*}"; } && printf '%s' "$text" >"$kept"
}

declare -gA source_hashes=() why_not_begun=()
