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
