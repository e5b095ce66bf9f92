# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# A person's decisions on flagged steps: lines `SUBMISSION STEP clear|confirm REASON` of ENVIRON FLAGS, where
# that file exists. read_flags() sets flag_decision[who, step] and flag_reason[who, step]. Needs rubric.awk.

function read_flags(    path, line, number, words, n, where) {
    path = ENVIRON["FLAGS"]
    number = 0
    while ((getline line < path) > 0) {
        where = path ":" (++number)
        sub(/\r$/, "", line)
        if (line ~ /^[ \t]*(#|$)/)
            continue
        n = split(line, words, " ")
        if (n < 4 || words[3] !~ /^(clear|confirm)$/)
            bad_line(where, "'" printable(line) "' is not: SUBMISSION STEP clear|confirm REASON")
        flag_decision[words[1], words[2]] = words[3]
        sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", line)
        flag_reason[words[1], words[2]] = printable(line)
        flag_where[words[1], words[2]] = where
    }
    close(path)
}

# Says which decisions change nothing: a mistyped name would leave a student without points.
# verdict_of[who, step] is the verdict of the record that counts.
function report_unused_flags(verdict_of,    key, words) {
    for (key in flag_decision)
        if (!(key in verdict_of) || verdict_of[key] != "flagged") {
            split(key, words, SUBSEP)
            printf "%s: '%s %s' is not flagged: this line changes nothing\n", printable(flag_where[key]), printable(words[1]), \
                   printable(words[2]) > "/dev/stderr"
        }
}
