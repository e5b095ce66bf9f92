# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How a mistake (the first file, tests/grade-corpus --help) was told by the record of a grading (the second): prints
# `diagnosis` where the diagnosis is the one that names it, `hazard` where the hazard's kind and lines do, `verdict` where
# only the verdict tells, and `otherwise` where something else came out than is expected.

FILENAME == ARGV[1] && /^$/ { told = 1 }
FILENAME == ARGV[1] && !told && !($1 in expected) { expected[$1] = substr($0, length($1) + 2) }

FILENAME == ARGV[2] {
    records++
    verdict = text_of("verdict", "detail")
    detail = text_of("detail", "diagnosis")
    diagnosis = text_of("diagnosis", "hazards")
}

END {
    pattern = expected["cpu"]
    verdicts = pattern
    sub(/ .*/, "", verdicts)
    sub(/^[^ ]* ?/, "", pattern)
    sub(/after 0\.5 s/, "after [0-9.]+ s", pattern) # grade-corpus allows less to what has no end
    wanted = expected["diagnosis"]
    if (diagnosis == "")
        diagnosis = "none"
    if (records != 1 || verdict !~ ("^(" verdicts ")$") || detail !~ pattern || diagnosis !~ wanted)
        print "otherwise"
    else if ("none" !~ wanted)
        print "diagnosis"
    else
        print (verdict == "hazard" && pattern != "" ? "hazard" : "verdict")
}

# The text of a field of the record, which ends where the next one that can follow begins.
function text_of(key, next_key,    rest) {
    rest = $0
    if (!sub(".*\"" key "\":\"", "", rest))
        return ""
    sub("\",\"" next_key "\":.*", "", rest)
    if (key == "verdict")
        sub(/".*/, "", rest)
    return rest
}
