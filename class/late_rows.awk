# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What class/late reads of one assignment, whose number, free days and per cent a day ENVIRON NUMBER, GRACE and LATE say. A line
# for each submission, with tabs between: number, free days, per cent, submission, its person's name, by what the person is
# known (with \037 between), points before lateness, days late, and 1 where only the learning platform knows that it is late.

END {
    read_points()
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        print ENVIRON["NUMBER"] "\t" ENVIRON["GRACE"] "\t" ENVIRON["LATE"] "\t" who "\t" printable(person(who, "name")) "\t" known_by(who) "\t" \
              (has_grade(who) ? share_of_total(who) : 0) "\t" late_of(who, "late_days") "\t" \
              (person(who, "late_flag") ~ /1/ && cell(at[who, steps[1]], "handed_in") == "" ? 1 : 0)
    }
}

# One person by any of these; a group by all of its people together.
function known_by(who,    n, i, list, keys) {
    n = people_in(who)
    if (n == 0)
        return "submission " who
    if (n == 1)
        return keys_of(people_at[who, 1])
    for (i = 1; i <= n; i++) {
        list[i] = keys_of(people_at[who, i])
        sub(/\037.*/, "", list[i])
    }
    sort_list(list, n)
    keys = "group"
    for (i = 1; i <= n; i++)
        keys = keys " " list[i]
    return keys
}

function keys_of(at_row,    columns, n, i, known, keys) {
    n = split("number login email canvas", columns, " ")
    for (i = 1; i <= n; i++) {
        known = tolower(people_cell(at_row, columns[i]))
        if (known != "")
            keys = keys (keys == "" ? "" : "\037") columns[i] " " known
    }
    return keys == "" ? "name " tolower(people_cell(at_row, "name")) : keys
}
