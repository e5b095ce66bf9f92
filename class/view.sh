# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Sourced after common/prelude.sh and report/lib/views.sh, at the tree's root.
# shellcheck shell=bash

build_class() {
    build_program build/class class/main.c class/grades/*.[ch]
}

# class_view VIEW [WORD...]: build/class, for the command that a person typed.
class_view() {
    build_class
    PROGRAM=$program build/class "$@"
}
