/* The words of a step.md: what stands below its header, section by section. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct section {
    const char *title; /* "## What we saw"; "" for what stands before any title */
    const char *text;  /* whole lines; headings in it are one level down */
};
/* Reads `most` lines, 0 for all; where there are more, the last text says so. */
const struct section *read_sections(const char *path, size_t most, size_t *count);
const char *text_below(const char *path, const char *title); /* "" where there is no such title */

const char *without_comments(const char *text);

/* Whether there are words in it: comments are none, nor is what `make new` writes, in brackets, for
 * somebody to replace. */
bool is_written(const char *text);
