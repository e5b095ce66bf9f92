#pragma once
#include "unit.h"

/* #include …, from `hash` to `end`. */
void read_include(struct unit *u, const char *hash, const char *end, int line);

/* The file at `path`, which is kept. It is read once: headers include each other so often that
 * reading them at each #include would take hours. NULL if it is being read: it includes itself, and
 * has a guard against that. */
struct header *read_header(struct unit *u, const char *path);
