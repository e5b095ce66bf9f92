/* Macros that an #if defines by __CUDA_ARCH__: nvcc compiles the host's code without that, so there
 * they may have another value. */
#pragma once
#include "unit.h"

/* The directive from `hash` to `end`, of these words: an #if with all that belongs to it goes
 * together. */
void note_directive(struct unit *u, const struct stream *words, const char *hash, const char *end);

/* The emulator takes the host's way on both sides of this #if. */
void leave_directives(struct unit *u);

/* The directives that make __CUDA_ARCH__ and these macros what they are on one side, from t on. */
char *directives_of(const struct unit *u, const struct token *t, bool host);
