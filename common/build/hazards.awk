# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads the kinds of hazards, emulator/findings/hazards.def: awk -f common/build/hazards.awk -f YOURS.awk
#
# read_hazard_kinds(FILE) fills for each word hazard_severity[word] ("FAULT" or "REMARK"), hazard_meaning[word] and
# hazard_remedy[word]. It returns 1, or 0 where FILE holds no kinds.

function read_hazard_kinds(file,    line, part, any) {
    any = 0
    while ((getline line < file) > 0) {
        if (!sub(/^HAZARD\([A-Z_]+, "/, "", line) || !sub(/"\)$/, "", line))
            continue
        sub(/", /, "\t", line) # word, then the severity, which has no quotes
        sub(/, "/, "\t", line)
        sub(/", "/, "\t", line)
        split(line, part, "\t")
        hazard_severity[part[1]] = part[2]
        hazard_meaning[part[1]] = part[3]
        hazard_remedy[part[1]] = part[4]
        any = 1
    }
    close(file)
    return any
}
