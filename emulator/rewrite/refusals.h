/* What nvcc refuses and a C++ compiler does not see, in nvcc's words: how kernels and variables are
 * declared, and what a function of either side must not say. The sections of CUDA's programming
 * guide stand in tests/emulator/nvcc.sources. */
#pragma once
#include "scopes.h"

/* If a declaration begins at i. */
void refuse_declaration(struct unit *u, const struct walk *walk, size_t i);

/* The token at i, in the body of a function. */
void refuse_word(struct unit *u, const struct stream *s, size_t i, enum scope function);
