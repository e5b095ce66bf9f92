/* What a wrong call did, in words: no guess, but what the checked build has noted
 * (emulator/findings/reads.h). A text is empty, and a function returns false, where nothing fits,
 * or too little was noted. Which elements a call has read: reading.h. */
#pragma once

#include "noted.h"

enum adding {
    ADDING_UNKNOWN, /* too little was noted, or some elements are elsewhere; no text */
    ADDING_RIGHT, /* each element in its own bin; the text: "; what is added goes to its own bin, in
                     line 9", without the line where there are several */
    ADDING_STRAY, /* what has no bin is counted too; a sentence with the line and an example */
};

/* Where it has put what it counts: which place each thread used after it had read an element. */
enum adding adding_describe(const struct wrong_call *of, struct sentence text);

/* The first array to which another number was added than there are elements to count: "In all, line
 * 19 adds 11233 to counts, where 10828 characters are to be counted." */
void totals_describe(const struct wrong_call *of, struct sentence text);

/* "In line 94 a field of 16 bits overflows: number 1 of those in element 74 of counts passes 65535,
 * and carries into the next." */
bool totals_overflow(const struct wrong_call *of, struct sentence text);

/* "No kernel writes to the output: the last writes are to scratch, in line 24." */
bool totals_no_output(const struct wrong_call *of, struct sentence text);

/* "Elements 1024 to 4095 are written to scratch, and never read.", where others are. */
bool totals_never_read(const struct wrong_call *of, struct sentence text);

/* Whether what is noted last is nothing but looks at one word that is not of the input. */
bool totals_one_word(const struct reads *reads);

/* Where a sum went wrong: "Line 42 stores 16.8 in element 0 of warps (thread 0 of block 0), where
 * its warp has read 8.4." Or which of the numbers that a block stores are never read. */
bool flow_describe(const struct wrong_call *of, struct sentence text);

/* What the trace says of a count that its line cuts off: no rule has to guess then. */
#define CUT_TO_A_BYTE ": a byte holds no more than 255."

/* How a wrong element of the output came about, back from who stored it: "Line 22 stores 0 in bin
 * 10 of the output, after reading 0 in element 10 of counts. No kernel has written that before." */
bool trace_describe(const struct wrong_call *of, struct sentence text);
