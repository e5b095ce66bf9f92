/* From the text that all builds compile to the object of each. */
#pragma once
#include "preprocess.h"

/* The checked build has a call of emulator/checked/ for each load and store, and behind each
 * __shared__ array memory that nobody uses. It is refused where device code calls what it cannot.
 * The counted build has a call of emulator/counted/ for each load and store and each turn of a
 * loop, and two sections: where the calls are (counted_places), and for each of them
 * (counted_lines) the line in the source's own files and the number of the place, which copies of
 * one piece of code share. The debug build is not optimized. */
enum build { PLAIN, CHECKED, COUNTED, DEBUG, BUILDS };

/* Writes the object. `said` gets what there is to say: of macros as the author wrote them, where
 * the compiler has something to say. Returns whether there is an object. */
bool build_object(enum build build, const struct source *source, const char *object,
                  struct text *said);
