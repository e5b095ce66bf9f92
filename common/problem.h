/* What the judge must know about a problem.
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

    /* How many elements apart windows have to start for their answers to differ: 1 if any row will
     * do, 0 if a window can only be at the start of a region. */
    size_t slide;

    /* Fill the whole strip. The same seed gives the same strip. */
    void (*fill)(struct strip *strip, uint64_t seed);

    /* Draw an element that may replace any other, and that usually changes the answer of a window
     * it is put into: a step that remembers answers is wrong then. Elements of an input file are
     * replaced by the first input's. NULL only for an input of checks, which has to stay as it is.
     */
    void (*salt)(const struct strip *strip, uint64_t *random, void *element);

    /* True if a right answer is possible without reading every element. */
    bool early_exit;

    /* The same all over, which no other input of checks is: for counters that hold only so much. Or
     * huge numbers. */
    bool extreme;
};

/* A solution on the CPU. */
struct solution {
    const char *name; /* the name of its record: "reference" */
    void (*solve)(const void *window, struct shape shape, void *output);
};

/* For a problem whose outputs are counts: what it takes to count a window in other ways. */
struct counting {
    size_t bins, bin_bytes;                /* of an output; a bin has 1 or 4 bytes */
    uint32_t most;                         /* a count stops here */
    size_t (*bin_of)(const void *element); /* `bins` or more: not counted */
};

/* The same for a problem whose output is one float, the sum of an input of floats: the exact sum,
 * and the largest error that still counts as right. */
struct summing {
    double (*sum)(const void *expected), (*slack)(const void *expected);
    const struct input *extreme; /* of either sign and huge; it is not among `inputs` */
};

struct problem {
    const char *function;   /* "opt_2dhisto" */
    struct shape shape;     /* the graded size */
    struct shape cpu_shape; /* the same on the cpu device, where every call is emulated */

    /* A small trial with an awkward size and content comes before the timed one. */
    struct shape check_shape;
    const char *check_input;

    /* On the cpu device the first check of all, of the graded input: so small that a step whose
     * threads all go through the whole input ends at once, and one that does not end never will;
     * {0, 0} where there is none. */
    struct shape tiny_shape;

    /* Two inputs and their size: of the first some windows allow an early exit and others just do
     * not; of the second none does, though it would by what some of 8 blocks find. NULL where a
     * right answer needs every element. They are not among `inputs`. */
    const struct input *exit_inputs;
    struct shape exit_shape;

    const struct input *inputs; /* the graded one first, one without a name last */
    size_t element_bytes;       /* of one element of the input */

    /* How many outputs a call has, side by side, where that follows from the input's shape: a
     * prefix sum has as many as elements. NULL: one, whatever the shape, such as a histogram. */
    size_t (*outputs)(struct shape window);
    size_t output_bytes;   /* of one output */
    size_t expected_bytes; /* that expect() writes for one; output_bytes if outputs are exact */

    /* Read an input file: its shape, and its elements, in memory that the caller frees. On failure
     * return false, with one line in `error`. NULL if the problem has no input files. */
    bool (*load)(const char *path, struct shape *shape, void **elements, char *error,
                 size_t error_size);

    /* How large the index is that prepare() makes of a strip: of its layout alone. */
    size_t (*index_bytes)(const struct strip *strip);

    /* prepare() returns an index of a filled strip (the caller frees it) with which expect() writes
     * the right outputs of the window that starts at a row, in far less time than a pass over it
     * (if there are as many outputs as elements, in one pass). */
    void *(*prepare)(const struct strip *strip);
    void (*expect)(const struct strip *strip, const void *index, size_t row, void *output);

    /* Set an element of the strip, counted from its start, to another value, and update the
     * index. */
    void (*change)(struct strip *strip, void *index, size_t element, const void *value);

    /* What these four go by, where they are those of problems/running.h; or NULL. */
    const struct running *running;

    /* Is `got`, one output, right? If not, say in one line how it differs: "bin 7: expected 254,
     * got 255". */
    bool (*right)(const void *expected, const void *got, char *why, size_t why_size);

    /* How far `got`, one output, is off, relative to what is expected. NULL if every output is
     * exact. */
    double (*error)(const void *expected, const void *got);

    /* An independent check, made from the window itself, once a trial and in addition to the
     * comparison. It says what is wrong as right() does. NULL for none. */
    bool (*recheck)(const void *window, struct shape shape, const void *got, char *why,
                    size_t why_size);

    /* For the diagnosis of wrong outputs: what an element is called ("pixel"), and one of these
     * two; with neither, what was never read is told, and not how often an element is read. */
    const char *element;
    const struct counting *counting;
    const struct summing *summing;

    /* Solutions on the CPU. The first is the reference, which has to be right and which speedups
     * are measured against; the others are shown beside it. One without a name ends the list. */
    const struct solution *solutions;
};

extern const struct problem problem;

/* A window's shape as the step knows it: of a plain array it is told no rows and no columns,
 * whatever --size has. */
static inline struct shape shape_told(const struct problem *problem, struct shape window) {
    return problem->shape.columns == 1 ? (struct shape){window.rows * window.columns, 1} : window;
}

#endif
