/* A GPU makes an asynchronous copy at any time between the call and the wait for it. Here it is
 * made when somebody waits for it; until then it is under way (copies.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The running thread copies. False: at once, for nobody has said that it is asynchronous, or it is
 * one that no GPU makes later. */
bool later_copies(void *to, const void *from, size_t size, const void *caller);
