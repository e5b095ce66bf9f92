/* A step's source: what of it is shown, and whether it is the one that was measured. */
#pragma once

#include <stdbool.h>

const char *sha256(const char *text); /* in 64 hexadecimal digits */

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

/* The sha256 of a file, as it is and without the lines that mark a solution; "" where it cannot be
 * read. */
struct sums {
    const char *whole, *unmarked;
};
struct sums sums_of(const char *path);
/* Either: marks of a solution do not affect what is measured. */
bool has_sum(const struct sums *sums, const char *sum);
