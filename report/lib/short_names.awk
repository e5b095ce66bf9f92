# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Names of steps in short. It needs no other file.

# What `make` knows a step by: opt05.
function short_name(step) {
    sub(/_.*/, "", step)
    return step
}

# "opt03-opt17, sum02", from name[1..n] in order: runs of numbers in one ladder are joined.
function steps_in_short(name, n,    i, at, ladder, number, first, last, text) {
    for (i = 1; i <= n + 1; i++) {
        at = i > n ? 0 : match(short_name(name[i]), /[0-9]+$/)
        if (at && number != "" && substr(name[i], 1, at - 1) == ladder && substr(short_name(name[i]), at) + 0 == number + 1)
            last = short_name(name[i])
        else {
            if (first != "")
                text = text (text == "" ? "" : ", ") first (last == first ? "" : "-" last)
            first = last = i > n ? "" : short_name(name[i])
            ladder = substr(first, 1, at - 1)
        }
        number = at ? substr(last, at) + 0 : ""
    }
    return text
}
