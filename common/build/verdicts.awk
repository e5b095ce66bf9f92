# Reads the table of verdicts, common/judge/verdicts.def: awk -f common/build/verdicts.awk -f YOURS.awk
#
# read_verdicts(FILE) fills verdict_count, verdict_word[1 .. verdict_count] in the order in which tables
# show them, and for each word verdict_heading[word] (for a narrow column), verdict_meaning[word] and
# verdict_advice[word]. It returns 1, or 0 where FILE holds no verdicts.

function read_verdicts(file,    line, part) {
    verdict_count = 0
    while ((getline line < file) > 0) {
        if (!sub(/^VERDICT\([A-Z_]+, "/, "", line) || !sub(/"\)$/, "", line))
            continue
        split(line, part, /", "/)
        verdict_word[++verdict_count] = part[1]
        verdict_heading[part[1]] = part[2]
        verdict_meaning[part[1]] = part[3]
        verdict_advice[part[1]] = part[4]
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
