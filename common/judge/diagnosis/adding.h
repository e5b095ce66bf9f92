/* Where a wrong call has put what it counts, in words: no guess, but which place each thread used
 * after it had read an element, or a count, as the checked build has noted it
 * (emulator/findings/reads.h). */
#pragma once

#include "noted.h"

enum adding {
    ADDING_UNKNOWN, /* too little was noted, or some elements are elsewhere; no text */
    ADDING_MET,     /* those of two bins in one place; a sentence with an example */
    ADDING_RIGHT, /* each element in its own bin; the text: "; what is added goes to its own bin, in
                     line 9", without the line where there are several */
    ADDING_STRAY, /* what has no bin is counted too; a sentence with the line and an example */
};

enum adding adding_describe(const struct wrong_call *of, struct words text);
