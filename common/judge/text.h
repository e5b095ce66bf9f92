/* A sentence that is put together piece by piece. */
#pragma once

#include <stddef.h>

/* Where it stands, and how many bytes it may have with its end. */
struct sentence {
    char *at;
    size_t size;
};

#define TEXT(array) ((struct sentence){array, sizeof array})

/* Adds to the text as far as there is room. */
void text_add(struct sentence text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A further sentence, if there is one. */
void text_sentence(struct sentence text, const char *sentence);

/* The sentence that stands there begins with a capital. */
void text_begin_sentence(struct sentence text, size_t at);

/* What stands between the text and a further sentence: nothing where it is empty. */
static inline const char *text_gap(struct sentence text) { return text.at[0] ? " " : ""; }

/* Up to its end, or so many bytes: what a terminal does not show as it stands becomes a '?'. */
void text_clean(char *text, size_t size);
