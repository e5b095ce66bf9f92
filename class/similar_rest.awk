# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What of each source is its author's own: code/NAME becomes rest/NAME, in which the lines that come from this tree are
# empty. The arguments, in order:
#
#     given      lines that are handed out, without blanks; those without a word, such as }, tell nothing
#     like-own   "NAME FIRST LAST": lines that sim_c++ finds in a step of this tree or in its starter
#     code/...   the sources, without comments

FILENAME == ARGV[1] {
    if (/[A-Za-z]/)
        given[$0]
    next
}

FILENAME == ARGV[2] {
    for (line = $2 + 0; line <= $3 + 0; line++)
        own[$1, line]
    next
}

FNR == 1 {
    if (rest != "")
        close(rest)
    name = FILENAME
    sub(/.*\//, "", name)
    rest = "rest/" name
    printf "" >rest
}

{
    line = $0
    gsub(/[ \t\r]/, "", line)
    print ((line in given) || ((name, FNR) in own) ? "" : $0) >rest
}
