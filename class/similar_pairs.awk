# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Pairs of a step, from what `sim_c++ -p` prints: lines of the share of each that is in the other, the tokens that each
# has of its own, and both names. at_least: per cent. A pair counts by the larger of its shares.

/^File .* tokens/ {
    name = $2
    sub(/^rest\//, "", name)
    sub(/:$/, "", name)
    tokens[name] = $3
}

/ consists for [0-9]+ % of .* material$/ {
    a = $1
    b = $7
    sub(/^rest\//, "", a)
    sub(/^rest\//, "", b)
    share[a, b] = $4 + 0
    if (!((b, a) in share)) {
        first[++n] = a
        second[n] = b
    }
}

END {
    for (i = 1; i <= n; i++) {
        a = first[i]
        b = second[i]
        if (share[a, b] + 0 < share[b, a] + 0 || (share[a, b] == share[b, a] && substr(a, 2) + 0 > substr(b, 2) + 0)) {
            a = second[i]
            b = first[i]
        }
        if (share[a, b] >= at_least + 0)
            printf "%d %d %d %d %s %s\n", share[a, b], share[b, a], tokens[a], tokens[b], a, b
    }
}
