/* What the threads of a wrong call have used one after the other, as the checked build has noted it
 * (emulator/findings/reads.h). */
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

/* The uses of kernels, those of a thread one after the other, then those of the next thread.
 * Returns how many; the caller frees `order`. */
size_t noted_by_thread(const struct wrong_call *of, const struct thread_use ***order);

uint64_t noted_thread(const struct thread_use *use);

/* The number whose bits a use has as its value; what it counts, or sums up. */
float noted_float(uint32_t bits);
double noted_number(const struct problem *problem, uint32_t bits);

/* It stores, and does not add. */
static inline bool noted_stores(const struct thread_use *use) {
    return use->writes == USE_WRITES || use->writes == USE_SWAPS;
}

/* "Line 42", of the program that was run; "The kernel" where no line is known. */
void noted_say_line(const struct thread_use *use, const char *program, struct sentence text);

/* An array has a copy of all bins after the other, or all copies of a bin side by side. */
enum order { BY_COPY, BY_BIN, ORDERS };

size_t noted_bin(const struct wrong_call *of, const struct thread_use *use, enum order order);
bool noted_has_order(const struct wrong_call *of, size_t array, enum order order);
size_t noted_bin_of(const struct wrong_call *of, size_t element);
bool noted_has_bin(const struct wrong_call *of, size_t element); /* of the input */

/* How many elements of the input a use reads of that bin, or (ANY_BIN) of any. */
#define ANY_BIN SIZE_MAX
size_t noted_reads(const struct wrong_call *of, const struct thread_use *use, size_t bin);

/* Whether that array, of those that were used, is the call's output. */
bool noted_is_output(const struct reads *reads, unsigned array);
