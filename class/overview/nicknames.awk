# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Who wants to be on the leaderboard: lines `WHO NICKNAME` of ENVIRON NICKNAMES. WHO is a submission's id, or what people.tsv
# knows of its person (names_person() of people_rows.awk). # begins a comment. read_nicknames(), after read_points(), sets:
#
#     shown_count, shown_who[1..], nickname[who]     those who are in it and handed in something
#
# What is wrong with a line is told, and the line left out: nobody may stand there under a name that is another's.

BEGIN {
    MOST_NICKNAME = 40 # characters
}

function read_nicknames(    path, line, number, where, who, name) {
    path = ENVIRON["NICKNAMES"]
    shown_count = number = 0
    while ((getline line < path) > 0) {
        where = path ":" (++number)
        sub(/\r$/, "", line)
        sub(/^[ \t]+/, "", line)
        if (line ~ /^(#|$)/)
            continue
        who = name = line
        sub(/[ \t].*/, "", who)
        sub(/^[^ \t]+[ \t]*/, "", name)
        name = printable(name)
        gsub(/  +/, " ", name)
        sub(/ +$/, "", name)
        take_nickname(where, who, leading(name, MOST_NICKNAME))
    }
    close(path)
}

function take_nickname(where, who, name,    found, n) {
    n = find_submissions(who, found)
    if (name == "")
        return left_out_line(where, "'" who "' has no nickname: a line is WHO NICKNAME")
    if (tolower(name) in taken)
        return left_out_line(where, "the nickname '" name "' stands a second time: the first is " taken[tolower(name)])
    if (n == 0 && !handed_in_nothing(who))
        return left_out_line(where, "'" who "' is nobody who handed in or is in the roster")
    if (n > 1)
        return left_out_line(where, "'" who "' is several submissions: name the one that is meant by its id")
    if (n == 0)
        return 0
    if (found[1] in nickname)
        return left_out_line(where, "'" who "' has a nickname already")
    taken[tolower(name)] = where
    nickname[found[1]] = name
    shown_who[++shown_count] = found[1]
}

function left_out_line(where, why) {
    print printable(where) ": " printable(why) "; this line is left out" > "/dev/stderr"
}

# found[1..n]: the submissions of that name. An id goes before what people.tsv knows.
function find_submissions(text, found,    w, i, n, who) {
    if (text in total) {
        found[1] = text
        return 1
    }
    text = tolower(text)
    n = 0
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        for (i = 1; i <= people_in(who); i++)
            if (names_person(text, who, people_at[who, i])) {
                found[++n] = who
                break
            }
    }
    return n
}

function handed_in_nothing(text,    list, n, i) {
    n = absent(list)
    for (i = 1; i <= n; i++)
        if (names_person(tolower(text), "", list[i]))
            return 1
    return 0
}
