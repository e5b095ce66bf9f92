/* Lines of a preprocessed text. A line marker, # 12 "FILE" 1 3, names the file of the next line. */
#pragma once
#include "text.h"

struct marker {
    int line;
    const char *file;
    size_t length;
    bool begins, ends, system; /* 1: an include begins, 2: it has ended, 3: of the system */
};

/* False: the line is none. */
bool read_marker(const char *line, struct marker *marker);

/* The directory of the first .cu file that the text names, with its slash; NULL: there is none. */
char *source_directory(const struct text *text);
/* Whether it names a file there, and not in a folder below. */
bool is_beside(const struct marker *marker, const char *directory);

/* The line with copies as functions, which are watched, in place of the compiler's own. */
void write_watched(struct text *out, const char *line);
