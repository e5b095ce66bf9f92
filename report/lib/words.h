/* What of a step is shown: the words of its step.md, below the header, section by section; and its
 * source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct section {
    const char *title; /* "## What we saw"; "" for what stands before any title */
    const char *text;  /* whole lines; headings in it are one level down */
};
const struct section *read_sections(const char *path, size_t *count);
const char *text_below(const char *path, const char *title); /* "" where there is no such title */

/* Whether there are words in it: comments are none, nor is what `make new` writes, in brackets, for
 * somebody to replace. */
bool is_written(const char *text);

/* ---- its source ------------------------------------------------------------------------------- */

/* What is not the step itself in its source. In the instructor's tree these are comments of a line
 * that mark what a student is to write, with a few words that remain in the starter:
 *
 *     BEGIN SOLUTION: clear the counts, then launch both kernels
 *     END SOLUTION
 *
 * (course tools such as nbgrader know the two words). In a starter it is its first comment, "Task",
 * which comes from the step's step.md. Whatever shows a source leaves both out. */
enum source_line { OF_STEP, BEGINS_SOLUTION, ENDS_SOLUTION, OF_TASK };

/* To be asked for each line in turn; in_task is false for a file's first one. */
enum source_line what_line_is(const char *line, bool *in_task);

/* The lines of a file that are the step itself, or marks of its solution if `marked`; the last one
 * is NULL. */
const char **source_lines(const char *path, bool marked);
