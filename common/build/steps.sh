# What is known of steps, from their directories alone. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash

# The directories of all steps, a line each, ladder by ladder: common/problems/PROBLEM/order holds the place of a
# problem's ladder. Those without one come last.
steps_in_order() {
    local source problem place
    for source in labs/*/*.cu; do
        [[ -e $source ]] || continue
        problem=${source##*/} place=''
        problem=common/problems/${problem%.cu}/order
        [[ ! -r $problem ]] || read -r place <"$problem"
        printf '%s\t%s\n' "${place:-999}" "${source%/*}"
    done | LC_ALL=C sort -s -n -k 1,1 | cut -f 2 | uniq
}

# The names of all steps, on one line.
all_steps() {
    steps_in_order | sed 's,^labs/,,' | paste -sd ' '
}

# step_header STEP KEY: what the header of its step.md says.
step_header() {
    sed -n "s/\r\$//; /^\$/q; s/^$2: *//p" "labs/$1/step.md"
}

# Sets `step`: the one whose name begins so.
find_step() {
    local found=(labs/"$1"*/)
    [[ -n $1 && -d ${found[0]} ]] || usage_error "no step under labs/ begins with '$1': $(all_steps)"
    found=("${found[@]%/}")
    ((${#found[@]} == 1)) || usage_error "several steps begin with '$1': ${found[*]#labs/}"
    step=${found[0]#labs/}
}

# Where steps were handed out, common/handed-out has the hashes of their sources (sha256sum labs/*/*.cu). Elsewhere no
# step is as it was handed out.
touched() {
    [[ -d labs/$1 ]] || usage_error "there is no step '$1'"
    local hash
    hash=$(cat labs/"$1"/*.cu 2>/dev/null | sha256sum)
    [[ -e common/handed-out ]] || return 0
    ! grep -q "^${hash%% *} .*labs/$1/" common/handed-out
}

# Whether a step is still the starter that was handed out. A first step of a ladder that is handed out whole has nothing
# to do in it, and is none.
not_started() {
    ! touched "$1" && grep -q '/\* TODO' labs/"$1"/*.cu
}
