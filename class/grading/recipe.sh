# What the recipes of grade.mk begin with, after prelude.sh: the settings of the run. Sourced.
# shellcheck shell=bash

. common/build/grading.sh
# What submissions.sh has written down, set below.
out='' work='' logs='' grader='' device='' gpu='' counting='' iterations='' version='' builds='' uuid='' device_file=''
settings=() make_step=() baselines=() functions=()
[[ -r ${CLASS_SETTINGS-} ]] || usage_error "only a grading calls this: ./grade.sh SUBMISSION..."
# shellcheck source=/dev/null  # written by submissions.sh
. "$CLASS_SETTINGS"

# Nobody waits for the results of a run whose grade.sh was killed: make ends with it.
if ! kill -0 "$grader" 2>/dev/null; then
    kill -TERM "$PPID"
    exit 3
fi
