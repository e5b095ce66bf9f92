# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What every script begins with. It stands in a script right after the comment that is its help:
#
#     . "${BASH_SOURCE[0]%/*}/../common/prelude.sh" || exit 3
#
# From there on the script stands at the tree's root. `caller` is the directory that the user called it from,
# and `program` its name. If --help or -h is the first argument, the comment at the script's top is printed,
# and the script ends; --version prints the version of histolab.
# shellcheck shell=bash

set -u
# shellcheck disable=SC2034  # for those who source this
caller=$PWD program=${0##*/}
cd -- "${BASH_SOURCE[0]%/*}/.." || exit 3
prelude=$PWD/common

show_help() {
    sed -n '1d; /^# SPDX-/d; /^[^#]/q; s/^# \{0,1\}//p' "$script"
}

# The version of this tree: VERSION, and of a clone also its commit, as 1.2.3+g2b83530. Copies of a tree, such as a
# handout, have both in VERSION already, whatever repository they lie in.
histolab_version() {
    local root=${prelude%/common} version commit
    [[ -r $root/VERSION ]] && read -r version <"$root/VERSION" || version=unknown
    [[ $version == *+* || ! -e $root/.git ]] || ! commit=$(git -C "$root" rev-parse --short=7 HEAD 2>/dev/null) || version+=+g$commit
    printf '%s\n' "$version"
}

# printable TEXT: what a terminal may show of it (printable.awk): names of files may hold anything.
printable() {
    local -x LC_ALL=C
    # shellcheck disable=SC2016  # it is awk's dollar
    if [[ $1 == *[^' '-'~'$'\n']* ]]; then
        awk -f "$prelude/printable.awk" -f <(echo '{ print printable_lines($0) }') <<<"$1"
    else
        printf '%s\n' "$1"
    fi
}

# give_up STATUS TEXT: ends the script. TEXT says what happened, where, and what to do next.
give_up() {
    printf '%s: %s\n' "$program" "$(printable "$2")" >&2
    exit "$1"
}

usage_error() {
    give_up 2 "$1"
}

# The harness cannot work: never the student's fault.
fault() {
    give_up 3 "$1"
}

# A path as the caller meant it, who may stand in another directory.
from_caller() {
    if [[ $1 == /* || $caller == "$PWD" ]]; then echo "$1"; else echo "$caller/$1"; fi
}

# Progress is for a person who waits: a terminal sees it, a pipe does not.
progress() {
    [[ -t 2 ]] && printf '\r\e[K%s' "$1" >&2
}

script=$0
[[ $script == /* ]] || script=$caller/$script
case ${1-} in
    --help | -h)
        show_help
        exit 0
        ;;
    --version)
        printf '%s (histolab) %s\n' "$program" "$(histolab_version)"
        exit 0
        ;;
esac
