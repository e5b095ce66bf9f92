# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How long measurements take: what was seen, what is left, and when class/record has to stop. Sourced by it.
# shellcheck shell=bash disable=SC2154  # what class/record and groups.sh set

# Of a measurement like none that was seen, by its group's class. On an H200 the most are between 5 and 9 s with ten samples in eight
# processes, and between 1.5 and 3 s with five in one. Energy is a guess: 4.5 s of calls, and what comes before and after.
declare -A unknown_ms=([graded]=7000 [other]=2000 [energy]=9000)

# seconds_of_time TEXT: sets for_s.
seconds_of_time() {
    [[ $1 =~ ^([1-9][0-9]*)([smh]?)$ ]] || usage_error "--for takes a time such as 9m, 540 or 1h, not '$1'"
    for_s=${BASH_REMATCH[1]}
    case ${BASH_REMATCH[2]} in
        m) ((for_s *= 60)) ;;
        h) ((for_s *= 3600)) ;;
    esac
}

# Building is cut, too. What make has not finished, it makes next time.
make() {
    local status
    [[ -n $for_s ]] || { command make "$@"; return; }
    timeout --foreground -k 5 "$((for_s > SECONDS ? for_s - SECONDS : 1))" make "$@"
    status=$?
    ((status != 124)) || { echo "Time was over while it built. The same command goes on." >&"$said"; exit 0; }
    return "$status"
}

# What is measured when this sleep ends is cut. It holds neither the lock nor the output of a class/record that was killed.
start_sleep() {
    [[ -n $for_s ]] || return 0
    sleep "$((for_s > SECONDS ? for_s - SECONDS : 0))" >/dev/null 2>&1 {said}>&- {lock}>&- &
    sleeping=$!
}

stop_sleep() {
    [[ -z $sleeping ]] || kill "$sleeping" 2>/dev/null
}

# note_seconds ITEM START [cut]: START is a time in microseconds.
note_seconds() {
    local ms=$(((${EPOCHREALTIME/[.,]/} - $2) / 1000))
    printf '%s %d.%03d %s\n' "$1" $((ms / 1000)) $((ms % 1000)) "${3-}" >>"$dir/groups/$group/seconds"
    see_time "$1" "$ms" "${3-}"
}

# see_time ITEM MS [cut]: one that was cut takes longer than that.
see_time() {
    local key
    if [[ -n ${3-} ]]; then
        (($2 * 3 / 2 <= ${least_ms[$1/${group_class[$group]}]:-0})) || least_ms[$1/${group_class[$group]}]=$(($2 * 3 / 2))
        return
    fi
    for key in "$1/${group_class[$group]}" "${group_class[$group]}"; do
        seen_ms[$key]=$((${seen_ms[$key]:-0} + $2))
        seen_count[$key]=$((${seen_count[$key]:-0} + 1))
    done
}

# Sets seen_ms and seen_count (sums), by item and class and by class, and least_ms, by item and class.
read_seconds() {
    local item seconds cut
    declare -gA seen_ms=() seen_count=() least_ms=()
    for group in "${groups[@]}"; do
        [[ -e $dir/groups/$group/seconds ]] || continue
        while read -r item seconds cut; do
            [[ $seconds =~ ^([0-9]+)\.([0-9]{3})$ ]] || continue # half a line
            see_time "$item" $((BASH_REMATCH[1] * 1000 + 10#${BASH_REMATCH[2]})) "$cut"
        done <"$dir/groups/$group/seconds"
    done
}

# guess GROUP ITEM: sets guessed_ms: as long as it took elsewhere with this protocol, or with the other one in proportion, or as others
# take with this one.
guess() {
    local class=${group_class[$1]} other=graded least
    [[ $class != graded ]] || other=other
    least=${least_ms[$2/$class]:-0}
    if [[ $2 == reference && ${group_mode[$1]} == warm ]]; then
        guessed_ms=0 # it takes the cold group's over
    elif [[ -n ${seen_count[$2/$class]-} ]]; then
        guessed_ms=$((seen_ms[$2/$class] / seen_count[$2/$class]))
    elif [[ -n ${seen_count[$2/$other]-} ]]; then
        guessed_ms=$((seen_ms[$2/$other] * unknown_ms[$class] / seen_count[$2/$other] / unknown_ms[$other]))
    elif [[ -n ${seen_count[$class]-} ]]; then
        guessed_ms=$((seen_ms[$class] / seen_count[$class]))
    else
        guessed_ms=${unknown_ms[$class]}
    fi
    ((guessed_ms >= least)) || guessed_ms=$least
}

# fits_in_time ITEM: whether it can be measured before the time is over.
fits_in_time() {
    [[ -n $for_s ]] || return 0
    guess "$group" "$1"
    (((for_s - SECONDS) * 1000 >= guessed_ms))
}

seconds_taken() {
    awk '{ sum += $2 } END { printf "%d\n", sum + 0.5 }' "$dir/groups/$1/seconds" 2>/dev/null
}

# in_words SECONDS
in_words() {
    if (($1 < 100)); then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi
}

count_left() {
    local name count=0
    for name in "${groups[@]}"; do count=$((count + $(total_of "$name") - $(count_done "$name"))); done
    echo "$count"
}

# What is left, group by group, and about how long it takes.
tell_left() {
    local name item ms all_ms=0 left all=0 done_groups=0
    for name in "${groups[@]}"; do
        ms=0 left=0
        for item in ${group_items[$name]}; do
            [[ -z ${done_items[$name/$item]-} ]] || continue
            guess "$name" "$item"
            ms=$((ms + guessed_ms)) left=$((left + 1))
        done
        all_ms=$((all_ms + ms)) all=$((all + left))
        if ((left)); then
            printf 'left: %-32s %2d of %2d, about %s\n' "$name" "$left" "$(total_of "$name")" "$(in_words $(((ms + 500) / 1000)))"
        else
            done_groups=$((done_groups + 1))
        fi
    done
    printf '%d of %d groups are finished (%s). ' "$done_groups" "${#groups[@]}" "$dir/results.jsonl"
    if ((all)); then
        printf 'Left: %d measurements, about %s%s. The same command goes on.\n' "$all" "$(in_words $(((all_ms + 500) / 1000)))" \
            "$([[ -n ${seen_count[graded]-}${seen_count[other]-} ]] || echo ', a guess: nothing was measured yet')"
    else
        echo "Nothing is left."
    fi
}
