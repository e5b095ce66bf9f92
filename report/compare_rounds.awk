# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How the samples of a record hang together (common/judge/timing.c). The judge takes samples in rounds of up to five. All samples
# of a round have their four parts in the same four processes, and what differs from process to process is most of what differs
# at all. So a round is one measurement, however many samples it has: its value is the mean of the samples' logarithms.

BEGIN {
    ROUND = 5
}

# Adds the rounds of a record to those of thing k in a file: rounds[k, side], value_at[k, side, i]. Those that were asked for
# come first, then more of five.
function add_rounds(k, side, text, asked, iterations,    sample, n, i, size, sum, left) {
    n = split(text, sample, " ")
    asked = asked == "" || asked > n ? n : asked
    for (i = 1; i <= n; i += size) {
        left = i <= asked ? asked - i + 1 : n - i + 1
        size = left < ROUND ? left : ROUND
        sum = 0
        for (left = i; left < i + size; left++)
            sum += log(sample[left] / iterations)
        value_at[k, side, ++rounds[k, side]] = sum / size
    }
}

function mean_of(k, side,    i, sum) {
    for (i = 1; i <= rounds[k, side]; i++)
        sum += value_at[k, side, i]
    return sum / rounds[k, side]
}

# Sum of squares about the means of both files, and its degrees of freedom.
function own_squares(k,    side, i, mean, sum) {
    for (side = 1; side <= 2; side++) {
        mean = mean_of(k, side)
        for (i = 1; i <= rounds[k, side]; i++)
            sum += (value_at[k, side, i] - mean) ^ 2
    }
    return sum
}

function own_degrees(k) {
    return rounds[k, 1] + rounds[k, 2] - 2
}
