# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What the class's views share. Sourced after common/prelude.sh:
#
#     find_results DIR
#     rows_of_points | view_points class/summary.awk [awk option...]
# shellcheck shell=bash

. report/lib/views.sh
umask 077 # what students did is for the instructor's eyes
. class/assignment.sh

# Paths in the environment are as the caller meant them.
for name in ASSIGNMENT RUBRIC FLAGS LABS; do
    [[ -z ${!name-} ]] || export "$name=$(from_caller "${!name}")"
done

# Sets `results` and `folder` from a directory of results, or from the results.jsonl in it.
find_results() {
    results=$(from_caller "$1")
    [[ ! -d $results ]] || results=${results%/}/results.jsonl
    [[ -f $results && -r $results ]] ||
        usage_error "cannot read '$results': ./grade.sh SUBMISSION... writes one to results/"
    folder=.
    [[ $results != */* ]] || folder=${results%/*}
    # For private.awk: the path that no page shows.
    RESULTS=$(cd -- "$folder/" && pwd) || fault "cannot enter '$folder'"
    export RESULTS
}

# The rubric, and the assignment, where there is one.
find_rubric() {
    find_assignment "${folder-}"
    export RUBRIC=${RUBRIC:-class/rubric}
    [[ -f $RUBRIC && -r $RUBRIC ]] || usage_error "cannot read the rubric '$RUBRIC'"
}

# From POINTS_ROWS, where a script that has made them calls another one.
rows_of_points() {
    find_rubric
    if [[ -n ${POINTS_ROWS-} ]]; then
        cat -- "$POINTS_ROWS"
        return
    fi
    rows_of --all --flagged "$results" |
        FLAGS=${FLAGS:-$folder/flags} PEOPLE=$folder/people.tsv FREE_DAYS=$folder/free-days view class/points.awk \
            -f class/hundredths.awk -f class/points_parts.awk -f class/points_rows.awk -f class/rubric.awk -f class/flags.awk -f common/build/nearest.awk -f class/assignment.awk \
            -f class/people_rows.awk -f class/late.awk
}

# view_points PROGRAM.awk [awk option...]: reads the rows of points.
view_points() {
    local file=$1
    shift
    RECORDS=$results VERDICTS=common/judge/verdicts.def PEOPLE=$folder/people.tsv view "$file" "$@" \
        -f class/hundredths.awk -f class/points_rows.awk -f class/people_rows.awk -f class/private_text.awk -f class/private.awk -f class/json_text.awk
}

# Reads the rows of points and writes pages: class/feedback.awk says what is in the environment.
view_feedback() {
    LOGS=$folder/logs SUBMISSIONS=$folder/submissions view_points class/feedback.awk \
        -f class/feedback_charts.awk -f class/feedback_words.awk -f class/log.awk
}
