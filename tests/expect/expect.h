/* clang-format off */
/* What must come out of the cases of tests/changes/, and whether it did. A case is a change of a
 * step (tests/variants/changes.h) whose first lines say, of a mistake:
 *
 *     cpu VERDICTS [PATTERN]     one of these verdicts (wrong|nondeterministic), and a detail that
 *     gpu VERDICTS [PATTERN]     matches the extended regular expression, which may hold spaces
 *     diagnosis PATTERN          the diagnosis matches it; "none" is that of a record without one.
 *                                Not compared on a GPU, which does not see what a thread did
 *
 * and of what the checked build must find in a step, or must not:
 *
 *     finds race-in-block   a FAULT of emulator/findings/hazards.def, or several with | between them, each of which
 *                           would be right; `nothing` for a step that is right but looks wrong
 *     at partial[value]++;  a line of the made file, which stands there once: one or two that the report must name, in
 *                           any order. Blanks at a line's ends do not count
 *     array partial         what the report's array must contain: a variable's name, also of what was allocated into
 *                           it, `dynamic shared memory`, `the input` or `the output`
 *     remark look-before-atomic   a REMARK that must be told. A right step may have no other
 *
 * A case may say both. Of any case:
 *
 *     gcc REASON                   clang does not show it on the cpu device: it is skipped there
 *     run long                     only tests/run --long runs it: another case proves as much
 *     sandbox yes                  it would harm the judge: it runs in class/isolate, or not at all
 *
 * Of a wrong step one and the same hazard must have the right kind, lines and array. Faults of
 * other kinds may be told beside it: where one thing is wrong, more go wrong after it. */
/* clang-format on */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdbool.h>
#include <stdio.h>

#include "../variants/changes.h"

enum device { CPU, GPU };

/* The folder where make puts the whole file of a case: build/changes/STEM/NAME. */
void case_folder(const struct changes *changes, const struct change *change, char *path,
                 size_t size);

/* A mistake has verdicts for each device; a hazard says what is found on the cpu device. */
bool is_mistake(const struct change *change);
bool is_hazard(const struct change *change);

/* A fault or a remark of emulator/findings/hazards.def: how bad, or NULL. */
const char *severity_of(const char *kind, size_t length);

/* `kind` is one of those that stand in `kinds` with | between them. */
bool is_one_of(const char *kind, const char *kinds);

/* Prints what is wrong with how the cases are written. 0 nothing is, 1 something. */
int check_changes(const struct changes *changes);

/* Which cases are wanted: those that each run of the tests has, all, or the first of each verdict
 * and of each kind of hazard. */
enum choice { USUAL, ALL, QUICK };

/* What has been listed: verdicts and kinds, as the cases name them. */
struct kinds {
    const char *kind[100];
    size_t count;
};

/* Prints a line for each case that is wanted. `seen` goes from file to file. */
void list_cases(const struct changes *changes, enum device device, enum choice choice,
                struct kinds *seen);

/* What all compared cases came to. */
struct marks {
    int wrong, found, kind, lines, array, others; /* of wrong steps of which a hazard is expected */
    int right, alarms;                            /* of right ones */
    int mistakes, diagnosed, by_hazard, by_verdict;
    int failed;
};

/* Those cases that ran: DIRECTORY/NAME.status has the judge's exit status, NAME.jsonl its record.
 */
void compare_cases(const struct changes *changes, enum device device, const char *directory,
                   struct marks *marks);

/* Prints the table of what a GPU and compute-sanitizer did with the hazards, in Markdown. `results`
 * is the text of tests/changes/gpu.tsv or of a file like it. `compared` is what compare_cases
 * printed, or NULL; it is cut up. */
void print_table(const struct changes *changes, size_t count, const char *results, char *compared);

#endif
