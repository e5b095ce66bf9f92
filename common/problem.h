/* What the judge must know of a problem.
 *
 * A problem is one directory, problems/<function>/. Its problem.c defines the `problem` below and
 * is linked into the judge of that function; its call.c calls a step's three functions and is
 * linked into the step's runner. Nothing lists the problems: a step's file name says which one it
 * solves.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The input of one call: rows x columns elements, row-major and dense. A plain array of n elements
 * has n rows of one column. Either may be zero. */
struct shape {
    size_t rows, columns;
};

/* A strip: the memory that the inputs of many calls are cut from. It has `regions` of
 * `region_rows` rows each, and every region offers `positions` windows, `align_rows` apart, so that
 * each window starts on a 128-byte boundary. Windows of different regions never overlap. */
struct strip {
    struct shape window; /* the input of one call */
    size_t regions, positions;
    size_t align_rows, region_rows;
    size_t element_bytes;
    void *elements; /* regions * region_rows * window.columns elements */
};

struct input {
    const char *name;

    /* How many rows apart windows have to start for their answers to differ: 1 where any row is as
     * good, 0 where only the start of a region is a window. */
    size_t slide;

    /* Fill the whole strip. The same seed gives the same strip. */
    void (*fill)(struct strip *strip, uint64_t seed);

    /* Draw an element that may take any other's place, and that changes the answer of a window it
     * is put into, at least more often than not. NULL where the input has to stay as it is. */
    void (*salt)(const struct strip *strip, uint64_t *random, void *element);

    /* A right answer is possible without reading every element. */
    bool early_exit;
};

/* A solution on the CPU. */
struct solution {
    const char *name; /* of its record: "reference" */
    void (*solve)(const void *window, struct shape shape, void *output);
};

/* Another way to choose an element's bin that people take for the right one, and what to tell them:
 * a sentence or two. */
struct mistake {
    size_t (*bin_of)(const void *element);
    const char *text;
};

/* Of a problem whose outputs are counts: what it takes to count a window in other ways, which tells
 * a mistake by what it gives. */
struct counting {
    size_t bins, bin_bytes;                /* of an output: 1 or 4 bytes a bin */
    uint32_t most;                         /* a count stops here */
    size_t (*bin_of)(const void *element); /* `bins` or more: counted in none */
    const struct mistake *mistakes;        /* one without a text ends them; NULL for none */
};

/* The same of a problem whose output is one float, the sum of an input of floats: the exact sum,
 * and how far from it still is right. */
struct summing {
    double (*sum)(const void *expected), (*slack)(const void *expected);
};

struct problem {
    const char *function;   /* "opt_2dhisto" */
    const char *title;      /* for people: "saturating 2-D histogram" */
    struct shape shape;     /* the graded size */
    struct shape cpu_shape; /* the same on the cpu device, where every call is emulated */

    /* A small trial of awkward size and content comes before the timed one. */
    struct shape check_shape;
    const char *check_input;

    const struct input *inputs; /* the graded one first, one without a name last */
    size_t element_bytes;       /* of one element of the input */
    size_t output_bytes;        /* of one call's output */
    size_t expected_bytes;      /* of what expect() writes: where outputs are exact, output_bytes */

    /* Read an input file: its shape, and its elements in memory that the caller frees. On failure
     * false, with one line in `error`. NULL where a problem has no files. */
    bool (*load)(const char *path, struct shape *shape, void **elements, char *error,
                 size_t error_size);

    /* prepare() returns an index of a filled strip (the caller frees it) with which expect() writes
     * the right output of the window that starts at a row, in far less time than a pass over it. */
    void *(*prepare)(const struct strip *strip);
    void (*expect)(const struct strip *strip, const void *index, size_t row, void *output);

    /* Give an element of the strip, counted from its start, another value, and bring the index up
     * to date. */
    void (*change)(struct strip *strip, void *index, size_t element, const void *value);

    /* Is `got` right? If not, say in one line how it differs: "bin 7: expected 254, got 255". */
    bool (*right)(const void *expected, const void *got, char *why, size_t why_size);

    /* How far `got` is off, relative to what is expected. NULL where every output is exact. */
    double (*error)(const void *expected, const void *got);

    /* A check of another kind, made from the window itself, once a trial and beside the comparison;
     * it says what is wrong as right() does. NULL for none. */
    bool (*recheck)(const void *window, struct shape shape, const void *got, char *why,
                    size_t why_size);

    /* For a diagnosis of wrong outputs: what an element is called ("pixel"), and one of these two;
     * neither where nothing is to be said. */
    const char *element;
    const struct counting *counting;
    const struct summing *summing;

    /* What the CPU does with it: the first is the reference, which has to be right and which
     * speed-ups are measured against; the others stand beside it. One without a name ends them. */
    const struct solution *solutions;
};

extern const struct problem problem;

#endif
