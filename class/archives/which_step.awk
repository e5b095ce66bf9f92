# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Tells which step a loose file is, from its name or from the text in it. Run on the step.md files of all steps, then on
# the file. ENVIRON: NAME, the file's path in the submission; FUNCTIONS, lines of STEP FUNCTION.
# Prints how (name or text) and the steps that it may be: none, one or several.
#
# By name: the file is called after one step (opt05.cu, "opt05_multiblock (2).cu", my-opt05-final.cu); or it lies in a
# folder that is, and begins with the step's function (opt05/opt_2dhisto-3.cu). By text: what a starter begins with
# (class/handout/starter.awk), which is the step's short name in its first comment, and its task.

BEGIN {
    count = split(ENVIRON["FUNCTIONS"], lines, "\n")
    for (i = 1; i <= count; i++) {
        split(lines[i], words, " ")
        steps[i] = words[1]
        function_of[words[1]] = words[2]
        short_of[words[1]] = words[1]
        sub(/_.*/, "", short_of[words[1]])
    }
    file = ARGV[ARGC - 1]
}

FNR == 1 {
    in_task = 0
    step = FILENAME
    sub(/\/[^\/]*$/, "", step)
    sub(/.*\//, "", step)
}

FILENAME != file && /^## / { in_task = /^## Task/ }
FILENAME != file && in_task && !/^(## |[ \t]*$)/ && told[step] < 2 { task[step, ++told[step]] = bare($0) }

FILENAME == file && FNR <= 300 {
    text = bare($0)
    there[text]
    if (first == "" && text != "")
        first = text
}

END {
    n = split(tolower(ENVIRON["NAME"]), parts, "/")
    sub(/\.(cu|md)$/, "", parts[n])
    found = named(parts[n])
    for (i = n - 1; i >= 1 && found == ""; i--)
        found = of_function(named(parts[i]), parts[n])
    if (found != "")
        print "name" found
    else if ((found = told_by_text()) != "")
        print "text" found
}

# A line without what makes it a comment.
function bare(line) {
    sub(/\r$/, "", line)
    sub(/^[ \t]*(\/\*+|\*+|\/\/+)?[ \t]*/, "", line)
    sub(/[ \t]*(\*\/)?[ \t]*$/, "", line)
    return line
}

# The steps that a name names: in full, else by their short names.
function named(name,    i, full, short) {
    for (i = 1; i <= count; i++) {
        if (has_word(name, steps[i]))
            full = full " " steps[i]
        if (has_word(name, short_of[steps[i]]))
            short = short " " steps[i]
    }
    return full != "" ? full : short
}

function has_word(text, word,    at, before, after) {
    word = tolower(word)
    while ((at = index(text, word)) > 0) {
        before = at == 1 ? "" : substr(text, at - 1, 1)
        after = substr(text, at + length(word), 1)
        if (before !~ /[a-z0-9]/ && after !~ /[a-z0-9]/)
            return 1
        text = substr(text, at + length(word))
    }
    return 0
}

# Those of the steps whose function the file's name begins with.
function of_function(list, name,    n, i, names, kept) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++)
        if (index(name, tolower(function_of[names[i]])) == 1)
            kept = kept " " names[i]
    return kept
}

function told_by_text(    i, list) {
    for (i = 1; i <= count; i++)
        if (index(first, short_of[steps[i]] ":") == 1 || (told[steps[i]] == 2 && (task[steps[i], 1] in there) && (task[steps[i], 2] in there)))
            list = list " " steps[i]
    return list
}
