# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Which steps of a submission nobody has begun: those that are still the starter, and those that are an earlier step of the
# same ladder under another name. Comments and blanks do not count. Run with -f class/code_of.awk in the submission's folder.
# The arguments are files:
#
#     STARTERS/STEP        the starter of a step
#     labs/STEP/NAME.cu    a step of the submission, in the order of names: what earlier steps are compared with
#
# HANDED_OUT, in the environment, may name more files as they were handed out: their hashes, as sha256sum prints them; HASHES has
# those of the submission. Prints a line for each such step: STEP/NAME.cu, a tab, and why.

BEGIN {
    read_hashes(ENVIRON["HANDED_OUT"], handed_out)
    hashes = ENVIRON["HASHES"]
}

function read_hashes(path, hash_known,    line) {
    while (path != "" && (getline line < path) > 0)
        if (line ~ /^[0-9a-f]+ /)
            hash_known[substr(line, 1, 64)] = 1
    if (path != "")
        close(path)
}

FNR == 1 {
    in_comment = 0
    is_starter = FILENAME !~ /[.]cu$/
    name = FILENAME
    sub(/.*labs\//, "", name)
    if (is_starter)
        sub(/.*\//, "", name)
    else
        names[++count] = name
}

/\/\* TODO/ {
    has_todo[name] = 1
}

{
    line = code_of($0)
    gsub(/[ \t\r]/, "", line)
    if (is_starter)
        starter[name] = starter[name] line
    else
        text[name] = text[name] line
}

END {
    for (i = 1; i <= count; i++) {
        why = why_not_started(i)
        if (why != "")
            print names[i] "\t" why
    }
}

function why_not_started(i,    step, e, earlier) {
    step = step_of(names[i])
    if ((step in starter) && text[names[i]] == starter[step] || (names[i] in has_todo) && is_handed_out(names[i]))
        return "this is the file as it was handed out"
    for (e = 1; e < i; e++) {
        earlier = step_of(names[e])
        if (earlier != step && file_of(names[e]) == file_of(names[i]) && text[names[i]] != "" && text[names[e]] == text[names[i]])
            return "this is " earlier " of the same submission under another name"
    }
    return ""
}

function step_of(path) {
    sub(/\/.*/, "", path)
    return path
}

function file_of(path) {
    sub(/.*\//, "", path)
    return path
}

# HASHES has lines "HASH  ./labs/STEP/NAME.cu".
function is_handed_out(path,    at) {
    at = index(hashes, "labs/" path "\n")
    if (!at)
        return 0
    at = substr(hashes, 1, at)
    sub(/.*\n/, "", at)
    return substr(at, 1, 64) in handed_out
}
