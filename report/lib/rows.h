/* Rows: the records that count, with what others of their submission know, and what is computed of
 * them. Views read rows, and nothing else reads records.
 *
 *     struct rows rows = {.flagged = true};
 *     read_rows(&rows, path);      // of several files one after the other
 *     finish_rows(&rows);
 *     for (size_t i = 0; i < rows.count; i++)
 *         use(rows.row[i]);
 *     return rows.status;          // 2 where a line was no record
 *
 * Text is never NULL; a number that was not measured is NAN, and compares as false with anything.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "record/fields.h"
#include "text.h"

struct row {
    /* The record. What it does not know of its input, device, roof and reference it has from
     * others. `bytes` has written_bytes in it; device, build and counted are never NULL. Where it
     * has no speed, it has no figures of one. */
    struct record_fields r;
    struct device_fields device; /* of this row; r.device points to it, r.build to build, ... */
    struct build_fields build;
    struct counted_fields counted;
    const char *file; /* as it was given to read_rows(): the pointer tells files apart, too */
    size_t line;
    bool counts; /* a later record of the same does not */
    bool success;
    const char *title, *idea; /* of its step; whether that is in it, by its counters (idea.h) */
    double elements, faults, remarks;
    double seconds, us, us_low, us_high; /* of 1000 calls; of one call, with its interval */
    double predicted_us, predicted_low_us, predicted_high_us;
    double speedup, reference; /* seconds of 1000 calls */
    double roof_speedup, spec_speedup;
    /* Latency, a call that is waited for: its time, the share that the fastest read takes which is
     * waited for, and the speedup by it. All other times are of calls queued back to back. */
    double synced_us, synced_fraction, synced_speedup;
    double joules, watts, idle_watts;
    double gtx680_seconds, gtx680_speedup;
};

struct rows {
    bool all;         /* those that do not count, too */
    bool flagged;     /* a flagged record has a speed, too */
    bool newest;      /* files of several gradings: the later `when` counts, and sizes differ */
    bool skip_broken; /* be silent about lines that are no records */
    bool quiet;       /* say nothing of what is wrong with lines: it was said before */

    struct row **row;
    size_t count;
    int status;
    size_t records, broken; /* lines */
    struct map latest;
};

void read_rows(struct rows *rows, const char *path);
void finish_rows(struct rows *rows);

/* Prints them as tab-separated values: report/rows. */
void print_rows(const struct rows *rows);

/* A text as it stands there: on one line, and nothing in it that printable() would take out. */
const char *row_text(const char *text);
/* What it prints in a column; "" of no row, and where there is no such column. */
const char *cell_of(const struct row *row, const char *column);
/* A text as it is, or a number: a column whose name is so long. */
const char *key_part(const struct row *row, const char *column, size_t length);

/* ---- what views ask --------------------------------------------------------------------------- */

bool is_step(const struct row *row);
bool is_kernel(const struct row *row); /* what it computes is nobody's business */
bool is_cpu(const struct row *row);
bool has_verdict(const struct row *row, const char *word);
bool lacks_idea(const struct row *row); /* as far as its counters tell */

/* Its step's name; of a baseline that uses CUB with its version. */
const char *step_shown(const struct row *row);
const char *verdict_shown(const struct row *row); /* "wrong, intended" */
/* Whether the step's file in LABS is still the source that this row is of. */
bool is_of_this_source(const struct row *row);
/* The newest, but one of what the file holds now before one of what it held once; NULL is last. */
bool tells_more(const struct row *row, const struct row *held);
bool is_older(const struct row *a, const struct row *b); /* NULL was recorded first */
const char *gpu_of(const struct row *row); /* two of the same name may stand in one machine */

/* The record itself, as it stands in its file; `files` holds those that were read. */
const char *record_of(struct map *files, const struct row *row);

/* A list of rows, such as those of one table. */
struct list {
    struct row **row;
    size_t count;
};
void list_row(struct list *list, struct row *row);

/* foreach (row, &list): each of a list, or of rows, in turn. */
#define foreach(one, list)                                                                         \
    for (struct row **at_##one = (list)->row, *one;                                                \
         at_##one && at_##one < &(list)->row[(list)->count] && (one = *at_##one); at_##one++)

struct list all_rows(const struct rows *rows);

/* "submission|problem|...": what tells rows apart, by names of columns with blanks between. */
const char *key_of(const struct row *row, const char *columns);

/* By these columns, then steps before baselines, each by name: the ladder's order. */
void sort_rows(struct list *list, const char *columns);

/* Of each key a list, in the order in which they come. */
struct lists {
    struct list *list;
    size_t count;
};
struct lists group_rows(const struct list *list, const char *columns);

/* The first of the list that knows it: a text or a number of a row. */
#define FIRST(list, field) first_number(list, offsetof(struct row, field))
#define FIRST_TEXT(list, field) first_word(list, offsetof(struct row, field))
double number_at(const struct row *row, size_t offset);
double first_number(const struct list *list, size_t offset);
const char *first_word(const struct list *list, size_t offset);
