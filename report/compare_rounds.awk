# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How the samples of a record hang together (common/judge/timing.c). The judge takes samples in rounds of up to five. All samples
# of a round have their four parts in the same four processes, and what differs from process to process is most of what differs
# at all. So a round is one measurement, however many samples it has: its value is the mean of the samples' logarithms. Now and then
# something outside disturbs a single sample, which takes 5 to 30 % longer: 40 of 1050 on an H100, 1 of 850 on an H200
# (five runs on each). Such a sample says nothing about the step, and is left out.

BEGIN {
    ROUND = 5
    DISTURBED = 0.03 # this far from the median of its round; the samples of a quiet round are 0.1 to 1 % apart
}

# Adds the rounds of a record to those of thing k in a file: rounds[k, side], value_at[k, side, i]. Those that were asked for
# come first, then more of five.
function add_rounds(k, side, text, asked, iterations,    sample, n, i, j, size, left, values) {
    n = split(text, sample, " ")
    asked = asked == "" || asked > n ? n : asked
    for (i = 1; i <= n; i += size) {
        left = i <= asked ? asked - i + 1 : n - i + 1
        size = left < ROUND ? left : ROUND
        for (j = 1; j <= size; j++)
            values[j] = log(sample[i + j - 1] / iterations)
        value_at[k, side, ++rounds[k, side]] = undisturbed_mean(values, size)
    }
}

# Of values[1..n], which it sorts. The median of an even number may lie far from all of them.
function undisturbed_mean(values, n,    i, median, distance, sum, count) {
    sort_list(values, n, 1)
    median = quantile(values, n, 0.5)
    for (i = 1; i <= n; i++) {
        distance = values[i] - median
        if (distance < DISTURBED && -distance < DISTURBED) {
            sum += values[i]
            count++
        }
    }
    return count ? sum / count : median
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
