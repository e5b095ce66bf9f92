# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Packages that are used where they are installed. Part of desk/doctor.
# shellcheck shell=bash

# tell_missing KIND LINE [OPTION...]: each package that desk/deps finds missing, and below them the line to type, where
# PACKAGES stands for their names. What was told before is left out. Adds to `absent`.
tell_missing() {
    local kind=$1 line=$2 package purpose packages=() purposes=''
    while IFS=$'\t' read -r package purpose; do
        # What no step can do without is told above, with its reason.
        [[ $purpose == 'to grade' || $absent == *" $purpose"* ]] && continue
        finding "$kind" "$package ($purpose)"
        packages+=("$package") purposes+=" $purpose"
    done < <(desk/deps "${@:3}" --list-why)
    absent+=$purposes
    ((${#packages[@]} == 0)) || printf '  %-8s type: %s\n' '' "${line/PACKAGES/${packages[*]}}"
}

# Sets `absent`.
check_packages() {
    if has_modules; then tell_missing missing 'module load gnuplot    # its name here: module avail gnuplot'; else tell_missing missing 'make deps'; fi
    if [[ -d class ]]; then
        tell_missing missing 'make deps-all' --all
    else # a student can do without these
        tell_missing hint 'sudo apt install PACKAGES    # not needed to grade' --all
    fi
}
