/* Who may call whom. CUDA's device code calls functions of the device and those of both sides, and
 * the host calls no function of the device alone. What the text calls is read from the assembly of
 * it, not optimized, in which each call that C++ implies stands, of a constructor or an operator;
 * which side a function is for stands where the author defined it (rewrite.h). */
#pragma once
#include "preprocess.h"

/* BASE.ii, with the functions that rewriting found. `errors` gets what nvcc would say. */
void check_spaces(const struct source *source, const struct text *functions, struct text *errors);
