# What the views share. Sourced after common/prelude.sh:
#
#     report_view VIEW [WORD...]
# shellcheck shell=bash

set -o pipefail # a line that is no record: the view shows the others, and its exit status is 2, too

# build_program PROGRAM SOURCE...: a program that reads records, built where its sources are newer.
build_program() {
    local program=$1 file
    for file in "${@:2}" report/*/*.[ch] common/*.[ch] common/record.def common/record/*.[ch] common/judge/verdicts.def emulator/findings/hazards.def; do
        [[ $program -nt $file ]] && continue
        make -s -j"${JOBS:-$(nproc)}" "$program" >/dev/null || fault "$program does not build"
        touch -c "$program" # a newer file may be one that it does not need
        return
    done
}

# report_view VIEW [WORD...]: build/report, for the command that a person typed.
report_view() {
    build_program build/report report/main.c
    local labs=${LABS:+$(from_caller "$LABS")}
    LABS=$labs PROGRAM=$program build/report "$@"
}

readable_files() {
    local name
    for name; do
        [[ -f $name && -r $name ]] || usage_error "cannot read '$name'. \`make grade\` writes results/results.jsonl"
    done
}

# cells_of COLUMN[,COLUMN...] RESULTS.jsonl...: these columns of all records, a line each. Texts stay escaped.
cells_of() {
    readable_files "${@:2}"
    report_view rows --columns="$1" --all --skip-broken "${@:2}"
}

# recorded_files DIR: the recorded results in DIR, a file for each GPU; first the last by name, which is the newer of two kinds.
recorded_files() {
    compgen -G "$1/*.jsonl*" | sort -r
}

# made STATUS FILE: whether a view has made FILE. Sets `status`: 2 where it had to pass over broken lines.
made() {
    status=$1
    ((status == 0 || status == 2)) && [[ -s $2 ]]
}

# Sets `files`: those of results that a view was given, as the caller meant them.
results_files() {
    local file
    files=()
    (($#)) || usage_error "no results file given. Usage: see $program --help"
    for file; do
        [[ $file != -* ]] || unknown_option "$file"
        file=$(from_caller "$file")
        readable_files "$file"
        files+=("$file")
    done
}
