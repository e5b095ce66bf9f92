/* Accesses of the step's code, and which of them a run has reached, as the runner tells the judge:
 * a part. Of fixed size, without pointers: a message. Whoever reads it must not trust it. */
#pragma once

#include <stdint.h>

enum { REACHED_ACCESSES = 128 };

struct reached {
    uint32_t accesses;                 /* of pc[] */
    uint32_t pc[REACHED_ACCESSES];     /* offsets in the program, as addr2line takes them */
    uint8_t reached[REACHED_ACCESSES]; /* 1: it was reached, 0: it was not */
};
