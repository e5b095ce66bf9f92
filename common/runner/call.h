/* How the runner calls a step, whatever its problem: each call_<function>.c implements these three.
 */
#pragma once

#include <stddef.h>

void call_setup(size_t rows, size_t columns);
void call_step(const void *window, size_t rows, size_t columns, void *output);
void call_teardown(void);
