# The instructor's part of desk/doctor, which finds and runs it: can strangers' code be isolated here?
# shellcheck shell=bash

check_isolation() {
    local why
    there_is 'for isolation' || return # told already, with the other packages
    if why=$(class/isolate --available 2>&1); then
        [[ -z $why ]] || hint "strangers' code is isolated without bubblewrap: ${why#isolate: }"
        return
    fi
    hint "strangers' code cannot be isolated: ${why#isolate: }"
    return 1
}

check_isolation
can $? "isolate strangers' code"
