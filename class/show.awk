# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Whose page class/show prints: reads the rows of points, and ENVIRON WHO, what was asked for. Prints the submission's name,
# or who could be meant, to standard error, and then exits with 2.

BEGIN {
    MOST_NAMED = 12
    COLUMNS_OF_NAMES = "name email login number canvas"
}

END {
    wanted = folded(ENVIRON["WHO"])
    read_points()
    for (w = 1; w <= student_count; w++)
        add_candidate(students[w], "")
    absent_count = absent(absentees)
    for (a = 1; a <= absent_count; a++)
        add_candidate("", absentees[a])
    found = matching(1)
    if (!found)
        found = matching(2)
    if (!found)
        near = nearest_names()
    if (found == 1 && candidate[match_at[1]] != "")
        print candidate[match_at[1]]
    else
        give_up(found)
}

# A submission, or the line of people.tsv of who handed in nothing. Sets its names in small letters: names[c] has a line
# for each.
function add_candidate(who, line,    i, n, columns, value) {
    candidate[++candidates] = who
    absent_line[candidates] = line
    names[candidates] = "\n" folded(who) "\n"
    n = split(COLUMNS_OF_NAMES, columns, " ")
    for (i = 1; i <= n; i++) {
        value = line == "" ? person(who, columns[i]) : people_cell(line, columns[i])
        gsub(/, /, "\n", value)
        names[candidates] = names[candidates] folded(value) "\n"
    }
}

# ASCII's capitals only: awk knows no others where a text is bytes.
function folded(text) {
    return tolower(printable(text))
}

# Sets match_at[1..n] and returns n. closeness 1: a name is what was asked for; 2: all its words are in the names.
function matching(closeness,    c, n, i, count, words, fits) {
    n = 0
    count = split(wanted, words, " ")
    for (c = 1; c <= candidates; c++) {
        fits = closeness == 1 ? index(names[c], "\n" wanted "\n") > 0 : count > 0
        for (i = 1; i <= count && closeness == 2; i++)
            fits = fits && index(names[c], words[i])
        if (fits)
            match_at[++n] = c
    }
    return n
}

# Sets match_at[1..n] to those with a name that is some letters off, as common/build/nearest.awk counts them; returns n.
function nearest_names(    c, i, n, count, words, off, least) {
    least = 1 + int(length(wanted) / 4)
    for (c = 1; c <= candidates; c++) {
        count = split(names[c], words, /[ \n@]+/)
        for (i = 1; i <= count; i++) {
            off = distance(wanted, words[i])
            if (off < least || (off == least && (!n || match_at[n] != c))) {
                n = off < least ? 0 : n
                least = off
                match_at[++n] = c
            }
        }
    }
    return n + 0
}

function give_up(found,    i, n) {
    n = found ? found : near ? near : candidates
    if (found == 1)
        say("there is nothing to show: " shown_name(match_at[1]))
    else if (found)
        say("several people fit '" printable(ENVIRON["WHO"]) "':")
    else
        say("nobody fits '" printable(ENVIRON["WHO"]) "'; " (near ? "near it " : "there ") (n == 1 ? "is" : "are") ":")
    for (i = 1; found != 1 && i <= n; i++) {
        if (i > MOST_NAMED) {
            say("  and " n - MOST_NAMED " more")
            break
        }
        say("  " shown_name(found || near ? match_at[i] : i))
    }
    exit 2
}

function shown_name(c,    who, name) {
    who = printable(candidate[c])
    name = printable(who == "" ? people_cell(absent_line[c], "name") : person(candidate[c], "name"))
    return name == who || who == "" ? name (who == "" ? " (handed in nothing)" : "") : name " (" who ")"
}

function say(text) {
    print "show: " text > "/dev/stderr"
}
