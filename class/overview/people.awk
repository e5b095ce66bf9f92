# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The sections of a class's page on people (people_rows.awk): who handed in nothing, and who was late.

function people_sections(    list, n, i, w, who) {
    n = absent(list)
    if (people_count == 0)
        return
    section(2, "Handed in nothing")
    if (n == 0)
        paragraph("Nobody of the roster, as far as it is known.")
    else {
        begin_people()
        for (i = 1; i <= n; i++)
            put_person(list[i])
        end_table()
    }
    unmatched()
    late_people()
}

function begin_people() {
    begin_table()
    table_column("name", "left")
    table_column("number", "left")
    table_column("login", "left")
    table_column("e-mail", "left")
    table_column("section", "left")
}

function put_person(line) {
    row()
    put_heading(printable(people_cell(line, "name")))
    put(printable(people_cell(line, "number")))
    put(printable(people_cell(line, "login")))
    put(printable(people_cell(line, "email")))
    put(printable(people_cell(line, "section")))
}

function count_late(    w, n) {
    n = 0
    for (w = 1; w <= student_count; w++)
        n += is_late(students[w])
    return n
}

function late_people(    w, who, r, unknown) {
    section(2, "Late")
    if (late_total == 0) {
        paragraph("Nobody, as far as it is known when they handed in.")
        return
    }
    begin_table()
    table_column("who", "left")
    table_column("handed in (UTC)", "left")
    table_column("days late", "right")
    table_column("of them free", "right")
    table_column("taken off", "right")
    table_column("how", "left")
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        if (!is_late(who))
            continue
        r = at[who, steps[1]]
        unknown += is_late_by_flag(who)
        row()
        put_heading(person_shown(who))
        put(printable(person(who, "handed_in")))
        put(late_days_shown(who))
        put(late_of(who, "late_free"))
        put(late_of(who, "late_percent") " %")
        put(cell(r, "late_how") == "" ? "late, says the learning platform" : shown(r, "late_how"))
    }
    end_table()
    if (unknown && ENVIRON["DUE"] != "")
        paragraph("Of those without a time only the learning platform knows that they are late. A line such as `handed-in jdoe 2026-11-21 09:30` " \
                  "in the assignment tells when; until then nothing is taken off.")
}
