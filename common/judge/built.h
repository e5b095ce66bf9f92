/* The directory of what was built of one step, as the Makefile makes it: runner, build.log,
 * evidence; on the cpu device also runner-checked, and where the step is to be
 * counted runner-counted and counted.log. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "verdict.h"

struct built {
    const char *directory;
    char runner[PATH_MAX];
    char check_runner[PATH_MAX];   /* for the check that comes first: the runner itself, if there is
                                      no other */
    char counted_runner[PATH_MAX]; /* empty if there is none */
};

/* What is in there. False where a runner is missing: `checked` says that there must be two. */
bool built_find(struct built *built, const char *directory, bool checked);

/* What the compiler said goes to `log` (NULL: nowhere), and where the build failed its first error
 * into the verdict's detail (NULL: it was built, and there may be warnings). */
void built_explain(const char *directory, const char *log, struct verdict *verdict);

/* What common/contract/evidence.h found, a line each: all of it goes to `log` (NULL: nowhere), and
 * what is flagged into `flagged`, empty where nothing is. */
void built_evidence(const char *directory, const char *log, char *flagged, size_t flagged_size);

/* Whether the step's own text, as the preprocessor left it, has the name: `float`, say. */
bool built_uses(const char *directory, const char *name);

/* Add a text to a log; a fault of the harness where it cannot be written. */
void log_add(const char *log, const char *text, size_t bytes);
