/* What a class is asked for: class/assignment.template explains each key. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "amount.h"
#include "rubric.h"

enum { MOST_DAYS = 366, DAY = 86400 };
enum assignment_key {
#define KEY(key, name, pattern, least, most, form) key,
#include "assignment.def"
    ASSIGNMENT_KEYS
};

struct fact {
    const char *value, *where; /* "" where the assignment does not say it */
    amount number;             /* of a value that is one; 0, or what holds without a line */
};

/* A line about somebody, which a person has ruled. */
struct ruling {
    enum assignment_key key; /* EXTENSION to WHICH_FILE */
    const char *who, *where;
    const char *step; /* "" where it is of all steps */
    const char *text; /* a reason, a comment, a file's path, or when he handed in */
    amount points;    /* of ADJUST; may be below 0 */
    int hours;        /* of EXTENSION; else 0 */
    char utc[32];     /* of HANDED_IN */
    /* The submissions that it holds for, with ", " between. */
    const char *names;
    size_t count;
};

struct assignment {
    const char *path; /* "" for none */
    struct fact fact[ASSIGNMENT_KEYS];
    struct pattern {
        const char *typed, *glob, *where;
    } * step;
    struct ruling *ruling;
    struct line {
        enum assignment_key key;
        const char *value, *where;
    } * line;
    size_t steps, rulings, lines;
    struct rubric rubric; /* no rules where it has none */
    struct tm due;        /* by the clock of its zone */
};

/* A bad line ends the program; so does a pattern that fits no step, and a rubric that makes no
 * sense for one that counts. "": an assignment that says nothing. */
struct assignment *read_assignment(const char *path);

bool is_assigned(const struct assignment *assignment, const char *step);

/* When it is due, or so many days later by that clock: they have 23 or 25 hours in two nights of a
 * year. */
time_t due_after(const struct assignment *assignment, long days);

/* 2026-11-20T22:59:00Z as seconds since 1970; false where a text is no such time. */
bool read_utc(const char *text, time_t *seconds);
