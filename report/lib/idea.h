/* Whether a step's idea is in it, as far as its counters tell. It changes no verdict; a rubric may
 * give points for it. What is demanded stands in the header of step.md, one line each:
 *
 *     counters: FIGURE OP VALUE
 *
 * OP is >=, <=, >, < or =. VALUE is a number, a number with %, or a multiple of the GPU's
 * multiprocessors: `multiprocessors`, `2 * multiprocessors`. labs/README.md says what the figures
 * are. A figure is of the kernel that reads the input, or of the whole call. */
#pragma once

#include <stdbool.h>

struct row;

struct demand {
    const struct figure *figure;
    const char *op;
    double value;
    bool multiple; /* of the multiprocessors */
};

/* Whether the text is a demand. */
bool parse_demand(const char *text, struct demand *demand);

/* "" where nothing is demanded or nothing was counted, "there" where all that is demanded is so, or
 * what is missing, as words that follow the step's name: "asks for at least 132 blocks, but
 * histogram has 1 (line 41)". */
const char *idea_of(const struct row *row);

/* A kernel's name as the student wrote it: without parameters, or what the compiler adds. */
const char *launch_name(const char *kernel);
