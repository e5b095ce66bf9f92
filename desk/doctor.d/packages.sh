# Packages that are used where they are installed. Part of desk/doctor.
# shellcheck shell=bash

# Sets `absent`.
check_packages() {
    local package purpose
    while IFS=$'\t' read -r package purpose; do
        [[ $purpose == 'to grade' ]] && continue # told above, with its reason
        missing "$package ($purpose)"
        absent+=" $purpose"
    done < <(desk/deps --list-why)
    [[ -z $absent ]] || printf '  %-8s type: make deps\n' ''
}
