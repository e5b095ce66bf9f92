/* From an author's source to the text that all builds compile. Because the text is the same, no
 * macro, header or clock can make it another one in the checked build. */
#pragma once
#include "process.h"

struct source {
    const char *path;      /* FILE.cu; of a program also FILE.cpp or FILE.c */
    bool program;          /* of somebody's own, which nobody grades */
    bool older;            /* for a toolkit before CUDA 13 */
    bool relaxed;          /* what is constexpr is of both sides */
    const char *libraries; /* headers that only programs may include */
    struct command
        compiler; /* with its flags. The last directory of headers among them is a step's own. */
    const char *base;    /* of the files below */
    const char *targets; /* what make calls what is made of it; NULL: BASE.ii */
};

/* Writes, beside each other,
 *   BASE.cpp     what only nvcc understands rewritten
 *   BASE.ii      preprocessed, with the flags of the plain build
 *   BASE.d       the headers that it depends on, for make
 *   BASE.flags   of a step, lines of evidence
 *   BASE.headers/   of a program, the headers that were rewritten
 * What is to be said goes to stderr. Returns whether there is a BASE.ii: else there are errors. */
bool preprocess(const struct source *source);
