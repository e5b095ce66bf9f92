# The instructor's part of desk/doctor, which finds and runs it: can strangers' code be isolated here, and what they handed
# in be read?
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

check_archives() {
    there_is 'for submissions' || return # told already, with the other packages
    perl -MEncode -MUnicode::Normalize -e 1 2>/dev/null && return
    hint "names of people are read by perl's core modules, and some are missing: install perl (RHEL, Fedora: perl-core)"
    return 1
}

check_archives
can $? 'read what platforms let you download'
check_isolation
can $? "isolate strangers' code"
