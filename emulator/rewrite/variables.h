#pragma once
#include "scopes.h"

/* If a declaration of dynamic shared memory starts at i, rewrite it and return its end. */
size_t try_dynamic_shared(struct unit *u, const struct stream *s, size_t i, bool in_function);

/* If the declaration at i is of a __device__, __constant__ or __managed__ variable, or of a static
 * one of a device function, say so to the compiler: EMULATOR_VARIABLE in cuda_runtime.h. Of a
 * member of a class these words say nothing. */
void mark_variable(struct unit *u, const struct stream *s, size_t i, enum scope function,
                   bool in_class);
