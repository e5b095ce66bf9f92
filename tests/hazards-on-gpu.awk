# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The table of tests/hazards-on-gpu --table. Reads common/runner/hazards.def, the file of results, and what
# tests/part-hazards printed, if there is such a file; -F '\t'.
#
# Classes come in the order of hazards.def. A report counts whatever it says, with one exception: a leak that is
# told of a step that does not leak, because a crash came before its tear-down.

FNR == 1 { file++ }
file == 1 && split($0, part, "\"") > 2 { classes[++class_count] = part[2]; next }
file == 1 { next }
file == 2 { read_result(); next }
/^(ok|NOT OK) / { step = $0; sub(/^(ok|NOT OK) +/, "", step); sub(/:.*/, "", step); next }
/^ +marks: / { emulator_read = 1; marks[step] = $0 " " }

function read_result(    class) {
    class = $2
    sub(/[|].*/, "", class)
    if (!($1 in class_of))
        steps[class]++
    class_of[$1] = class
    version = $7
    gpu = $6
    if ($3 == "run") {
        sub(/:.*/, "", $4)
        did[class, $4]++
    } else if ($4 !~ /^(nothing|too slow|failed: .*)$/ && ($4 !~ /^Leaked/ || class ~ /^(leak|nothing)$/)) {
        sees[class, $3]++
        if (!(($1, "any") in seen))
            sees[class, "any"]++
        seen[$1, "any"]
    }
}

function behaviour(class,    i, text) {
    for (i = 1; i <= split("right|wrong|sometimes wrong|hangs|crashes|several", word, "|"); i++)
        if (did[class, word[i]])
            text = text (text == "" ? "" : ", ") did[class, word[i]] " " word[i]
    return text
}

function row(name, class,    i, text) {
    text = "| " name " | " steps[class] + 0 " | " (emulator_read ? emulator[class] + 0 : "") " |"
    for (i = 1; i <= 5; i++)
        text = text " " sees[class, column[i]] + 0 " |"
    print text " " behaviour(class) " |"
}

function add(class,    i) {
    steps["all"] += steps[class]
    emulator["all"] += emulator[class]
    for (i = 1; i <= 5; i++)
        sees["all", column[i]] += sees[class, column[i]]
    for (i = 1; i <= 6; i++)
        did["all", word[i]] += did[class, word[i]]
}

END {
    split("memcheck racecheck synccheck initcheck any", column, " ")
    for (step in marks)
        if (step in class_of)
            emulator[class_of[step]] += marks[step] ~ (class_of[step] == "nothing" ? " alarm " : " class ")
    print "compute-sanitizer " version ", " gpu
    print ""
    print "| class | steps | emulator | memcheck | racecheck | synccheck | initcheck | any tool | what the GPU did |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= class_count; i++)
        if (steps[classes[i]]) {
            row(classes[i], classes[i])
            add(classes[i])
        }
    row("all that are wrong", "all")
    row("right: false alarms", "nothing")
}
