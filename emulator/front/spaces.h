/* Who may call whom. CUDA's device code calls functions of the device and those of both sides, the
 * host calls no function of the device alone, and nobody calls a kernel. What the text calls is
 * read from the assembly of it, not optimized, in which each call that C++ implies stands, of a
 * constructor or an operator; which side a function is for stands where the author defined it
 * (rewrite.h). From there also comes how much static shared memory a kernel uses: that of the
 * __shared__ arrays, thread-local variables, which it and the functions that it calls name. */
#pragma once
#include "preprocess.h"

/* BASE.ii, with the functions that rewriting found. `errors` gets what nvcc would say. */
void check_spaces(const struct source *source, const struct text *functions, struct text *errors);
