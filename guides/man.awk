# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# From a command's --help to what help2man reads: the first line is the page's name line, the first sentence of the help; the
# rest is the help with headings for options and exit status.

{ line[++lines] = $0 }

END {
    if (line[1] !~ /^Usage: /)
        fail("--help does not begin with Usage:")
    for (i = 2; i <= lines && line[i] ~ /^ +(or: )/; i++)
        ;
    if (i > lines || line[i] ~ /^( |$)/)
        fail("after the usage no sentence says what it does")
    print first_sentence(i)
    for (j = 1; j <= lines; j++)
        print_line(j)
}

function fail(text) {
    print text
    failed = 1
    exit 1
}

# As far as the first full stop, colon or semicolon.
function first_sentence(i,    text) {
    for (text = line[i]; text !~ /[.:;]( |$)/ && i < lines && line[i + 1] != ""; i++)
        text = text " " line[i + 1]
    sub(/[.:;]( .*)?$/, "", text)
    return tolower(substr(text, 1, 1)) substr(text, 2)
}

function print_line(j) {
    if (line[j] ~ /^ +--?[a-z]/ && !in_options && line[j - 1] == "") {
        print "Options:\n"
        in_options = 1
    }
    if (sub(/^Exit status: /, "", line[j]))
        print (line[j - 1] == "" ? "" : "\n") "*Exit status*\n"
    print line[j]
}
