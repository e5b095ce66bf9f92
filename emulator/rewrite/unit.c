#include "parts.h"

#include <stdio.h>
#include <stdlib.h>

void names_add(struct names *names, struct declared name) {
    names->list = grow(names->list, names->count, &names->room, sizeof *names->list);
    names->list[names->count++] = name;
}

bool names_have(const struct names *names, const struct token *t) {
    for (size_t i = 0; i < names->count; i++)
        if (same(t, names->list[i].name))
            return true;
    return false;
}

void complain(struct unit *u, const char *where, const char *format, ...) {
    FORMATTED(text, format);
    struct text quoted = {0};
    for (const char *p = text; *p; p++)
        text_print(&quoted, *p == '"' ? "\\\\\\%c" : "%c", *p);
    change(u, where, 0, "_Pragma(\"GCC error \\\"%s\\\"\") ", quoted.at);
}

void fail(struct unit *u, int line, const char *format, ...) {
    va_list arguments;
    fputs(u->notes.at ? u->notes.at : "", stderr);
    fprintf(stderr, "%s:%d: error: ", u->file->path, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}
