# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What views add up of the rows of points is rounded here alone, as class/grades/amount.h does it: to hundredths, half a
# hundredth up, also where binary fractions make it a little less.

function hundredths(x) {
    return int(x * 100 + 0.5 + 1e-7) / 100
}

# A number of points as people write it: 6, 3.5, 2.38.
function points(x) {
    return sprintf("%.15g", hundredths(x))
}
