# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Prints the names nearest to what somebody typed, at most three, separated by blanks; nothing where
# none is near: awk -v typed=opt5 -f common/build/nearest.awk NAME...
# Without `typed`, other programs have its functions.

BEGIN {
    if (typed != "")
        print nearest(typed, ARGV, ARGC - 1)
}

# Of names[1..n] those nearest to the word, at most three, with blanks between; "" where none is near.
function nearest(word, names, n,    most, best, far, told, i, line) {
    most = 3
    best = 1 + int(length(word) / 4)
    for (far = 0; far <= best && !told; far++)
        for (i = 1; i <= n; i++)
            if (distance(word, names[i]) == far && told < most)
                line = line (told++ ? " " : "") names[i]
    return line
}

# The number of letters to insert, delete or replace to turn one into the other (edit distance, Levenshtein, 1966).
function distance(a, b,    i, j, cost, costs, before, over) {
    for (j = 0; j <= length(b); j++)
        costs[j] = j
    for (i = 1; i <= length(a); i++) {
        before = costs[0]
        costs[0] = i
        for (j = 1; j <= length(b); j++) {
            over = costs[j]
            cost = before + (substr(a, i, 1) != substr(b, j, 1))
            if (cost > costs[j] + 1)
                cost = costs[j] + 1
            if (cost > costs[j - 1] + 1)
                cost = costs[j - 1] + 1
            before = over
            costs[j] = cost
        }
    }
    return costs[length(b)]
}
