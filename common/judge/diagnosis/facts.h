/* What a wrong call did: no guess, but what the checked build has noted of its threads, one use of
 * memory after the other (emulator/findings/reads.h). A text is empty, and a function returns
 * false, where nothing fits, or too little was noted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/text.h"
#include "problem.h"
#include "reads.h"

/* A wrong call: what was noted of it, by the program that was run, its input, and its output beside
 * the right one. */
struct wrong_call {
    const struct reads *reads; /* as reads_clean has left them; NULL: nothing was noted */
    const struct problem *problem;
    const char *program, *window;
    struct shape shape; /* the window's */
    const void *expected, *got;

    /* noted_measure sets them: how wide the first write to an array is, and how many bins the array
     * has room for by that. 0 where nothing was written. */
    size_t width[USED_ARRAYS], places[USED_ARRAYS];
};

/* What a runner has noted may be anything, and this is a copy: names of arrays become lines, uses
 * and adders that cannot be go, and uses of a launch come behind those of the one before it. */
void reads_clean(struct reads *reads);
void noted_measure(struct wrong_call *of);

/* Elements of its input. */
static inline size_t noted_size(const struct wrong_call *of) {
    return of->shape.rows * of->shape.columns;
}

/* Whether all uses of its memory were noted, and where those that were end. */
bool noted_all(const struct wrong_call *of);
static inline const struct thread_use *noted_end(const struct reads *reads) {
    return reads->use + reads->uses;
}

/* The number whose bits a use has as its value. */
float noted_float(uint32_t bits);

/* "Line 42", of the program that was run; "The kernel" where no line is known. */
void noted_say_line(const struct thread_use *use, const char *program, struct words text);

/* Of an array that has a count for each bin, or one copy of all counts after the other. */
size_t noted_bin(const struct wrong_call *of, const struct thread_use *use);
size_t noted_bin_of(const struct wrong_call *of, size_t element);
bool noted_has_bin(const struct wrong_call *of, size_t element); /* of the input */

/* How many elements of the input a use reads of that bin. */
size_t noted_reads(const struct wrong_call *of, const struct thread_use *use, size_t bin);

/* Whether that array, of those that were used, is the call's output. */
bool noted_is_output(const struct reads *reads, unsigned array);

/* ---- which elements of its input it has read --------------------------------------------- */

enum reading {
    READING_UNKNOWN, /* nothing was counted; and no text */
    READING_ONCE,    /* each element once: what is wrong comes later */
    READING_ODD,     /* some were never read, or more than once */
};

/* That an element is read again is a mistake where each counts once. The text is a sentence or two,
 * with the lines of the program that was run. */
enum reading reading_describe(const struct wrong_call *of, struct words text);

/* Some of all elements, such as "The last 3 pixels are". */
void reading_name(const bool *some, struct shape shape, const char *element, struct words text);

/* "line 9" or "lines 9, 12", of at most MOST_READERS offsets in the program, and nothing where they
 * are not known; returns how many lines those are. */
enum { MOST_READERS = 32 };
size_t reading_say_lines(const char *program, const uint64_t *offsets, size_t count,
                         struct words text);

/* ---- what it has added, and stored ------------------------------------------------------- */

/* The first array to which another number was added than there are elements to count: "In all, line
 * 19 adds 11233 to counts, where 10828 characters are to be counted." */
void totals_describe(const struct wrong_call *of, struct words text);

/* "In line 94 a field of 16 bits overflows: number 1 of those in element 74 of counts passes 65535,
 * and carries into the next." */
bool totals_overflow(const struct wrong_call *of, struct words text);

/* "No kernel writes to the output: the last writes are to scratch, in line 24." */
bool totals_no_output(const struct wrong_call *of, struct words text);

/* How a wrong element of the output came about, back from who stored it: "Line 22 stores 0 in bin
 * 10 of the output, after reading 0 in element 10 of counts. No kernel has written that before." */
bool trace_describe(const struct wrong_call *of, struct words text);
