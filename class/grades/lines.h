/* What an instructor writes, in lines of words. */
#pragma once

#include <stdbool.h>

#include "lib/text.h"

/* "FILE:LINE: what": grades from half of a file would be wrong for everybody. */
__attribute__((noreturn)) void bad_line(const char *where, const char *what);
void remark(const char *where, const char *what); /* the same, and goes on */

bool is_readable(const char *path); /* a file */

/* The lines of a file that say something, without comments, blanks at their ends and what Windows
 * writes; the last has no text. */
struct plain_line {
    const char *where, *text;
};
const struct plain_line *plain_lines(const char *path);
