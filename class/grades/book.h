/* The grade book: what the forms of class/exports/ share. A form is a function that writes its
 * files and says what a person has to know of them. */
#pragma once

#include "json_read.h"
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
    bool title_given;
    struct entry *entry;
    size_t entries;
    /* A roster as class/roster/Roster.pm reads it; NULL without one. Its rows, order and columns go
     * back to the platform byte for byte, so that its import finds everybody. */
    const struct json *own;
    struct map *found; /* entries by what a row of it may know of a person */
    struct text listed, said;
};

void write_blackboard(struct book *book);
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

/* What a step came to, for one line or one box: "wrong: bin 7: ...". */
const char *step_in_words(const struct grade *grade);
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
FILE *begin_file(const struct book *book, const char *file);
void end_file(const struct book *book, FILE *out);
void write_text_to(const struct book *book, const char *file, const char *text,
                   const char *encoding);

/* ---- a platform's own file --------------------------------------------------------------------- */

enum { NOWHERE = -1 };
bool has_columns(const struct book *book, const char *names); /* with | between */
int column_called(const struct book *book, const char *name);
int own_columns(const struct book *book);
const char *own_title(const struct book *book, int column);
const char *own_text(const struct json *row, int column);
/* The first has the titles. NULL behind the last. */
const struct json *own_row(const struct book *book, size_t row);

/* One that knows an assignment by the number in its column's title. */
struct platform {
    const char *form, *name;
    const char *number;                /* what a title has behind the assignment's: a pattern */
    const char *makes_new, *writes_it; /* where it has no such column; where it names its own */
};

/* The column, from that one on, which the grades go to: it is called like the assignment, with or
 * without the number, or it is the only one; where there is none, a new one behind the last. */
int column_for_grades(struct book *book, const char *file, int from,
                      const struct platform *platform);

/* Its first columns up to `last`, and another one, or NOWHERE; one that it does not have is new,
 * with `title`. `cell` says what stands in a row's other column, or without one in any, if not
 * NULL; entry: NULL where the row's person has no grade. */
void write_own(struct book *book, const char *file, int last, int other, const char *title,
               const char *(*cell)(const struct book *book, const struct entry *entry,
                                   const struct json *row, int column));

/* If a platform says another maximum than ours. */
void compare_total(struct book *book, const char *said, const char *platform);
