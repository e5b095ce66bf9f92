# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads the rubric: the file that ENVIRON RUBRIC names, which explains its syntax; of an assignment (ENVIRON ASSIGNMENT
# names the same file) the lines that begin with `rubric`. Call read_rubric() once, in END; then rubric(step, key) is what
# the rubric sets, and 0 where no line sets it. A bad line ends the program and is named with its number: points from
# half a rubric would be wrong for everybody.

BEGIN {
    MOST_POINTS = 1000000
    RUBRIC_KEYS = "correct hazard not-started idea speed full none predicted"
}

function read_rubric(    path, line, number, words, n, status) {
    path = ENVIRON["RUBRIC"]
    number = rules = 0
    while ((status = (getline line < path)) > 0) {
        number++
        sub(/(^|[ \t])#.*/, "", line)
        sub(/\r$/, "", line)
        if (path == ENVIRON["ASSIGNMENT"] && !sub(/^[ \t]*rubric[ \t]+/, "", line))
            continue
        n = split(line, words, " ")
        if (n > 0)
            read_rule(path ":" number, words, n)
    }
    close(path)
    if (status < 0)
        bad_line(path, "cannot be read")
    if (rules == 0)
        bad_line(path, "sets no points: it needs a line such as `* correct=6 speed=4 full=1.2 none=10`")
}

function read_rule(where, words, n,    i, key, value, at) {
    if (words[1] ~ /=/)
        bad_line(where, "it begins with '" words[1] "': the first word is a pattern of step names, such as *")
    if (words[1] !~ /^[][A-Za-z0-9_*?!-]+$/ || words[1] ~ /\[[^]]*$/)
        bad_line(where, "'" words[1] "' is no pattern of step names: letters, digits, _, *, ? and [...]")
    if (glob_to_regex(words[1]) == "")
        bad_line(where, "'" words[1] "' is no pattern of step names: [...] holds letters, or a range such as 0-9")
    if (n == 1)
        bad_line(where, "'" words[1] "' sets nothing: " rubric_forms() " is missing")
    rule_pattern[++rules] = glob_to_regex(words[1])
    rule_text[rules] = rule_line[rules] = words[1]
    rule_where[rules] = where
    for (i = 2; i <= n; i++) {
        at = index(words[i], "=")
        key = substr(words[i], 1, at - 1)
        value = substr(words[i], at + 1)
        if (at == 0 || !index(" " RUBRIC_KEYS " ", " " key " "))
            bad_line(where, "'" words[i] "' is none of " rubric_forms())
        if (value !~ /^[0-9]+([.][0-9]+)?$/ || value + 0 > MOST_POINTS)
            bad_line(where, "'" words[i] "' needs a number from 0 to " MOST_POINTS ", such as " key "=5")
        if (key == "predicted" && value !~ /^[01]$/)
            bad_line(where, "'" words[i] "' is neither predicted=1 nor predicted=0")
        if ((rules, key) in rule_sets)
            bad_line(where, "it sets " key " twice")
        rule_sets[rules, key] = value
        rule_line[rules] = rule_line[rules] " " words[i]
    }
}

# correct=N, hazard=N, ...
function rubric_forms(    forms) {
    forms = RUBRIC_KEYS
    gsub(/ /, "=N, ", forms)
    return forms "=N"
}

# The file and number of the line, and what is wrong with it.
function bad_line(where, what) {
    printf "%s: %s\n", printable(where), printable(what) > "/dev/stderr"
    exit 2
}

# From the last line that matches the step and sets the key. Checked once for each step: `none` must be above
# `full`.
function rubric(step, key,    i, k, keys, n) {
    if (!(step in rubric_read)) {
        rubric_read[step] = 1
        n = split(RUBRIC_KEYS, keys, " ")
        for (i = 1; i <= rules; i++)
            if (step ~ rule_pattern[i]) {
                rule_used[i] = 1
                for (k = 1; k <= n; k++)
                    set_from_rule(i, step, keys[k])
            }
        if (rubric_value[step, "speed"] + 0 > 0 && \
            !(rubric_value[step, "full"] + 0 > 0 && rubric_value[step, "none"] + 0 > rubric_value[step, "full"] + 0))
            bad_line(rubric_where[step], step " has points for speed, but full=" (rubric_value[step, "full"] + 0) \
                         " and none=" (rubric_value[step, "none"] + 0) ": full must be above 0, and none above full")
    }
    return rubric_value[step, key] + 0
}

function set_from_rule(i, step, key) {
    if (!((i, key) in rule_sets))
        return
    rubric_value[step, key] = rule_sets[i, key]
    rubric_where[step] = rule_where[i]
}

# As the shell matches names: * any text, ? any one character, [abc] and [!abc] one of or none of them. "" for a range
# that ends before it begins, and for brackets with nothing in them: no awk takes these.
function glob_to_regex(glob,    i, letter, regex, close_at) {
    regex = ""
    for (i = 1; i <= length(glob); i++) {
        letter = substr(glob, i, 1)
        close_at = letter == "[" ? index(substr(glob, i + 2), "]") : 0
        if (letter == "*")
            regex = regex ".*"
        else if (letter == "?")
            regex = regex "."
        else if (close_at > 0) {
            letter = substr(glob, i + 1, close_at)
            sub(/^!/, "^", letter)
            if (letter == "^" || !has_good_ranges(letter))
                return ""
            regex = regex "[" letter "]"
            i += close_at + 1
        } else
            regex = regex letter
    }
    return "^" regex "$"
}

function has_good_ranges(letters,    i) {
    for (i = 2; i < length(letters); i++)
        if (substr(letters, i, 1) == "-") {
            if (substr(letters, i - 1, 1) > substr(letters, i + 1, 1) || substr(letters, i + 2, 1) == "-")
                return 0
            i++
        }
    return 1
}
