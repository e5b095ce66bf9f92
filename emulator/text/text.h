/* Memory that is there or ends the program, and texts that grow. Nothing is given back: the front
 * end reads one file and ends, and the driver has a process for each file. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *at; /* ends in a zero byte as soon as there is any */
    size_t size, room;
};

void *need(void *memory); /* what malloc and its like returned */

/* An array of elements of `size` bytes with room for one more than `count`. */
void *grow(void *array, size_t count, size_t *room, size_t size);

void text_add(struct text *text, const char *from, size_t size);
void text_put(struct text *text, const char *string);
__attribute__((format(printf, 2, 3))) void text_print(struct text *text, const char *format, ...);

/* The whole file, a text without its end where it cannot be read: *ok tells. */
struct text text_read(const char *path, bool *ok);
bool text_write(const char *path, const char *at, size_t size);

__attribute__((format(printf, 1, 2))) char *format_text(const char *format, ...);
char *format_list(const char *format, va_list arguments);
/* A variable with the text of the arguments that follow `format`. */
#define FORMATTED(text, format)                                                                    \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    char *text = format_list(format, arguments);                                                   \
    va_end(arguments)
const char *next_line(const char *line);
const char *base_name(const char *path);
bool ends_in(const char *text, const char *ending);
bool begins_with(const char *text, const char *beginning);
bool begins_with_any(const char *text, const char *beginnings); /* with blanks between them */

/* ---- changes of a text that are noted while it is read, and made at the end --------------- */

/* Text to put before a place, or in place of what is removed there. */
struct edit {
    const char *at;
    size_t removed;
    char *text;
    size_t order; /* of edits at the same place */
};

struct edits {
    struct edit *list;
    size_t count, room;
};

__attribute__((format(printf, 4, 5))) void edit(struct edits *edits, const char *at, size_t removed,
                                                const char *format, ...);

/* Adds to `to` what the `size` characters at `from` become. The lines of what is removed stay, and
 * a macro's lines stay together. Forgets the edits. */
void edits_make(struct edits *edits, const char *from, size_t size, struct text *to);
