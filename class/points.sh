# What the class's views share. Sourced after common/prelude.sh:
#
#     find_results DIR
#     rows_of_points | view_points class/summary.awk [awk option...]
# shellcheck shell=bash

. report/lib/views.sh

# Paths in the environment are as the caller meant them.
for name in RUBRIC FLAGS LABS; do
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

find_rubric() {
    export RUBRIC=${RUBRIC:-class/rubric}
    [[ -f $RUBRIC && -r $RUBRIC ]] || usage_error "cannot read the rubric '$RUBRIC'"
}

rows_of_points() {
    find_rubric
    rows_of --all --flagged "$results" | FLAGS=${FLAGS:-$folder/flags} view class/points.awk \
        -f class/points_rows.awk -f class/rubric.awk -f class/flags.awk
}

# view_points PROGRAM.awk [awk option...]: reads the rows of points.
view_points() {
    local file=$1
    shift
    RECORDS=$results VERDICTS=common/judge/verdicts.def view "$file" "$@" \
        -f class/points_rows.awk -f class/private.awk -f class/json_text.awk
}
