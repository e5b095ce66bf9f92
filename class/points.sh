# What the class's views share. Sourced after common/prelude.sh:
#
#     find_results DIR
#     class_view VIEW ... "$results"
# shellcheck shell=bash

. report/lib/views.sh
. class/view.sh
umask 077 # what students did is for the instructor's eyes

# Paths in the environment are as the caller meant them.
for name in ASSIGNMENT RUBRIC FLAGS LABS; do
    [[ -z ${!name-} ]] || export "$name=$(from_caller "${!name}")"
done
[[ -z ${FLAGS-} || -r $FLAGS ]] || usage_error "cannot read $FLAGS, which FLAGS names"

# Grade books that were written before what points are computed from was changed: they may say something else by now.
note_stale_exports() {
    local file
    for file in "$results" "$folder"/{assignment,flags,people.tsv} "${RUBRIC:-class/rubric}"; do
        [[ ! -d $folder/exports || ! -e $file || -z $(find "$folder/exports" -type f ! -newer "$file" -print -quit) ]] ||
            { echo "$program: $folder/exports was written before $file changed: class/export writes it anew" >&2; return; }
    done
}

# Sets `results` and `folder` from a directory of results, or from the results.jsonl in it; and ASSIGNMENT, unless it is set, to the
# folder's own.
find_results() {
    results=$(from_caller "$1")
    [[ ! -d $results ]] || results=${results%/}/results.jsonl
    [[ -f $results && -r $results ]] ||
        usage_error "cannot read '$results': name the folder of results, such as results/lab3 (./grade.sh SUBMISSION... writes results/)"
    folder=.
    [[ $results != */* ]] || folder=${results%/*}
    if [[ -z ${ASSIGNMENT-} && -e $folder/assignment ]]; then
        export ASSIGNMENT=$folder/assignment
        check_assignment "$ASSIGNMENT"
    fi
    [[ -n ${SAID-}${EXPORTING-} || $program == export ]] || note_stale_exports
    # For class/grades/private.h: the path that no page shows.
    RESULTS=$(cd -- "$folder/" && pwd) || fault "cannot enter '$folder'"
    export RESULTS
}
