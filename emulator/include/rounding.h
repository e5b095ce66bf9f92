/* Directions of rounding, and numbers of 16 bits: half precision (IEEE 754 binary16), bfloat16. */
#pragma once
#include "vector_types.h"

EMULATOR_BEGIN_C

enum emulator_rounding { EMULATOR_NEAREST, EMULATOR_DOWN, EMULATOR_UP, EMULATOR_TO_ZERO };
void emulator_round(enum emulator_rounding mode); /* so the processor rounds from here on */

/* The nearest number; NaN becomes 0x7fff. From a float there is no double rounding, since a double
 * holds it. */
unsigned short emulator_to_half(double value);
unsigned short emulator_to_bfloat(double value);
float emulator_from_half(unsigned short bits);

EMULATOR_END_C
