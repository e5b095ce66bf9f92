# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads what Nsight Compute counted, for profile.awk to explain: the output of `ncu --csv --page raw --print-units base`:
# among other lines a row of names, a row of units, and a row for each kernel launch. A counter that this version or
# GPU does not have is left out.

{ $0 = printable_lines($0) }
/^driver: / { print "Note: " substr($0, 9); next }
!/^"/ { next }
!names { names = fields(name); next }
!units { units = fields(unit); next }
{
    if (fields(value) != names)
        next
    split("", figure)
    for (i = 1; i <= names; i++)
        figure[name[i]] = value[i]
    explain()
}

END {
    if (!kernels) {
        print "profile: Nsight Compute listed no kernel: the step launched none" > "/dev/stderr"
        exit 3
    }
    print ""
    print "Each kernel was counted alone, with empty caches, so overlapping launches do not show here: the time that"
    print "counts is that of ./grade.sh. To see what the compiler made of it: make sass-STEP."
}

# Split a line of quoted fields; returns how many.
function fields(out,    n, rest) {
    rest = substr($0, 2)
    n = 0
    while (match(rest, /"(,"|$)/)) {
        out[++n] = substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
    }
    return n
}
