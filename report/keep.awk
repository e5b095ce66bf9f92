# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Prints a file's name for the GPU of these rows, or says why they cannot be kept.

END {
    for (r = 1; r <= rows; r++) {
        if (cell(r, "device_kind") != "gpu")
            refuse("the " cell(r, "device_kind") " device times nothing. Grade on a machine with a GPU")
        # sum01, which is meant to be wrong, passes on sums that stay small.
        if (is_step(r) && !num(r, "success"))
            refuse(cell(r, "step") ": " cell(r, "verdict") ". Mend it, and grade again")
        if (cell(r, "device") != cell(1, "device"))
            refuse("they come from several GPUs. Keep them one by one")
    }
    name = tolower(cell(1, "device"))
    gsub(/[^a-z0-9]+/, "-", name)
    print name
}

function refuse(why) {
    printf "keep: not kept: %s.\n", printable(why) > "/dev/stderr"
    exit 1
}
