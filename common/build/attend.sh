# Long programs that a signal to this script alone ends at once. Sourced after prelude.sh.
# shellcheck shell=bash
#
# A shell answers a signal when the program in the foreground has ended, which may take ten minutes, and SIGINT not even then.
# While a script waits for what it has put into the background, it answers at once: a script that sets `attending` has traps
# that call end_attended. Without it, attend is nothing but the command. Where the command's output goes, the trap's would go,
# too: so `attending` is a copy of stderr, and the trap gets it back.

[[ -v attended ]] || attending='' attended=''

# attend COMMAND...: returns its status.
attend() {
    local status
    [[ -n $attending ]] || { "$@"; return; }
    "$@" <&0 {attending}>&- &
    attended=$!
    wait "$attended"
    status=$?
    attended=''
    return "$status"
}

# All that the attended program has started ends, too: make would leave compilers.
end_attended() {
    exec 2>&"$attending"
    [[ -n $attended ]] || return 0
    # shellcheck disable=SC2046  # numbers
    kill "$attended" $(started_by "$attended") 2>/dev/null
    wait "$attended" 2>/dev/null
    attended=''
}

started_by() {
    local child
    while read -rd ' ' child; do
        echo "$child"
        started_by "$child"
    done < <(cat /proc/"$1"/task/*/children 2>/dev/null)
}
