# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What a student may see of a text that came out of grading: no directories of this machine, and not the seed. RESULTS in the
# environment is one more directory. A line of JSON is one afterwards, too.
function private(text, seed) {
    text = without(text, ENVIRON["RESULTS"] "/", "/")
    while (match(text, /(^|[ ("'`=:<>,[])\/([A-Za-z0-9_.+@-]+\/)+/))
        text = substr(text, 1, RSTART - (substr(text, RSTART, 1) == "/")) substr(text, RSTART + RLENGTH)
    return length(seed) >= 5 ? without(text, seed, "(seed)") : text
}

function without(text, what, instead,    at, before) {
    before = ""
    while (length(what) > 1 && (at = index(text, what)) > 0) {
        before = before substr(text, 1, at - 1) instead
        text = substr(text, at + length(what))
    }
    return before text
}
