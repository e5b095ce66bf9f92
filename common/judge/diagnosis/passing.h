// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Where a right count got lost on its way from the array that has it to the output, in words: no
 * guess, but what a thread has read, and what it then has added or stored
 * (emulator/findings/reads.h). */
#ifndef PASSING_H
#define PASSING_H

#include "noted.h"

/* About a bin that came out wrong: a thread has read its count in that array, and has then added
 * another number to the next one, or nothing; or has stored in the output what is not that count.
 * A sentence, with lines of the program that was run and the numbers. False where there is none. */
bool passing_describe(const struct noted *noted, size_t array, enum order order, bool has_elements,
                      const char *program, char *text, size_t text_size);

#endif
