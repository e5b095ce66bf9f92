# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads an assignment: the file that ENVIRON ASSIGNMENT names, if any. `class/assignment --help` says what stands in it.
# Call read_assignment() once, in END; a bad line ends the program and is named with its number. Needs rubric.awk (patterns
# and bad_line) and common/build/nearest.awk. Then:
#
#     assignment[key]           what a key that may stand once says; "" where it does not
#     assignment_where[key]     FILE:LINE of it
#     step_patterns, step_pattern[1..], step_text[] (as typed), step_where[]     which steps, as the shell matches names; none: all
#     extensions, extension_who[1..], extension_days[], extension_reason[], extension_where[]
#     told_times, told_who[1..], told_time[], told_where[]    when somebody handed in, as the instructor says
#     rubric_lines              how many lines of a rubric it has; rubric.awk reads them
#     is_assigned(step)         whether the step counts

BEGIN {
    ASSIGNMENT_KEYS = "title steps device due zone grace late extension handed-in total rubric roster nicknames handed-out"
    MOST_DAYS = 366
}

function read_assignment(    path, line, number, status, key, where) {
    path = ENVIRON["ASSIGNMENT"]
    step_patterns = extensions = told_times = rubric_lines = number = 0
    if (path == "")
        return
    while ((status = (getline line < path)) > 0) {
        where = path ":" (++number)
        sub(/\r$/, "", line)
        if (number == 1)
            sub(/^\357\273\277/, "", line) # an editor's byte order mark
        sub(/(^|[ \t])#.*/, "", line)
        gsub(/^[ \t]+|[ \t]+$/, "", line)
        if (line == "")
            continue
        key = line
        sub(/[ \t].*/, "", key)
        sub(/^[^ \t]+[ \t]*/, "", line)
        read_fact(where, key, line)
    }
    close(path)
    if (status < 0)
        bad_line(path, "cannot be read")
    check_lateness(path)
}

function read_fact(where, key, value,    names, n, near) {
    if (!index(" " ASSIGNMENT_KEYS " ", " " key " ")) {
        n = split(ASSIGNMENT_KEYS, names, " ")
        near = nearest(tolower(key), names, n)
        gsub(/ /, " or ", near)
        bad_line(where, "there is no key '" key "'" (near == "" ? "" : "; did you mean " near "?") " (the keys are " ASSIGNMENT_KEYS ")")
    }
    if (value == "")
        bad_line(where, "'" key "' says nothing: " form_of(key))
    if (key == "steps")
        read_patterns(where, value)
    else if (key == "extension")
        read_extension(where, value)
    else if (key == "handed-in")
        read_told_time(where, value)
    else if (key == "rubric")
        rubric_lines++
    else {
        if (key in assignment_where)
            bad_line(where, "'" key "' stands a second time: the first is " assignment_where[key])
        if (!is_good_value(key, value))
            bad_line(where, "'" value "' does not fit '" key "': " form_of(key))
        assignment[key] = value
        assignment_where[key] = where
    }
}

# What a line with that key looks like.
function form_of(key) {
    return key == "title" ? "it takes a text" : \
           key == "steps" ? "it takes names of steps, or patterns, such as opt0[1-5]* sum01" : \
           key == "device" ? "it is gpu or cpu" : \
           key == "due" ? "it takes a date and a time that exist, such as 2026-11-20 23:59" : \
           key == "zone" ? "it takes a time zone's name, such as Europe/Berlin or UTC" : \
           key == "grace" ? "it takes whole days from 0 to " MOST_DAYS : \
           key == "late" ? "it takes per cent a day, a number from 0 to 100 such as 10" : \
           key == "total" ? "it takes a number of points above 0" : \
           key == "extension" ? "it takes who, whole days from 1 to " MOST_DAYS ", and maybe a reason: extension alice 2 illness" : \
           key == "handed-in" ? "it takes who, a date and a time: handed-in alice 2026-11-21 10:00" : \
           key == "rubric" ? "it takes a line of class/rubric, such as * correct=6 speed=4 full=1.2 none=10" : \
           "it takes the name of a file"
}

function is_good_value(key, value) {
    if (key == "device")
        return value ~ /^(gpu|cpu)$/
    if (key == "due")
        return is_time(value)
    if (key == "zone")
        return value ~ /^[A-Za-z0-9_+\/-]+$/ && value !~ /^\//
    if (key == "grace")
        return value ~ /^[0-9]+$/ && value + 0 <= MOST_DAYS
    if (key == "late")
        return value ~ /^[0-9]+([.][0-9]+)?$/ && value + 0 <= 100
    if (key == "total")
        return value ~ /^[0-9]+([.][0-9]+)?$/ && value + 0 > 0 && value + 0 <= MOST_POINTS
    return 1
}

# YYYY-MM-DD HH:MM. Whether the clock of the zone ever shows it, date tells (assignment.sh).
function is_time(text,    year, month, day) {
    if (text !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] +[0-2][0-9]:[0-5][0-9]$/)
        return 0
    year = substr(text, 1, 4) + 0
    month = substr(text, 6, 2) + 0
    day = substr(text, 9, 2) + 0
    return month >= 1 && month <= 12 && day >= 1 && day <= days_of(month, year) && substr(text, length(text) - 4, 2) + 0 < 24
}

function days_of(month, year) {
    if (month == 2)
        return 28 + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
}

# A word without * ? [ is the beginning of a name, as in ./grade.sh --steps.
function read_patterns(where, value,    words, n, i) {
    n = split(value, words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] !~ /^[][A-Za-z0-9_*?!-]+$/ || words[i] ~ /\[[^]]*$/ || glob_to_regex(words[i]) == "")
            bad_line(where, "'" words[i] "' is no pattern of step names: letters, digits, _, *, ? and [...]")
        step_text[++step_patterns] = words[i]
        step_where[step_patterns] = where
        step_pattern[step_patterns] = words[i] (words[i] ~ /[*?[]/ ? "" : "*")
        step_regex[step_patterns] = glob_to_regex(step_pattern[step_patterns])
    }
}

function is_assigned(step,    i) {
    for (i = 1; i <= step_patterns; i++)
        if (step ~ step_regex[i])
            return 1
    return !step_patterns
}

# WHO may be a name with blanks: it ends before the first number that is not its first word.
function read_extension(where, value,    words, n, i, who, reason) {
    n = split(value, words, " ")
    who = words[1]
    for (i = 2; i <= n && words[i] !~ /^[0-9]+$/; i++)
        who = who " " words[i]
    if (i > n || words[i] + 0 < 1 || words[i] + 0 > MOST_DAYS)
        bad_line(where, "'" value "' does not fit 'extension': " form_of("extension"))
    extension_who[++extensions] = who
    extension_days[extensions] = words[i] + 0
    extension_where[extensions] = where
    for (i++; i <= n; i++)
        reason = reason (reason == "" ? "" : " ") words[i]
    extension_reason[extensions] = reason
}

# WHO ends before the date.
function read_told_time(where, value,    words, n) {
    n = split(value, words, " ")
    if (n < 3 || !is_time(words[n - 1] " " words[n]))
        bad_line(where, "'" value "' does not fit 'handed-in': " form_of("handed-in"))
    told_time[++told_times] = words[n - 1] " " words[n]
    told_where[told_times] = where
    sub(/[ \t]+[^ \t]+[ \t]+[^ \t]+$/, "", value)
    told_who[told_times] = value
}

function check_lateness(path,    names, n, i) {
    n = split("zone grace late", names, " ")
    if ("due" in assignment) {
        if (!("zone" in assignment))
            bad_line(assignment_where["due"], "'due' needs a time zone: add a line such as `zone Europe/Berlin`")
        return
    }
    for (i = 1; i <= n; i++)
        if (names[i] in assignment)
            bad_line(assignment_where[names[i]], "'" names[i] "' means nothing without a date: add a line such as `due 2026-11-20 23:59`")
    if (extensions || told_times)
        bad_line(extensions ? extension_where[1] : told_where[1], (extensions ? "'extension'" : "'handed-in'") \
                 " means nothing without a date: add a line such as `due 2026-11-20 23:59`")
}
