/* A step's source: what of it is shown. */
#pragma once

#include <stdbool.h>

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
