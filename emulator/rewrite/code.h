/* Everything in a file's code, and in what #define stands for. */
#pragma once
#include "unit.h"

/* What stands between these in a file becomes two branches: see both_sides(). */
enum { SIDES_BEGIN = 1, SIDES_END };

void read_code(struct unit *u, const struct stream *s);

/* The body of a #define. */
void read_body(struct unit *u, const struct stream *s);
