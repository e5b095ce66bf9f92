/* How much a wrong call has added in all to the arrays that it counts in, in words: no guess, but
 * what the checked build has noted of atomic additions (emulator/findings/reads.h). */
#pragma once

#include <stdbool.h>

#include "noted.h"

/* A sentence about the first array to which another number was added than there are elements to
 * count: "In all, line 19 adds 11233 to counts, where 10828 characters are to be counted." */
void totals_describe(const struct wrong_call *of, struct words text);

/* "In line 94 a field of 16 bits overflows: number 1 of those in element 74 of counts passes 65535,
 * and carries into the next." False where none has. */
bool totals_overflow(const struct wrong_call *of, struct words text);

/* "No kernel writes to the output: the last writes are to scratch, in line 24." False
 * where one does, or not all was noted. */
bool totals_no_output(const struct wrong_call *of, struct words text);

/* "Line 84 reads 8 in element 1 of totals, where line 121 adds 5 in this call: it was
 * not 0 when the call began." False where there is no such word, or not all was noted. */
bool totals_left_over(const struct wrong_call *of, struct words text);

/* Whether what is noted last is nothing but looks at one word that is not of the input. */
bool totals_one_word(const struct reads *reads);

/* "Elements 1024 to 4095 are written to scratch, and never read.", where others are.
 * False where there are none, or not all was noted. */
bool totals_never_read(const struct wrong_call *of, struct words text);
