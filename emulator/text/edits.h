/* Changes of a text that are noted while it is read, and made at the end. */
#pragma once
#include "text.h"

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
