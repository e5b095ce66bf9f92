# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How late a submission is, and what that takes off: the rule of the assignment (assignment.awk) for when it was handed in
# (people_rows.awk). Call read_lateness() once, after read_assignment(). Reads, from ENVIRON:
#
#   DUE_TIMES   when it is due and a day, two days, ... later, in seconds since 1970: the zone's own days (assignment.sh)
#   TOLD_TIMES  when those of told_who handed in, as YYYY-MM-DDTHH:MM:SSZ: the instructor knows better than people.tsv
#   FREE_DAYS   a file of class/late: submission, tab, how many of the term's free days go to it; maybe absent

BEGIN {
    DAY = 86400 # s, after the last of DUE_TIMES
}

function read_lateness(    path, line, cells) {
    due_count = split(ENVIRON["DUE_TIMES"], due_at, " ")
    split(ENVIRON["TOLD_TIMES"], told_utc, " ")
    path = ENVIRON["FREE_DAYS"]
    while ((getline line < path) > 0) {
        free_allocated = 1
        if (line !~ /^#/ && split(line, cells, "\t") >= 2)
            free_given[cells[1]] = cells[2] + 0
    }
    close(path)
}

# Fills out[] with the columns late_days, late_free, late_percent, late_how, extension and handed_in (points_rows.awk).
function late_rule(who, out,    days, free, name) {
    for (name in out)
        delete out[name]
    out["late_days"] = out["late_free"] = out["late_percent"] = 0
    out["handed_in"] = time_of_handing_in(who)
    if (!due_count)
        return
    out["extension"] = extension_of(who)
    if (out["handed_in"] !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z$/) {
        out["handed_in"] = ""
        out["late_how"] = (person(who, "late_flag") ~ /^0/ ? "handed in in time, as the learning platform has it" : \
                           "it is not known when it was handed in, so it counts as in time" \
                           (person(who, "late_flag") ~ /1/ ? ", though the learning platform calls it late" : ""))
        return
    }
    days = days_late(seconds_of(out["handed_in"]), out["extension"])
    free = free_days(who, days)
    out["late_days"] = days
    out["late_free"] = free
    out["late_percent"] = late_percent(days - free)
    out["late_how"] = (days == 0 ? "handed in in time" : "handed in " days_in_words(days) " late" \
                       (free == 0 ? "" : ", " (free == days ? (days == 1 ? "and that day is free" : "all of them free") : free " of them free"))) \
                      (out["extension"] == 0 ? "" : " (due " days_in_words(out["extension"]) " later than for others)") \
                      (out["late_percent"] == 0 ? "" : ": " out["late_percent"] " % taken off") \
                      (days > 0 && free_allocated && !(who in free_given) ? "; no free days have been dealt out to it yet" : "")
}

function time_of_handing_in(who,    t, i, found, when) {
    when = person(who, "handed_in")
    for (t = 1; t <= told_times; t++) {
        found = names_person(tolower(told_who[t]), who, 0)
        for (i = 1; i <= people_in(who) && !found; i++)
            found = names_person(tolower(told_who[t]), who, people_at[who, i])
        if (found) {
            when = told_utc[t]
            told_uses[t]++
        }
    }
    return when
}

# A day begun is a day. Of a due date that was put off by so many days.
function days_late(when, put_off,    days) {
    for (days = 0; when > due_after(put_off + days); days++)
        ;
    return days
}

function due_after(days) {
    return days < due_count ? due_at[days + 1] + 0 : due_at[due_count] + (days - due_count + 1) * DAY
}

# Per cent of its points that a submission loses by so many days that are not free.
function late_percent(days) {
    return smaller(100, days * assignment["late"])
}

# As class/late has allocated them; else at once, but none that would change nothing.
function free_days(who, days,    free) {
    if (free_allocated)
        return (who in free_given) ? smaller(free_given[who], days) : 0
    free = smaller(assignment["grace"] + 0, days)
    while (free > 0 && late_percent(days - free + 1) == late_percent(days - free))
        free--
    return free
}

function days_in_words(n) {
    return n " day" (n == 1 ? "" : "s")
}

# 2026-11-20T22:59:00Z as seconds since 1970. Days of the Gregorian calendar, counted from 1 March.
function seconds_of(time,    year, month, day) {
    year = substr(time, 1, 4) + 0
    month = substr(time, 6, 2) + 0
    day = substr(time, 9, 2) + 0
    if (month <= 2) {
        year--
        month += 12
    }
    return (365 * year + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * (month - 3) + 2) / 5) + day - 719469) * DAY \
           + substr(time, 12, 2) * 3600 + substr(time, 15, 2) * 60 + substr(time, 18, 2)
}

# ---- extensions ------------------------------------------------------------------------------------

# The days by which a submission's date is put off: of each of its people all extensions add up, and a group has the most
# that one of them has.
function extension_of(who,    i, most) {
    most = extension_for(who, 0)
    for (i = 1; i <= people_in(who); i++)
        most = larger(most, extension_for(who, people_at[who, i]))
    return most
}

function extension_for(who, row,    e, days) {
    days = 0
    for (e = 1; e <= extensions; e++)
        if (names_person(tolower(extension_who[e]), who, row)) {
            days += extension_days[e]
            if (!((e, who) in extension_used)) {
                extension_used[e, who] = 1
                extension_fits[e] = extension_fits[e] (extension_uses[e]++ ? ", " : "") who
            }
        }
    return days
}

# A submission's id, or what people.tsv knows of a person, a row there.
function names_person(text, who, row,    columns, n, i, known) {
    if (who != "" && text == tolower(who))
        return 1
    n = row ? split("number canvas login email name", columns, " ") : 0
    for (i = 1; i <= n; i++) {
        known = tolower(people_cell(row, columns[i]))
        if (known != "" && (known == text || columns[i] == "email" && index(known, text "@") == 1))
            return 1
    }
    return 0
}

# Without a roster, the files' names are all that is known of most people.
function roster_hint(    i) {
    for (i = 1; i <= people_count; i++)
        if (people_cell(i, "number") people_cell(i, "login") people_cell(i, "email") != "")
            return ""
    return people_count ? " until a roster says who this is (class/people DIR --roster FILE)" : ""
}

# Says which extensions help nobody, and which help several: a mistyped name would cost a student points.
function report_extensions(    e, i, n, rows_absent, is_absent) {
    n = extensions ? absent(rows_absent) : 0
    for (e = 1; e <= extensions; e++) {
        is_absent = 0
        for (i = 1; i <= n; i++)
            is_absent += names_person(tolower(extension_who[e]), "", rows_absent[i])
        if (!extension_uses[e] && !is_absent)
            printf "%s: '%s' is nobody who handed in or is in the roster: this extension changes nothing%s\n", \
                   printable(extension_where[e]), printable(extension_who[e]), roster_hint() > "/dev/stderr"
        else if (extension_uses[e] > 1)
            printf "%s: '%s' is several submissions, and all of them have this extension: %s\n", \
                   printable(extension_where[e]), printable(extension_who[e]), printable(extension_fits[e]) > "/dev/stderr"
    }
    for (e = 1; e <= told_times; e++)
        if (!told_uses[e])
            printf "%s: '%s' is nobody who handed in: this line changes nothing\n", printable(told_where[e]), printable(told_who[e]) > "/dev/stderr"
}
