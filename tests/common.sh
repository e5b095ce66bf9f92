# What the parts of tests/run share: a count of what passed, and the tools that they need.
# shellcheck shell=bash

passed=0 failed=0

ok() {
    echo "ok     $1"
    passed=$((passed + 1))
}

# not_ok NAME [FILE]: with what FILE says.
not_ok() {
    echo "NOT OK $1"
    [[ $# -lt 2 ]] || sed 's/^/       /' "$2"
    failed=$((failed + 1))
}

# check NAME COMMAND...: passes if the command succeeds; otherwise shows what it printed.
check() {
    local name=$1 log
    shift
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then ok "$name"; else not_ok "$name" "$log"; fi
    rm -f "$log"
}

# needs TOOL...: false, and one failure for each, if tools are missing.
needs() {
    local tool missing=0
    for tool; do
        command -v "$tool" >/dev/null && continue
        not_ok "$tool is not installed: make deps"
        missing=1
    done
    return $missing
}

finish() {
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
}
