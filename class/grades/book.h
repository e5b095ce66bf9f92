/* The grade book: what the forms of class/exports/ share. A form is a function that writes its
 * files and says what a person has to know of them. */
#pragma once

#include "lib/text.h"
#include "points.h"
#include "private.h"

/* A person's share in a submission; a group is several. */
struct entry {
    const struct submission *of;
    const struct person *person; /* NULL where nobody is known */
    bool is_guess;               /* number, login and e-mail are the name of the submission */
};
/* What is known of the person, by the columns of people.tsv. */
const char *entry_cell(const struct entry *entry, const char *column);

struct book {
    const struct class *class;
    const char *results, *out; /* the records, and the folder of what is written */
    const char *title;         /* of the assignment's column */
    bool has_roster;           /* which tells who is who */
    struct entry *entry;
    size_t entries;
    struct text listed; /* what a person has to look at */
};

void write_canvas(struct book *book);
void write_csv_form(struct book *book);
void write_feedback_form(struct book *book);
void write_gradescope(struct book *book);
void write_moodle(struct book *book);

/* Which entries fit one person. */
bool is_matched(const struct entry *entry);

/* ---- what cells hold --------------------------------------------------------------------------- */

const char *grade_cell(const struct book *book, const struct entry *entry); /* "" for none */
const char *total_cell(const struct book *book);
/* One line of HTML that shows the feedback as it stands. */
const char *feedback_cell(const struct book *book, const struct entry *entry);
const char *feedback_of(const struct book *book, const struct submission *one);

enum step_is { PASSED, FAILED, SKIPPED } step_is(const struct grade *grade);

/* Names of the steps whose grade has such a text: offsetof(struct grade, pending). */
const char *steps_with(const struct submission *one, size_t text_of_grade, const char *between);

/* ---- files ------------------------------------------------------------------------------------- */

/* A column of a table of CSV. title: NULL for the assignment's. It has what an entry knows by that
 * name, or what `cell` makes, which is CSV already. */
struct column {
    const char *title, *known;
    const char *(*cell)(const struct book *book, const struct entry *entry);
};

/* Of those who are matched. begin: a row behind the titles, or "". */
void write_entries(struct book *book, const char *file, const struct column *column, size_t columns,
                   const char *begin);

/* A file in `out`, and the folders that it lies in. */
void write_text_to(const struct book *book, const char *file, const char *text);
