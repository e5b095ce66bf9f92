/* people.tsv, who stands behind a submission: ../README.md names its columns. Texts in it
 * are of others: printable() before they are shown. Without the file, a submission's name stands
 * for its person's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lines.h"

struct person {
    const struct words *columns; /* their names; NULL behind the last person */
    struct words cells;
};

struct people {
    struct person *one; /* also of who handed in nothing */
    size_t count;
    bool hidden; /* until grades are final no page says who is who */
};

struct people read_people(const char *path);

const char *person_cell(const struct person *person, const char *column);
bool is_in(const struct person *person, const char *submission);
size_t people_in(const struct people *people, const char *submission);

/* What a person has to look at of one, as a line for the command `program`; "" for nothing. */
const char *unmatched_line(const char *program, const struct person *person);

/* Of a group, all that differ with ", " between. The column `name` is never empty. */
const char *people_cell(const struct people *people, const char *submission, const char *column);

/* Whether a text, in small letters, is the submission's name, or what is known of one of its
 * people; what is known of that person. A group's name stands for each of its people. */
bool names_submission(const struct people *people, const char *text, const char *submission);
bool names_person(const struct people *people, const struct person *person, const char *text);
