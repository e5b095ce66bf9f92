# What the recipes of grade.mk begin with, after prelude.sh: the settings of the run. Sourced.
# shellcheck shell=bash

. common/build/grading.sh
[[ -r ${CLASS_SETTINGS-} ]] || usage_error "only a grading calls this: ./grade.sh SUBMISSION..."
# shellcheck source=/dev/null  # written by submissions.sh
. "$CLASS_SETTINGS"

# Nobody waits for the results of a run whose grade.sh was killed: make ends with it.
# shellcheck disable=SC2154  # a setting
if ! kill -0 "$grader" 2>/dev/null; then
    kill -TERM "$PPID"
    exit 3
fi
