/* Which of a wrong call's many outputs are wrong, which nobody wrote and which several threads
 * wrote, in words, and what the thread had read that wrote a wrong one. */
#ifndef WRITTEN_H
#define WRITTEN_H

#include <stddef.h>

#include "adding.h"

/* Outputs held `poison` before the call. reads: NULL where nothing was noted. No text where the
 * problem has one output. */
void written_describe(const struct reads *reads, const struct problem *problem,
                      const struct counted_call *of, unsigned char poison, const char *program,
                      char *text, size_t text_size);

#endif
