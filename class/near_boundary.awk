# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What class/near-boundary lists, from the rows of points.

BEGIN {
    NEAR = 1.05 # what two measurements of a step may differ by
}

END {
    for (r = 1; r <= rows; r++)
        if (decides_by_little(r))
            print escaped(cell(r, "submission")) "\t" escaped(cell(r, "step"))
}

function decides_by_little(r) {
    return cell(r, "submission") != "" && cell(r, "verdict") == "pass" && above(num(r, "speed_max"), 0) && \
           below(num(r, "passes"), 2) && (near(num(r, "ratio"), num(r, "full")) || near(num(r, "ratio"), num(r, "none")))
}

function near(ratio, boundary) {
    return ratio != "" && !above(ratio, boundary * NEAR) && !below(ratio, boundary / NEAR)
}
