/* The contract of a streaming read, which sets the measured roof. It has the form of a step's
 * contract (lab.h), but its output is the sum (modulo 2^32) of the input's 32-bit words, so that
 * the judge can see that all of it was read. It belongs to the harness; no student writes one. */
#pragma once

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

void read_all_setup(size_t count);
void read_all(const uint32_t *words, size_t count, uint32_t *sum);
void read_all_teardown(void);

#ifdef __cplusplus
}
#endif
