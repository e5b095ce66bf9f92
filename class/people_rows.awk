# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads people.tsv (class/people --help names its columns), whose path is PEOPLE in the environment: who stands behind
# a submission. Without the file, a submission's name stands for its person's.
#
#     person(who, column)         of a submission; of a group, all that differ with ", " between. The column name is never empty
#     people_in(who)              how many people handed it in together; 0 where people.tsv does not know it
#     absent(list)                list[1..n] = lines of who handed in nothing; returns n
#     people_cell(line, column)   of any line, 1..people_count
#     names_person(text, who, line)  whether a text, in small letters, is the id or what people.tsv knows of a person
#     people_count                after the first call of one of these
#
# Texts are of others: printable() before they are shown.

function person(who, column,    n, i, text, value, seen) {
    read_people()
    n = people_in(who)
    for (i = 1; i <= n; i++) {
        value = people_cell(people_at[who, i], column)
        if (value != "" && !(value in seen)) {
            seen[value]
            text = text (text == "" ? "" : ", ") value
        }
    }
    return text == "" && column == "name" ? who : text
}

function people_in(who) {
    read_people()
    return people_of[who] + 0
}

function absent(list,    line, n) {
    read_people()
    for (line = 1; line <= people_count; line++)
        if (people_cell(line, "submission") == "")
            list[++n] = line
    return n + 0
}

function people_cell(line, column) {
    read_people()
    return people_cells[line, people_column[column]]
}

# A submission's id, or what people.tsv knows of a person, a line there.
function names_person(text, who, line,    columns, n, i, known) {
    if (who != "" && text == tolower(who))
        return 1
    n = line ? split("number canvas login email name", columns, " ") : 0
    for (i = 1; i <= n; i++) {
        known = tolower(people_cell(line, columns[i]))
        if (known != "" && (known == text || columns[i] == "email" && index(known, text "@") == 1))
            return 1
    }
    return 0
}

function read_people(    path, line, cells, n, i, who) {
    if (people_read)
        return
    people_read = 1
    people_count = 0
    path = ENVIRON["PEOPLE"]
    while (path != "" && (getline line < path) > 0) {
        n = split(line, cells, "\t")
        if (!people_named) {
            people_named = 1
            for (i = 1; i <= n; i++)
                people_column[cells[i]] = i
            continue
        }
        people_count++
        for (i = 1; i <= n; i++)
            people_cells[people_count, i] = cells[i]
        who = cells[people_column["submission"]]
        if (who != "")
            people_at[who, ++people_of[who]] = people_count
    }
    if (path != "")
        close(path)
}
