# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Checks the markers of solutions in each of the files given, and prints each fault on its own line, with
# file and line. Exit status: 0 all is well, 1 not. Run with -f common/build/markers.awk.

function fault(file, line, what) {
    printf "%s:%d: %s\n", file, line, what
    faults++
}

function end_of_file() {
    if (opened)
        fault(file, opened, "this solution has no END SOLUTION")
    opened = 0
}

FNR == 1 {
    end_of_file()
    file = FILENAME
}

begins_solution($0) {
    if (opened)
        fault(file, FNR, "a solution begins inside of the one that begins in line " opened)
    else
        opened = FNR
    if ($0 !~ /^ *\/\* BEGIN SOLUTION(: [^*]+)? \*\/$/)
        fault(file, FNR, "a solution begins with the line /* BEGIN SOLUTION */, or /* BEGIN SOLUTION: what is to be done */")
}

ends_solution($0) {
    if (!opened)
        fault(file, FNR, "no solution begins before this END SOLUTION")
    opened = 0
    if ($0 !~ /^ *\/\* END SOLUTION \*\/$/)
        fault(file, FNR, "a solution ends with the line /* END SOLUTION */")
}

END {
    end_of_file()
    exit faults > 0
}
