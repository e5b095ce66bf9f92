/* What the symbols of an object are called, and which of them other objects see. */
#pragma once
#include "object.h"

struct renames {
    struct rename {
        const char *from, *to;
    } * list;
    size_t count, room;
};

void renames_add(struct renames *renames, const char *from, const char *to);

/* Rewrites the object at `path`: each symbol of these names gets another one, and what the object
 * refers to by a name that it defines itself becomes that. Where `stays` is given, what it does not
 * say true of is seen in no other object any more; but for what C++ has only one of in a program,
 * such as inline variables. False: it cannot be read or written, or has too many sections. */
typedef bool stays_global(const char *name, const char *section, const void *data);
struct symbol_changes {
    const struct renames *renames;
    stays_global *stays;
    const void *data;
};
bool symbols_change(const char *path, const struct symbol_changes *changes);

/* Writes `bytes` over those that a section of the object has. False: it is not of that size. */
bool section_fill(const char *path, const char *section, const void *bytes, size_t size);
