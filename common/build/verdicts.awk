# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads the table of verdicts, common/judge/verdicts.def: awk -f common/build/verdicts.awk -f YOURS.awk
#
# read_verdicts(FILE) fills verdict_count, verdict_word[1 .. verdict_count] in the order in which tables
# show them, and for each word verdict_heading[word] (for a narrow column), verdict_sign_of[word],
# verdict_group_of[word], verdict_meaning[word] and verdict_advice[word]. It returns 1, or 0 where FILE holds no verdicts.

function read_verdicts(file,    line, part) {
    verdict_count = 0
    while ((getline line < file) > 0) {
        if (!sub(/^VERDICT\([A-Z_]+, "/, "", line) || !sub(/"\)$/, "", line))
            continue
        split(line, part, /", "/)
        verdict_word[++verdict_count] = part[1]
        verdict_heading[part[1]] = part[2]
        verdict_sign_of[part[1]] = part[3]
        verdict_group_of[part[1]] = part[4]
        verdict_meaning[part[1]] = part[5]
        verdict_advice[part[1]] = part[6]
    }
    close(file)
    return verdict_count > 0
}

# What a student should do about a verdict of a step, which make knows by a short name (opt05).
function verdict_advice_for(word, short_step,    advice) {
    advice = verdict_advice[word]
    gsub(/opt05/, short_step, advice)
    return advice
}

# The one character that says a verdict beside its colour: colour is never the only sign. "" is not graded yet.
function verdict_sign(word) {
    return (word in verdict_sign_of) ? verdict_sign_of[word] : ":"
}

# Which colour a verdict has: right, wrong, doubtful (a person looks at it), absent (nothing to judge), fault (the
# harness's) or, where there is no verdict yet, open.
function verdict_group(word) {
    return (word in verdict_group_of) ? verdict_group_of[word] : "open"
}
