# Long programs that a signal to this script alone ends at once. Sourced after prelude.sh.
# shellcheck shell=bash
#
# A shell answers a signal when the program in the foreground has ended, which may take ten minutes, and SIGINT not even then.
# While a script waits for what it has put into the background, it answers at once: a script that sets `attending` has traps
# that call end_attended. Without it, attend is nothing but the command. Where the command's output goes, the trap's would go,
# too: so `attending` is a copy of stderr, and the trap gets it back.

[[ -v attending ]] || attending=''

# attend COMMAND...: returns its status.
attend() {
    [[ -n $attending ]] || { "$@"; return; }
    "$@" <&0 {attending}>&- &
    wait "$!"
}

# What runs in the background ends, and all that it has started: make would leave compilers.
end_attended() {
    local job
    exec 2>&"$attending"
    for job in $(jobs -p); do
        # shellcheck disable=SC2046  # numbers
        kill "$job" $(started_by "$job") 2>/dev/null
    done
    wait 2>/dev/null
}

started_by() {
    local child
    while read -rd ' ' child; do
        echo "$child"
        started_by "$child"
    done < <(cat /proc/"$1"/task/*/children 2>/dev/null)
}
