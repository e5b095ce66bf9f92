#pragma once
#include "unit.h"

const struct kernel *find_kernel(const struct unit *u, const struct token *name);

/* Whether only the arguments of a launch tell which kernel it means. */
bool is_overloaded(const struct unit *u, const struct kernel *kernel);

/* __device__, __global__, or a macro with one of them in it. */
bool is_device_word(const struct unit *u, const struct token *t);

/* `__global__ … void name(`: the name is the last one before the parameters. `space` is the
 * namespace at i, which this function takes over. */
void note_kernel(struct unit *u, const struct stream *s, size_t i, char *space);

/* __launch_bounds__ at i: how many threads a block may have, behind the kernel. */
void keep_bounds(struct unit *u, const struct stream *s, size_t i);

/* If the token at i is the name that a declaration gives to a function or a variable, note it. */
void note_declared(struct unit *u, const struct stream *s, size_t i, bool in_namespace);

/* kernel(a) or kernel<4>(a) in the body of a function: only <<< >>> starts a kernel. */
void refuse_call(struct unit *u, const struct stream *s, size_t i, const char *here);

/* Whether the function whose body opens at `open` has a declaration, of that name at least, with
 * __device__, or one without. */
bool is_declared(const struct unit *u, const struct stream *s, size_t open, bool device);
