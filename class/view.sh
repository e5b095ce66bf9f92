# Sourced after common/prelude.sh and report/lib/views.sh, at the tree's root.
# shellcheck shell=bash

build_grades() {
    build_program build/grades class/{grades,exports}/*.[ch]
}

# class_view VIEW [WORD...]: build/grades, for the command that a person typed.
class_view() {
    build_grades
    PROGRAM=$program build/grades "$@"
}

# note_history DIR: the lines of stdin, with who and when, in DIR/history: what was changed in the assignment, and whose points.
note_history() {
    sed "s/^/$(date -u +%FT%TZ) $(id -un 2>/dev/null || id -u): /" >>"$1/history"
}

# note_original FILE: the line of a copy that says what it is of.
note_original() {
    printf '# copied from %s %s\n' "$(sha256sum <"$1" | cut -c 1-64)" "$(realpath -- "$1")"
}

# check_assignment COPY: a copy whose original has changed since is of no assignment that anybody means.
check_assignment() {
    local line='' hash original
    line=$(tail -n 1 -- "$1" | tr -d "\0")
    [[ $line == '# copied from '* ]] || return 0
    read -r hash original <<<"${line#\# copied from }"
    [[ ! -r $original || $(sha256sum <"$original" | cut -c 1-64) == "$hash" ]] ||
        usage_error "$original has changed since $1 was copied from it: ./grade.sh as before, with --assignment $original, takes it over and grades nothing again that stays the same. To go by the copy, remove its last line"
}
