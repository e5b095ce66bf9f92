/* A sentence that is put together piece by piece. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/* Adds to the text, which ends within `size` bytes, as far as there is room. */
void text_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Up to its end, or so many bytes: what a terminal does not show as it stands becomes a '?'. */
void text_clean(char *text, size_t size);

#endif
