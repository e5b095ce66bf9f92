/* Which elements of its input a wrong call has read, in words: no guess, but what the checked build
 * has counted (emulator/findings/reads.h). */
#ifndef READING_H
#define READING_H

#include <stddef.h>

#include "reads.h"
#include "problem.h"

enum reading {
    READING_UNKNOWN, /* nothing was counted; and no text */
    READING_ONCE,    /* each element once: what is wrong comes later */
    READING_ODD,     /* some were never read, or more than once */
};

/* What a runner has noted may be anything: names of arrays become lines. */
void reads_clean(struct reads *reads);

/* Of a call with an input of that shape; NULL: nothing was counted. `once`: that an element is read
 * again is a mistake, as it is where each counts once. The text is a sentence or two,
 * with the lines of the program that was run, and with `then` where each element was read once:
 * what came of it, as adding.h tells. */
enum reading reading_describe(const struct reads *reads, struct shape shape, const char *element,
                              size_t element_bytes, bool once, const char *program,
                              const char *then, char *text, size_t text_size);

/* Those of all elements whose times are 0, such as "The last 3 pixels are". */
void reading_name_missing(const struct element_reads *of, struct shape shape, const char *element,
                          char *text, size_t text_size);

#endif
