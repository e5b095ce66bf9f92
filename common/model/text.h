/* Reading the model's files: text, a line at a time, fields separated by one blank. The first thing
 * that is wrong is kept as one line, "NAME:LINE: what was expected"; from then on every call fails.
 */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_FIELD = 64 };

struct text {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    const char *line_end; /* of the line that is read now */
    unsigned line;
    bool failed;
    char error[256];
};

/* All bytes of a stream, in memory that the caller frees; NULL, with a message in error, if it
 * cannot be read or has more than `most` bytes. */
char *text_of(FILE *file, const char *name, size_t most, size_t *size, char *error,
              size_t error_size);

void text_begin(struct text *text, const char *name, const char *data, size_t size);

/* Go to the next line; false at the end of the text, or if anything has failed. */
bool text_line(struct text *text);

/* The next field of the line, "" if there is none. It is overwritten by the next call. A field that
 * is longer than TEXT_FIELD - 1 is a failure. */
bool text_field(struct text *text, char field[TEXT_FIELD]);

/* The rest of the line, with what is no printable ASCII made '?'. Cut to size - 1 characters. */
bool text_rest(struct text *text, char *rest, size_t size);

/* Whether anything is left on the line. */
bool text_more(const struct text *text);

/* The line must end here. */
bool text_end_of_line(struct text *text);

/* The next field as a number from low to high; what: its name in messages. */
bool text_count(struct text *text, const char *what, uint64_t high, uint64_t *number);
bool text_hex(struct text *text, const char *what, uint64_t high, uint64_t *number);
bool text_real(struct text *text, const char *what, double low, double high, double *number);

/* The same, of a number that an unsigned holds. */
bool text_small(struct text *text, const char *what, uint64_t high, unsigned *number);

/* An array with room for one more than its `count` elements: it doubles at powers of two. NULL,
 * with a failure, if there is no memory. */
void *text_grown(struct text *text, void *array, size_t count, size_t element);

/* The same in place; its function returns false if there is no memory. */
#define TEXT_GROW(text, array, count)                                                              \
    do {                                                                                           \
        void *grown = text_grown(text, array, count, sizeof *(array));                             \
        if (!grown)                                                                                \
            return false;                                                                          \
        (array) = grown;                                                                           \
    } while (0)

/* Keep this message, if it is the first; returns false. */
bool text_fail(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
