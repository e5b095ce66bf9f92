# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The assignment, for scripts. Sourced after common/prelude.sh and report/lib/views.sh.
# shellcheck shell=bash

# find_assignment FOLDER: sets and exports ASSIGNMENT (ASSIGNMENT=FILE names one; else FOLDER/assignment, if it is there;
# else empty), DUE_TIMES and TOLD_TIMES (class/late.awk) and, unless RUBRIC=FILE names one, RUBRIC: the assignment, where it has lines of
# one. A bad line ends the script.
find_assignment() {
    local facts due zone
    if [[ -z ${ASSIGNMENT-} && -n $1 && -e $1/assignment ]]; then ASSIGNMENT=$1/assignment; fi
    export ASSIGNMENT=${ASSIGNMENT-} DUE_TIMES='' TOLD_TIMES=''
    [[ -n $ASSIGNMENT ]] || return 0
    [[ -f $ASSIGNMENT && -r $ASSIGNMENT ]] || usage_error "cannot read the assignment '$ASSIGNMENT'"
    facts=$(assignment_says '') || exit
    [[ -n ${RUBRIC-} || $'\n'$facts != *$'\n''rubric '* ]] || export RUBRIC=$ASSIGNMENT
    due=$(sed -n 's/^due  *//p' <<<"$facts") zone=$(sed -n 's/^zone  *//p' <<<"$facts")
    [[ -n $due ]] || return 0
    find_due_times "$due" "$zone"
    find_told_times "$zone" "$(sed -n 's/^handed-in .* \([^ ]* [^ ]*\)$/\1/p' <<<"$facts")"
}

# assignment_says KEY: its values, one a line; with an empty KEY all that it says.
assignment_says() {
    local rubric=$ASSIGNMENT
    (cd -- "${LABS:-labs}" && printf '%s\n' */) | tr -d / |
        KEY=$1 RUBRIC=$rubric run_awk -f common/printable.awk -f common/build/nearest.awk -f class/rubric.awk -f class/assignment.awk \
            -f class/assignment_print.awk
}

# When it is due, and 1, 2, ... days after that by the zone's clock, which is 23 or 25 hours in two nights of a year: GNU
# date knows the rules. A zone that it does not know is UTC to it, without a word.
find_due_times() {
    local due=$1 zone=$2 places=${TZDIR:-/usr/share/zoneinfo} day lines first
    [[ $zone == UTC || -f $places/$zone && $zone != *..* ]] ||
        usage_error "$ASSIGNMENT: this machine knows no time zone '$zone' ($places has the names, such as Europe/Berlin; tzdata installs them)"
    first=$(TZ=$zone date -d "$due" +%s 2>/dev/null) ||
        usage_error "$ASSIGNMENT: no clock in $zone ever shows '$due': it falls into the hour that summer time skips"
    mapfile -t lines < <(for ((day = 0; day <= 400; day++)); do echo "$due $day days"; done | TZ=$zone date -f - +%s 2>/dev/null)
    ((${#lines[@]} == 401)) || for ((day = 0; day <= 400; day++)); do lines[day]=$((first + day * 86400)); done # due in that hour
    DUE_TIMES=${lines[*]}
}

# What the lines handed-in say, in UTC.
find_told_times() {
    local zone=$1 text=$2
    [[ -n $text ]] || return 0
    TOLD_TIMES=$(TZ=$zone date -f - +@%s <<<"$text" 2>/dev/null | date -u -f - +%FT%TZ | paste -sd ' ')
    (($(wc -w <<<"$TOLD_TIMES") == $(wc -l <<<"$text"))) ||
        usage_error "$ASSIGNMENT: a line handed-in has a time that no clock in $zone ever shows: it falls into the hour that summer time skips"
}

# assignment_file KEY: the path of the file that it names, "" for none. Its path begins at the assignment's folder.
assignment_file() {
    local name
    [[ -n $ASSIGNMENT ]] || return 0
    name=$(assignment_says "$1")
    [[ -n $name ]] || return 0
    [[ $name == /* ]] || name=$(cd -- "$(dirname -- "$ASSIGNMENT")" && pwd)/$name
    [[ -f $name && -r $name ]] || usage_error "$ASSIGNMENT: cannot read the file of its key '$1', '$name'"
    printf '%s\n' "$name"
}
