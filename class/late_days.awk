# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Deals out the free days of a term, from the lines of late_rows.awk in the order of assignments: prints who was late and what
# each assignment gets, and writes ENVIRON OUT/free-NUMBER: submission, tab, free days. ENVIRON NAMES has a name for each
# assignment, one a line.

BEGIN {
    FS = "\t"
    assignments = split(ENVIRON["NAMES"], names, "\n") - 1
}

$9 == 1 {
    unknown++
    printf "late: %s: %s (%s) is late, says the learning platform, but not by how much: a line handed-in in the assignment decides\n", \
           printable(names[$1 + 0]), printable($5), printable($4) > "/dev/stderr"
}

{
    grace = $2 + 0
    rate[$1 + 0] = $3 + 0
    s = student_of($6)
    if ((s, $1 + 0) in submission) { # one person handed in twice: each for itself, and the days go to the first
        printf "late: %s and %s are of one person: only the first has free days\n", printable(submission[s, $1 + 0]), printable($4) > "/dev/stderr"
        next
    }
    name_of[s] = $5
    submission[s, $1 + 0] = $4
    earned[s, $1 + 0] = $7 + 0
    days[s, $1 + 0] = $8 + 0
    late_in_all[s] += $8
}

END {
    for (s = 1; s <= students; s++)
        if (late_in_all[s] > 0) {
            deal_out(s)
            print_student(s)
            any = 1
        }
    if (!any)
        print "Nobody was late" (unknown ? ", as far as it is known when they handed in." : ".")
}

# A number for each person: the same for all keys that stand together.
function student_of(keys,    list, n, i, s) {
    n = split(keys, list, "\037")
    for (i = 1; i <= n && !s; i++)
        s = student_by[list[i]]
    if (!s)
        s = ++students
    for (i = 1; i <= n; i++)
        if (!(list[i] in student_by) || !student_by[list[i]])
            student_by[list[i]] = s
    return s
}

function grade(s, a, free) {
    return hundredths(earned[s, a] * (100 - smaller(100, rate[a] * (days[s, a] - free))) / 100)
}

# best[a, d]: the largest sum of the first a grades with at most d free days (dynamic programming, Bellman 1957); given[a, d] of
# them go to assignment a. Sets free[s, a].
function deal_out(s,    a, d, k, most, sum, best, given) {
    most = smaller(grace, late_in_all[s])
    for (d = 0; d <= most; d++)
        best[0, d] = 0
    for (a = 1; a <= assignments; a++)
        for (d = 0; d <= most; d++) {
            best[a, d] = -1
            for (k = 0; k <= smaller(d, days[s, a] + 0); k++) {
                sum = best[a - 1, d - k] + grade(s, a, k)
                if (sum > best[a, d] + 0.001) { # hundredths: less is rounding
                    best[a, d] = sum
                    given[a, d] = k
                }
            }
        }
    for (d = most; d > 0 && best[assignments, d - 1] > best[assignments, d] - 0.001; d--)
        ;
    for (a = assignments; a >= 1; a--) {
        free[s, a] = given[a, d]
        d -= given[a, d]
        if (days[s, a] > 0)
            print submission[s, a] "\t" free[s, a] > (ENVIRON["OUT"] "/free-" a)
    }
}

function print_student(s,    a, used, sum) {
    print clip(name_of[s], 60)
    for (a = 1; a <= assignments; a++) {
        if (!((s, a) in submission))
            continue
        used += free[s, a]
        sum += grade(s, a, free[s, a])
        print "  " pad(clip(names[a], 24), 25) lpad(points(grade(s, a, free[s, a])), 7) " points" \
              (days[s, a] == 0 ? "" : ", " days[s, a] " day" (days[s, a] == 1 ? "" : "s") " late, " free[s, a] " free")
    }
    print "  " pad("together", 25) lpad(points(sum), 7) " points, " grace - used " of " grace " free days left"
}
