/* Points, from records, the rubric, the assignment and a person's decisions on flags.
 * ../README.md has the rules. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "amount.h"
#include "assignment.h"
#include "late.h"
#include "lib/rows.h"
#include "people.h"
#include "rubric.h"

/* What is known of this project's own version of a step, on any device. */
struct own_version {
    const char *intended;    /* NULL: there is none */
    const struct row *where; /* its record on some device, the latest */
    bool passed, timed, predicted, has_idea;
    bool counted; /* DIR/counted has it */
};

/* What one step of a submission is worth. Texts are "" and numbers NAN where there is none. */
struct grade {
    const struct row *row;    /* the record that counts; NULL: no record yet */
    const struct row *ours;   /* of this project's own version, which it is compared with */
    const struct row *before; /* the same of the step that this one builds on; or NULL */
    const struct own_version *own;
    const char *own_verdict; /* on the same device; "" where it succeeded, or never ran there */
    const char *submission, *step, *intended, *verdict;
    double ratio;      /* its time over ours; of predicted times where `basis` says so */
    const char *lacks; /* of its idea, by its counters; "there", or "" for unknown */
    const char *basis; /* "predicted" where the points for speed come of these */
    amount correct, correct_max, speed, speed_max, idea, idea_max;
    amount adjusted;               /* by a person, up or down */
    const amount *worth;           /* by the rubric */
    const char *decision, *reason; /* a person's, on the flag: clear, confirm */
    const char *how;               /* how the points came about, in words */
    const char *left_out;          /* why the step counts for nothing; then its maximum is 0 */
    const char
        *pending; /* why nobody knows yet what it is worth; its maximum counts all the same */
};

struct submission {
    const char *name;
    struct grade *grade; /* of each of the class's steps; the last has no step */
    struct lateness late;
    amount total, total_max;  /* before lateness, in the rubric's points */
    size_t pending, counting; /* steps; if any is pending the total is not final */
    size_t predicted;         /* steps with points for predicted speed, and these points */
    amount predicted_total;
};

struct class {
    struct assignment *assignment;
    struct rubric rubric;
    struct people people;
    const char **step; /* ladder by ladder */
    size_t steps;
    struct submission *submission; /* by name; the last has none */
    size_t submissions;
    struct list own;   /* the records of this project's own versions */
    amount full_marks; /* the largest total_max */
    int status;        /* 2 where a line was no record */
};

/* Sets what follows from the record, ours, worth and decision. */
void grade_step(struct grade *grade);

/* Of a folder's results.jsonl, by the assignment in ENVIRON ASSIGNMENT. ENVIRON RUBRIC and FLAGS
 * may name other files. */
struct class read_class(const char *results);

/* The assignment's rubric, or class/rubric; ENVIRON RUBRIC goes before both. */
struct rubric rubric_of(const struct assignment *assignment);

const char *times(double ratio); /* "1.20"; "-" where there is none */

/* As far as anybody knows: a flag counts against it until a person has cleared it. */
bool is_right(const struct grade *grade);

/* From which ratio on there are no points for speed; NAN where speed tells nothing apart, since
 * this project's own version is hardly faster than that of the step before. */
double no_speed_from(const struct grade *grade);

amount points_of(const struct grade *grade);
amount maximum_of(const struct grade *grade);

/* Out of how many points grades are: the assignment's total, or the class's largest maximum. */
amount grade_total(const struct class *class);

/* The share of its maximum that a submission has, of that total, less so many per cent. */
bool has_grade(const struct submission *one);
amount grade_less(const struct class *class, const struct submission *one, amount percent);
amount grade_of(const struct class *class, const struct submission *one); /* less lateness */
