/* The table of all that the judge can be told: each name's help, check and place, once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

struct given;

struct option {
    const char *name;
    const char *value; /* what the help calls it; NULL: the option is a flag and takes none */
    bool in_run;       /* the run file may have it, too */

    /* Checks a value and puts it in its place. Ends the judge where it is wrong. */
    void (*set)(const struct given *given);

    size_t place;         /* in struct options */
    uint64_t least, most; /* of a number; one that need not be whole has no least */
    const char *help;     /* lines */
};

/* What an option was given. `where` is how an error begins: "--size" or "results/run:3: size". */
struct given {
    const struct option *option;
    const char *value, *where;
    void *place;
};

/* The entry after the last has no name. */
extern const struct option options_known[];

/* The option whose name is the first `length` bytes of `name`; NULL if there is none. */
const struct option *option_named(const char *name, size_t length);

/* Give it a value, NULL for none. The value has to live as long as the options. */
void option_set(const struct option *option, const char *value, struct options *options,
                const char *where);

/* "4096x3984", or for a plain array "1000000". False where the text is neither; what is more than
 * a size_t holds is SIZE_MAX. */
bool shape_read(const char *text, struct shape *shape);

/* common/lab.h promises a step no input of more elements than the graded size, rounded up to a
 * power of two: 2^bits. Is a shape of that many at most, and its rows and columns each? */
int shape_most_bits(void);
bool shape_small_enough(struct shape shape);

/* Was it given, in the run file or on the command line? */
bool option_given(const struct options *options, const char *name);
