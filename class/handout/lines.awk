# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The lines inside the solutions (inside=1) or outside them (inside=0), without white space. Run with
# -f common/build/markers.awk.

FNR == 1 {
    opened = 0
}

begins_solution($0) {
    opened = 1
    next
}

ends_solution($0) {
    opened = 0
    next
}

opened == inside {
    gsub(/[ \t\r]/, "")
    print
}
