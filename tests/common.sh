# What the parts of tests/run share. A part is a script tests/part-NAME that sources this file at the tree's
# root, prints a line for each test, and ends with `finish`, which prints the sum. The lines:
#
#     ok     NAME                   followed, indented, by anything worth seeing
#     NOT OK NAME                   followed, indented, by what went wrong
#     SKIP   NAME: REASON           a test that cannot run on this machine
#     NOTE   TEXT                   what somebody should know, and is no failure
#
# Where a NAME ends in " in 12ms", tests/run knows how long that test took; a line "# NAME in 12ms" tells it of several.
# If TEST_PATTERN is set, only tests whose names match it (an extended regular expression) are run.
# shellcheck shell=bash

set -u
passed=0 failed=0 skipped=0 started=0
cores=$(nproc)
# For whatever a part has to write. Its name is known before it is made, so that a signal meanwhile leaves nothing, and a
# second one does not stop its removal.
work=${TMPDIR:-/tmp}/tests.$$.$RANDOM$RANDOM
trap 'rm -rf "$work"' EXIT
trap 'trap "" INT TERM; exit 130' INT TERM
mkdir -m 700 "$work" || { work='' && exit 3; }

ok() {
    echo "ok     $1"
    passed=$((passed + 1))
}

# not_ok NAME [FILE]: with the contents of FILE.
not_ok() {
    echo "NOT OK $1"
    [[ $# -lt 2 ]] || sed 's/^/       /' "$2"
    failed=$((failed + 1))
}

# skip NAME REASON
skip() {
    echo "SKIP   $1: $2"
    skipped=$((skipped + 1))
}

wanted() {
    [[ -z ${TEST_PATTERN-} || $1 =~ $TEST_PATTERN ]]
}

# check NAME COMMAND...: passes if the command succeeds; otherwise shows what it printed.
check() {
    local name=$1 log=$work/check.$BASHPID start=${EPOCHREALTIME//[.,]/} status
    wanted "$name" || return 0
    shift
    "$@" >"$log" 2>&1
    status=$?
    name+=" in $(((${EPOCHREALTIME//[.,]/} - start) / 1000))ms"
    if ((status)); then not_ok "$name" "$log"; else ok "$name"; fi
}

# build_reaper: the program $reaper, which runs a command and leaves no process of it (tests/reaper.c); what tests/run has built
# its parts use, and a tests/run that they start.
build_reaper() {
    [[ ! -x ${reaper-} ]] || return 0
    export reaper=$work/reaper
    "${CC:-gcc}" -std=c11 -O1 tests/reaper.c -o "$reaper" || { not_ok "tests/reaper.c does not build"; return 1; }
}

# ---- tests that run beside each other -------------------------------------------------------------

# wait_for_a_core CORES: until fewer commands than that run in the background.
wait_for_a_core() {
    local running
    while mapfile -t running < <(jobs -rp) && ((${#running[@]} >= $1)); do wait -n; done
}

# later COMMAND...: runs a command that prints lines as above, in the background, as soon as one of the
# cores is free. `gather` waits, prints what all of them printed, in the order of their starts, and counts it.
later() {
    wait_for_a_core "$cores"
    ((started)) || mkdir "$work/later"
    started=$((started + 1))
    "$@" >"$work/later/$((100000 + started))" 2>&1 &
}

gather() {
    wait
    [[ -d $work/later ]] || return 0
    cat "$work/later"/* | tee "$work/gathered"
    count_lines "$work/gathered"
    rm -r "$work/later"
    started=0
}

# count_lines FILE: adds the results in a file to the counts.
count_lines() {
    passed=$((passed + $(grep -c '^ok ' "$1")))
    failed=$((failed + $(grep -c '^NOT OK ' "$1")))
    skipped=$((skipped + $(grep -c '^SKIP ' "$1")))
}

# ---- what a part begins and ends with -------------------------------------------------------------

# needs TOOL...: false, and one failure for each, if tools are missing.
needs() {
    local tool missing=0
    for tool; do
        command -v "$tool" >/dev/null && continue
        not_ok "$tool is not installed: make deps-all"
        missing=1
    done
    return $missing
}

# The sum of all tests, as its last line has it.
sum() {
    echo "$1 passed, $2 failed$( (($3)) && echo ", $3 skipped")"
}

# The last command of a part: its exit status is the part's.
finish() {
    gather
    sum "$passed" "$failed" "$skipped"
    ((!failed))
}

# grade_corpus NAME FOLDER: the steps in a folder, by tests/grade-corpus; those that say `run long` only where LONG is set.
grade_corpus() {
    local path names=() log=$work/$1.log
    for path in "$2"/*/; do
        path=${path%/}
        wanted "${path##*/}" || continue
        [[ -n ${LONG-} ]] || ! grep -qx '// run long' "$path"/*.cu || continue
        names+=("${path##*/}")
    done
    ((${#names[@]})) || return 0
    tests/grade-corpus --corpus "$1" "${names[@]}" | tee "$log"
    count_lines "$log"
    [[ $(tail -n 1 "$log") == *' passed, '*' failed'* ]] || not_ok "tests/grade-corpus --corpus $1 did not get to its end"
}
