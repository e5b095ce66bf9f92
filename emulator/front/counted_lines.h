/* The lines of the calls that label_calls (assembly.h) has labelled. */
#pragma once
#include "../text/text.h"

/* Fills the section counted_lines of the object, which was made of the preprocessed text. False:
 * there is no such section. Where no lines are found they are 0. */
bool find_counted_lines(const char *object, const struct text *text, const struct text *spots,
                        size_t count);
