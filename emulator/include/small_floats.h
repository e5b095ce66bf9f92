// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Floating point numbers of 16 bits: half precision (IEEE 754 binary16) and bfloat16. */
#ifndef EMULATOR_SMALL_FLOATS_H
#define EMULATOR_SMALL_FLOATS_H

#include "rounding.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The nearest number, or by another mode; NaN becomes 0x7fff. From a float there is no double
 * rounding, since a double holds it. */
unsigned short emulator_to_half(double value, enum emulator_rounding mode);
unsigned short emulator_to_bfloat(double value, enum emulator_rounding mode);
float emulator_from_half(unsigned short bits);

/* a * b + c for numbers of 16 bits, so that rounding it to 16 bits gives what one rounding would.
 */
double emulator_multiply_add(double a, double b, double c);

#ifdef __cplusplus
}
#endif

#endif
