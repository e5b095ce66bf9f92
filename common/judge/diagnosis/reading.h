/* Which elements of its input a wrong call has read, in words: no guess, but what the checked build
 * has counted (emulator/findings/reads.h). */
#pragma once

#include "noted.h"

enum reading {
    READING_UNKNOWN, /* nothing was counted; and no text */
    READING_ONCE,    /* each element once: what is wrong comes later */
    READING_ODD,     /* some were never read, or more than once */
};

/* That an element is read again is a mistake where each counts once. The text is a sentence or two,
 * with the lines of the program that was run, and with `then` where each element was read once:
 * what came of it, as facts.h tells. */
enum reading reading_describe(const struct wrong_call *of, const char *then, struct sentence text);

/* Some of all elements, such as "The last 3 pixels are". */
void reading_name(const bool *some, struct shape shape, const char *element, struct sentence text);

/* Of a call that has not ended: "Line 16 reads pixel 5000 again (thread 0 of block 0), 12 times so
 * far." False where the last to read has read that element in that line for the first time. */
bool reading_begins_anew(const struct wrong_call *of, struct sentence text);

/* "line 9" or "lines 9, 12", of at most MOST_READERS offsets in the program, and nothing where they
 * are not known; returns how many lines those are. */
enum { MOST_READERS = 32 };
size_t reading_say_lines(const char *program, const uint64_t *offsets, size_t count,
                         struct sentence text);
