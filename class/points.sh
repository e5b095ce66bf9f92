# What the class's views share: records with their points. Sourced after report/common.sh.
# shellcheck shell=sh disable=SC2154  # here, report, folder, results: set by whoever sources this

# with_points PROGRAM.awk [awk options]: run a program over the records of $results and their points.
with_points() {
    program=$1
    shift
    RUBRIC=${RUBRIC:-$here/rubric}
    FLAGS=${FLAGS:-$folder/flags}
    [ -r "$RUBRIC" ] || die "cannot read the rubric '$RUBRIC'"
    [ -e "$FLAGS" ] || FLAGS=
    export RUBRIC FLAGS
    RESULTS=$(cd -- "$folder" && pwd) # a path that no page shows
    VERDICTS=$here/../common/judge/verdicts.def
    export RESULTS VERDICTS
    with_records points.awk "$results" -f "$here/rubric.awk" -f "$report/steps.awk" -f "$here/private.awk" \
        -f "$here/../common/build/verdicts.awk" "$@" -f "$here/$program"
}
