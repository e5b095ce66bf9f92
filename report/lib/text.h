/* Texts, and numbers as people read them. A text is bytes, and so UTF-8; what is made here stays
 * until the program ends, which is soon. A number that was not measured is NAN. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "keep.h"

/* The command that a person has typed: ENVIRON PROGRAM, else what this program is usually for. */
extern const char *usual_program;
const char *program(void);
__attribute__((noreturn)) void give_up(int status, const char *what); /* says it after that name */

/* As printf() has it. */
__attribute__((format(printf, 1, 2))) char *say(const char *format, ...);

/* A text that grows; `bytes` is NULL before the first add(). */
struct text {
    char *bytes;
    size_t length, room;
};
__attribute__((format(printf, 2, 3))) void add(struct text *text, const char *format, ...);
void add_bytes(struct text *text, const char *bytes, size_t length);
const char *bytes_of(const struct text *text); /* "" where nothing was added */

/* A file, which may be compressed: X.gz. close_reading says whether it was whole. */
FILE *open_reading(const char *path, bool *packed);
bool close_reading(FILE *file, bool packed);

/* The whole file, with a blank for each NUL in it; NULL where there is none. */
char *file_text(const char *path);

/* Puts the text into the file; where that cannot be written, it says so and ends the program. */
void write_file(const char *path, const char *text);

/* The lines of a text, without their ends, as they are; the last one is NULL. NULL has none. */
const char **lines_in(const char *text);
const char **lines_of_file(const char *path);
size_t count_lines(const char **lines);

const char *setting(const char *name); /* in the environment; "" where there is none */
const char *otherwise(const char *text, const char *other); /* the other in place of "" */

bool shows_colour(void); /* whether it is a terminal whose user wants colours */

/* Where it finds a key again: find(&map, key) is a place for what belongs to it, NULL at first. */
struct map {
    struct map_entry *entry;
    size_t count, room;
};
void **find(struct map *map, const char *key);
void *found(struct map *map, const char *key, size_t size); /* as many bytes, zeros at first */
bool is_new(struct map *map, const char *key); /* whether it is asked for the first time */

/* Sorts pointers; equal ones keep their order. */
void sort_stably(void *list, size_t count, int (*compare)(const void *, const void *));
void sort_texts(const char **list, size_t count);

/* ---- what may be shown ------------------------------------------------------------------------ */

/* Whatever a step, a submission or a file says passes through here: on one line, a run of control
 * characters is a blank; what is no UTF-8, and what nobody sees or a terminal obeys, is a ?.
 * printable_lines() leaves tabs and line breaks. */
const char *printable(const char *text);
const char *printable_lines(const char *text);
const char *printable_with_marks(const char *text); /* of page.h, and of nothing else */

/* ---- width ------------------------------------------------------------------------------------ */

size_t width(const char *text); /* in characters; marks of page.h take no room */
const char *pad(const char *text, size_t columns);
const char *lpad(const char *text, size_t columns);
const char *leading(const char *text, size_t columns); /* its first characters */
const char *clip(const char *text, size_t columns);    /* printable, with ~ where it was cut */
const char *wrapped(const char *text, const char *indent, size_t columns);
const char *repeated(const char *text, size_t count);
const char *base_name(const char *path);
const char *beside(const char *path, const char *name); /* in the same directory */

size_t words_in(const char *text);
const char *first_sentences(const char *text, size_t words); /* with so many; at least one */

bool same(const char *a, const char *b);
bool begins_with(const char *text, const char *beginning);
bool is_one_of(const char *word, const char *words);                      /* "pass flagged" */
const char *replaced(const char *text, const char *from, const char *to); /* everywhere */
const char *in_small(const char *text);                                   /* letters of ASCII */
const char *slug(const char *text); /* for a file or an address: "NVIDIA H200" is nvidia-h200 */

struct words {
    const char **word;
    size_t count;
};
void add_word(struct words *words, const char *word);
struct words words_of(const char *text); /* with blanks or line breaks between them */
/* With one of those characters between them; they may be empty. */
struct words pieces_of(const char *text, const char *between);
const char *word_of(const struct words *words, size_t at); /* "" where there is none */
/* Those from `first` to before `end`, with blanks between. */
const char *joined(const struct words *words, size_t first, size_t end);

/* An extended regular expression; the text without what is like it. */
bool matches(const char *text, const char *pattern);
const char *without(const char *text, const char *pattern);

/* The letters to insert, delete or replace to turn one into the other (Levenshtein, 1966). */
size_t distance(const char *a, const char *b);

/* Of the names those nearest to the word: "; did you mean a or b?", "" where none is near. */
const char *did_you_mean(const char *word, const char *const *name, size_t count);

/* ---- numbers ---------------------------------------------------------------------------------- */

/* So many significant digits, never an exponent: 0.01540, 7720. "-" where not measured. */
const char *significant(double value, int digits);
const char *with_unit(double value, int digits, const char *unit); /* "12.5x" */
const char *percent(double fraction);    /* one decimal, or two digits where it is small; no sign */
const char *number_or_nan(double value); /* for gnuplot, R and spreadsheets */
const char *text_for_gnuplot(const char *text); /* "-" is none */
const char *plain_number(double value);         /* with the digits it has; "" where not measured */
const char *plural(double count, const char *what);
const char *where_known(double value, const char *text); /* "" where it was not measured */
double ratio_of(double a, double b);                     /* NAN where b is 0 */
double known(double value);                              /* 0 where not measured */
void sort_numbers(double *list, size_t count);
double quantile(const double *sorted, size_t count, double q); /* 0.5 is the median */
