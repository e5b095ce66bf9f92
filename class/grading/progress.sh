# What a grading of submissions says while somebody waits. Sourced by submissions.sh.
# shellcheck shell=bash disable=SC2154  # the variables of submissions.sh

# counted NUMBER WORD: "1 step", "2 steps".
counted() {
    echo "$1 $2$( (($1 == 1)) || echo s)"
}

# What was found, before anything is graded, in the same words whatever platform it comes from.
say_found() {
    local names unmatched id kept=()
    progress ''
    names=("${steps[@]##*/}")
    printf 'Found %s and %s: %s\n' "$(counted "${#ids[@]}" submission)" "$(counted "${#names[@]}" step)" "${names[*]%%_*}"
    for id in "${!path_of[@]}"; do [[ " ${ids[*]} " == *" $id "* ]] || kept+=("$id"); done
    ((${#kept[@]} == 0)) || printf 'Graded before, and still in the class: %s: %s\n' "${#kept[@]}" \
        "$(printf '%s\n' "${kept[@]}" | LC_ALL=C sort | paste -sd ' ' | cut -c 1-300)"
    unmatched=$(sed -n 's/^people: submission \([^ :]*\).*/\1/p' <<<"$people")
    if [[ $people == *'no roster to match'* ]]; then
        echo "No roster: class/people $out --roster FILE says who is who."
    elif [[ -n $unmatched ]]; then
        printf 'Not matched with the roster: %s: %s\n' "$(wc -l <<<"$unmatched")" "$(paste -sd ' ' <<<"$unmatched" | cut -c 1-300)"
    fi
}

# Whose points have changed. Of a class whose rubric has changed that is everybody: the first are enough to see what it does.
say_changes() {
    local most=5 count
    count=$(wc -l <"$work/changes")
    head -n "$most" "$work/changes"
    ((count <= most)) || printf 'and %s of points: %s/history has them all\n' "$(counted $((count - most)) 'more change')" "$out"
}

# What this tree's own steps took says what the others will take: say_how_long SECONDS OWN, of so many that were graded at once.
say_how_long() {
    local waves=$(((undone - $2 + most - 1) / most)) minutes
    ((undone > $2)) || return 0
    minutes=$(($1 * waves / (($2 + most - 1) / most) / 60 + 1))
    progress ''
    printf 'To grade: %s, %s at a time: about %s\n' "$(counted $((undone - $2)) step)" "$most" "$(counted "$minutes" minute)"
}

# On a terminal: how far it is, and what is left.
show_progress() {
    ticker=''
    [[ -t 2 ]] || return 0
    : >"$work/start"
    (
        trap - INT TERM HUP
        exec {lock}>&-
        start=$SECONDS
        while kill -0 $$ 2>/dev/null; do
            now=$(find "$out/records" -name '*.jsonl' -newer "$work/start" | wc -l)
            failed=$(grep -rL '"verdict":"pass"' "$out/records" --include='*.jsonl' --include='*.failed' | wc -l)
            progress "$now of $undone steps graded, $failed in all without a pass$(time_left "$now" "$undone" $((SECONDS - start)))"
            sleep 2
        done
    ) &
    ticker=$!
}

hide_progress() {
    [[ -z ${ticker-} ]] || { kill "$ticker"; wait "$ticker"; } 2>/dev/null
    ticker=''
    progress ''
}

time_left() {
    local minutes
    (($1 > 5 && $1 < $2)) || return 0
    minutes=$((($2 - $1) * $3 / $1 / 60 + 1))
    if ((minutes < 90)); then echo ", about $minutes min left"; else echo ", about $((minutes / 60)) h $((minutes % 60)) min left"; fi
}
