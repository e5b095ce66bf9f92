# The groups that class/record measures, and what is known of each. Sourced by it.
# shellcheck shell=bash disable=SC2154  # what class/record sets
#
# A group is a folder of $dir/groups: ITEM.jsonl for each measurement that is done, run-FUNCTION (what the judge is told, and what
# baselines told it), device.txt, and `what`: what all of it was measured with and on.
# An item is a measurement: `reference`, a baseline's or a step's name.

# Sets `groups`, the most important first, `chosen`, those of them that --only names, and group_function, group_input, group_class (it chooses the protocol: `graded` is the graded
# input cold, `energy` the same for energy, `other` all else), group_mode (cold, energy or warm) and group_items of each.
find_groups() {
    local wanted mode problem input class
    local -A inputs items
    declare -gA group_function group_input group_class group_mode group_items
    groups=() chosen=()
    find_baselines
    for problem in "${functions[@]}"; do
        inputs[$problem]=$("build/judge-$problem" --inputs) || exit 3
        items[$problem]=$(find_items "$problem")
    done
    for mode in cold energy warm; do
        for wanted in graded other; do
            for problem in "${functions[@]}"; do
                class=graded # the first
                for input in ${inputs[$problem]}; do
                    [[ $class != "$wanted" ]] || add_group "$problem" "$input" "$class" "$mode"
                    class=other
                done
            done
        done
    done
    for wanted in "${groups[@]}"; do ! fits "$wanted" "$only" || chosen+=("$wanted"); done
    ((${#chosen[@]})) || usage_error "no group matches '$only'"
}

add_group() {
    local name=$1-$2-$4 class=$3 measured=${items[$1]}
    [[ $4 == cold ]] || class=other
    if [[ $4 == energy ]]; then
        [[ $3 == graded && $device == gpu ]] || return 0
        class=energy measured=${measured#reference} # it does not run on the GPU
    fi
    groups+=("$name")
    group_function[$name]=$1 group_input[$name]=$2 group_class[$name]=$class group_mode[$name]=$4 group_items[$name]=$measured
}

# What a group consists of, in the order in which it is measured: steps are compared with what comes before them.
find_items() {
    local directory
    [[ $device == cpu ]] || echo reference
    for directory in "${baselines[@]}"; do
        [[ ! -e $directory/read_all.cu && ! -e $directory/$1.cu ]] || echo "${directory##*/}"
    done
    for directory in "${steps[@]}"; do
        [[ ! -e $directory/$1.cu ]] || echo "${directory##*/}"
    done
}

# baseline_named NAME: its directory; nothing where there is no such baseline.
baseline_named() {
    local directory
    for directory in "${baselines[@]}"; do
        [[ ${directory##*/} != "$1" ]] || echo "$directory"
    done
}

total_of() {
    wc -w <<<"${group_items[$1]}"
}

# What the judge is told of a group.
group_settings() {
    recorded_settings "${group_class[$1]}" | sed "${asked_iterations:+s/^iterations .*/iterations $asked_iterations/}"
    printf '%s\n' "input ${group_input[$1]}" "${rehearsal[@]}" | sed '/^$/d'
    [[ ${group_mode[$1]} != warm ]] || echo warm
}

# What its measurements have in common: `protocol` lines, which have to be today's even of a finished group; then those of the place,
# which have to be those of this place for a group to go on.
what_is() {
    {
        echo "schema $(sed -n 's/^VERSION(\([0-9]*\))$/\1/p' common/record.def)"
        echo "timing $timing"
        [[ ${group_mode[$1]} != energy ]] || echo "code $(energy_version)"
        group_settings "$1"
        echo "reference $(recorded_reference_s "${group_class[$1]}")"
        grep '^name ' "$out/device.txt"
    } | sed '/^$/d; s/^/protocol /'
    grep -E '^(uuid|driver|toolkit|compiler|flags|cub) ' "$out/device.txt"
}

# A chosen group that cannot go on here is set aside. Sets `stale`: those of which nothing is done.
look_at_groups() {
    local hash file
    declare -gA hashes=() stale=()
    timing=$(timing_version)
    while read -r hash file; do hashes[${file#labs/}]=$hash; done < <(sha256sum labs/*/*.cu)
    for group in "${groups[@]}"; do
        [[ -e $dir/groups/$group/what ]] || continue
        if ! cmp -s <(what_is "$group" | grep '^protocol ') <(grep '^protocol ' "$dir/groups/$group/what"); then
            set_aside "it was measured in another way"
        elif ! is_finished "$group" && ! cmp -s <(what_is "$group") "$dir/groups/$group/what"; then
            set_aside "it was begun on another board, or with another driver or toolkit"
        fi
    done
}

# set_aside WHY: begins the group again, if it is chosen.
set_aside() {
    local number=1
    stale[$group]=1
    fits "$group" "$only" || return 0
    [[ -z $only_left ]] || { echo "$group will begin again: $1."; return; }
    while [[ -e $dir/set-aside/$group.$number ]]; do ((++number)); done
    mkdir -p "$dir/set-aside" && mv "$dir/groups/$group" "$dir/set-aside/$group.$number" || fault "cannot write to $dir"
    echo "$group begins again: $1. What it had is in $dir/set-aside/$group.$number."
}

# is_done GROUP ITEM: it has succeeded, and is of today's source.
is_done() {
    local file=$dir/groups/$1/$2.jsonl
    [[ -e $file && -z ${stale[$1]-} ]] || return
    [[ ! -d labs/$2 ]] || grep -qF "\"source_sha256\":\"${hashes[$2/${group_function[$1]}.cu]}\"" "$file"
}

# Whether the time of the item that was measured is another than the step's own. The judge says so in the notes, or flags clocks
# that disagree (common/judge/timing/timing.c). A busy processor does that to steps that are right.
was_disturbed() {
    grep -qsE '"notes":"[^"]*(, and it did not end|the judge.s clock counts)' "$records"
}

# Sets what the judge's functions need. Fails if nothing is left of the group.
open_group() {
    local folder=$dir/groups/$group
    ! is_finished "$group" || return 1
    function=${group_function[$group]} runs=$folder/run device_file=$folder/device.txt
    { mkdir -p "$folder" && cp "$out/device.txt" "$device_file"; } || fault "cannot write to $folder"
    [[ -e $folder/what ]] || what_is "$group" >"$folder/what"
    unset "stale[$group]"
    open_run
}

# The run file, with what baselines have told already. It is replaced at once: steps need all of it.
open_run() {
    local told
    told=$(told_by_baselines "$runs-$function" 2>/dev/null)
    mapfile -t settings < <(group_settings "$group" | grep -v '^iterations ')
    settings+=("timing $timing")
    # shellcheck disable=SC2034  # begin_run writes it
    iterations=$(group_settings "$group" | sed -n 's/^iterations //p')
    runs=$runs.new begin_run
    [[ -z $told ]] || echo "$told" >>"$runs.new-$function"
    mv "$runs.new-$function" "$runs-$function" || fault "cannot write $runs-$function"
}

# Warm calls change nothing for the CPU, so a warm group takes over what the CPU's reference took in the cold one, measured beside
# the same board. Fails if there is no such figure.
take_over_reference() {
    local cold=$dir/groups/$function-${group_input[$group]}-cold same='^(uuid|protocol (schema|timing|size)) ' told
    [[ ${group_mode[$group]} == warm && -e $cold/what ]] || return
    cmp -s <(grep -E "$same" "$cold/what") <(grep -E "$same" "$dir/groups/$group/what") || return
    told=$(grep -s '^reference-seconds ' "$cold/run-$function") || return
    tail -n 1 <<<"$told" >>"$runs-$function" && : >"$dir/groups/$group/reference.jsonl" || fault "cannot write $runs-$function"
}

# All records of finished groups, chosen or not. Energy stands in the records of the cold groups.
collect_results() {
    local item other energy
    for group in "${groups[@]}"; do
        [[ ${group_mode[$group]} != energy ]] && is_finished "$group" || continue
        other=${group%-cold}-energy
        for item in ${group_items[$group]}; do
            energy=''
            [[ ! -v group_items[$other] ]] || ! is_done "$other" "$item" ||
                energy=$(grep -o '"energy":{[^}]*}' "$dir/groups/$other/$item.jsonl")
            sed "${energy:+s/^{/{$energy,/}" "$dir/groups/$group/$item.jsonl"
        done
    done >"$dir/results.jsonl.new" && mv "$dir/results.jsonl.new" "$dir/results.jsonl" || fault "cannot write to $dir"
}

is_finished() {
    (($(count_done "$1") == $(total_of "$1")))
}

count_done() {
    local item count=0
    for item in ${group_items[$1]}; do ! is_done "$1" "$item" || ((++count)); done
    echo "$count"
}

# A file's name for the GPU, as report/keep makes it.
slug_of() {
    LC_ALL=C sed -E 's/[^A-Za-z0-9]+/-/g' <<<"${1,,}"
}

# Says what is left, group by group; sets `left`, how many measurements that is.
tell_left() {
    local name rest done_groups=0
    left=0
    for name in "${chosen[@]}"; do
        rest=$(($(total_of "$name") - $(count_done "$name"))) left=$((left + rest))
        if ((rest)); then printf 'left: %-32s %2d of %2d\n' "$name" "$rest" "$(total_of "$name")"; else ((++done_groups)); fi
    done
    printf '%d of %d groups are finished (%s). %s\n' "$done_groups" "${#chosen[@]}" "$dir/results.jsonl" \
        "$( ((left)) && echo "Left: $left measurements. The same command goes on." || echo 'Nothing is left.')"
}
