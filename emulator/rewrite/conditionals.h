/* #if: what the emulator lacks. */
#pragma once
#include "unit.h"

/* One of the directives of an #if, of which these are the words. It ends at `end`, in that line. */
void read_conditional(struct unit *u, const struct stream *words, const char *end, int line,
                      struct stream *code);

/* If the emulator lacks what this token means, the branch around it does. */
void note_lacking(struct unit *u, const struct stream *s, size_t i);
