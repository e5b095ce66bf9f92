# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Points are rounded here alone, to hundredths: those of each step, their sum, and the grade. Half a hundredth is rounded up,
# also where binary fractions make it a little less.

function hundredths(x) {
    return int(x * 100 + 0.5 + 1e-7) / 100
}

# A number of points as people write it: 6, 3.5, 2.38.
function points(x) {
    return sprintf("%.6g", hundredths(x))
}
