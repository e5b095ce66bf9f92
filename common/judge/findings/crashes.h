/* Where a step crashed, in words. */
#pragma once

#include <stddef.h>

#include "crash.h"
#include "judge/text.h"
#include "places.h"

/* What is to follow "signal 11 (Segmentation fault)" or "exit status 0", in one line: " at
 * opt_2dhisto.cu:34, thread (3,0,0) of block (0,0,0): address 0x10". The crash is as a runner told
 * it, of the program that it is; what is not known is left out. Nothing where no crash was told. */
void crash_describe(const struct crash *crash, const char *program, struct sentence text);

/* Of the places of a call and of those that led there: the innermost that is the step's own. Its
 * line is 0 where none is known. */
struct place own_place(const struct place *places, size_t count);
