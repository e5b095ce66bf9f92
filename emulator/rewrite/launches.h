#pragma once
#include "unit.h"

/* The launch whose <<< begins at i. */
void rewrite_launch(struct unit *u, const struct stream *s, size_t i, bool on_device);

/* (void *)kernel: the address by which it is launched later. What is no kernel's name, but the
 * first argument of a launch, may point to one. */
void know_kernel(struct unit *u, const struct stream *s, size_t i);
