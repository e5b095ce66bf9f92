# The groups that class/record measures, and what is known of each. Sourced by it.
# shellcheck shell=bash disable=SC2154  # what class/record sets
#
# A group is a folder of $dir/groups: results.jsonl, run-FUNCTION (what the judge is told, and what baselines told it),
# device.txt, and `what`: what all of it was measured with and on.
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

# Sets done_items[GROUP/ITEM] from what is in the folders. A chosen group that cannot go on here is set aside.
look_at_groups() {
    declare -gA done_items hashes=()
    timing=$(timing_version)
    for group in "${groups[@]}"; do
        [[ -e $dir/groups/$group/what ]] || continue
        # A process that was killed while it wrote leaves half a line.
        [[ -z $(tail -c 1 "$dir/groups/$group/results.jsonl" 2>/dev/null) ]] || sed -i '$d' "$dir/groups/$group/results.jsonl"
        if ! cmp -s <(what_is "$group" | grep '^protocol ') <(grep '^protocol ' "$dir/groups/$group/what"); then
            ! fits "$group" "$only" || set_aside "it was measured in another way"
            continue
        fi
        find_done
        ! fits "$group" "$only" || is_finished "$group" || cmp -s <(what_is "$group") "$dir/groups/$group/what" ||
            set_aside "it was begun on another board, or with another driver or toolkit"
    done
}

# set_aside WHY: begins the group again.
set_aside() {
    local item number=1
    [[ -z $only_left ]] || { echo "$group will begin again: $1."; forget_done; return; }
    mkdir -p "$dir/set-aside" || fault "cannot write to $dir"
    while [[ -e $dir/set-aside/$group.$number ]]; do ((++number)); done
    mv "$dir/groups/$group" "$dir/set-aside/$group.$number" || fault "cannot write to $dir"
    forget_done
    echo "$group begins again: $1. What it had is in $dir/set-aside/$group.$number."
}

forget_done() {
    local item
    for item in ${group_items[$group]}; do unset "done_items[$group/$item]"; done
}

# Of what a group has, an item is done if its record is a success and of today's source, and all reference figures are told.
# `hashes` has the sources' hashes.
find_done() {
    local folder=$dir/groups/$group step hash success
    local run=$folder/run-${group_function[$group]}
    while IFS=$'\t' read -r success step hash; do
        [[ $success == 1 ]] || continue
        if [[ -d labs/$step ]]; then
            [[ -n ${hashes[$step]-} ]] || hashes[$step]=$(cat "labs/$step"/*.cu | sha256sum | cut -d ' ' -f 1)
            [[ $hash == "${hashes[$step]}" ]] || continue
        elif [[ -z $(baseline_named "$step") ]]; then
            continue
        elif [[ $step == read_* ]] && ! told_by_baselines "$run" 2>/dev/null | grep -q '^roof-gbps '; then
            continue # what it told is lost
        fi
        done_items[$group/$step]=1
    done < <([[ ! -s $folder/results.jsonl ]] || { . report/lib/views.sh && cells_of success,step,source_sha256 "$folder/results.jsonl"; })
    ! told_by_baselines "$run" 2>/dev/null | grep -q '^reference-seconds ' || done_items[$group/reference]=1
}

# was_disturbed ITEM: whether its record's time is another than the step's own. The judge says so in the notes, or flags clocks that
# disagree (common/judge/timing/timing.c). A busy processor does that to steps that are right.
was_disturbed() {
    grep -F "\"step\":\"$1\"" "$records" | grep -qE '"notes":"[^"]*(, and it did not end|the judge.s clock counts)'
}

# What there is of an item goes: it will be measured again. The reference is the first of a group, and comes with all of the
# CPU's solutions: so whatever is there without it.
drop_records() {
    if [[ $1 == reference ]]; then
        : >"$records"
    elif grep -qsF "\"step\":\"$1\"" "$records"; then
        { grep -vF "\"step\":\"$1\"" "$records" >"$records.new" || (($? == 1)); } && mv "$records.new" "$records"
    fi || fault "cannot write $records"
}

# Sets what the judge's functions need. Fails if nothing is left of the group.
open_group() {
    local folder=$dir/groups/$group
    ! is_finished "$group" || return 1
    function=${group_function[$group]} records=$folder/results.jsonl runs=$folder/run device_file=$folder/device.txt
    { mkdir -p "$folder" && cp "$out/device.txt" "$device_file"; } || fault "cannot write to $folder"
    [[ -e $folder/what ]] || what_is "$group" >"$folder/what"
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
    tail -n 1 <<<"$told" >>"$runs-$function" || fault "cannot write $runs-$function"
    done_items[$group/reference]=1
}

# All records of finished groups, chosen or not. Energy stands in the records of the cold groups.
collect_results() {
    : >"$dir/results.jsonl.new" || fault "cannot write to $dir"
    for group in "${groups[@]}"; do
        is_finished "$group" || continue
        [[ ${group_mode[$group]} == energy ]] || with_energy "$dir/groups/$group/results.jsonl" "$dir/groups/${group%-*}-energy/results.jsonl" >>"$dir/results.jsonl.new"
    done
    mv "$dir/results.jsonl.new" "$dir/results.jsonl"
}

# with_energy RECORDS OTHERS: the records, each with the energy that the other of the same step and source has.
with_energy() {
    [[ $1 == *-cold/* && -s $2 ]] || { cat "$1"; return; }
    awk '
        function found(pattern) { return match($0, pattern) ? substr($0, RSTART, RLENGTH) : "" }
        { key = found("\"step\":\"[^\"]*\"") found("\"source_sha256\":\"[^\"]*\"") }
        FNR == NR { energy[key] = found("\"energy\":[{][^}]*[}]"); next }
        energy[key] != "" { sub(/^[{]/, "{" energy[key] ",") }
        { print }' "$2" "$1"
}

is_finished() {
    (($(count_done "$1") == $(total_of "$1")))
}

count_done() {
    local item count=0
    for item in ${group_items[$1]}; do [[ -z ${done_items[$1/$item]-} ]] || ((++count)); done
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
