/* Operations on floating point numbers that round another way than to the nearest number; and
 * numbers of 16 bits: half precision (IEEE 754 binary16) and bfloat16. */
#pragma once
#include "vector_types.h"

EMULATOR_BEGIN_C

enum emulator_rounding { EMULATOR_NEAREST, EMULATOR_DOWN, EMULATOR_UP, EMULATOR_TO_ZERO };
enum emulator_rounded {
    EMULATOR_SUM,
    EMULATOR_DIFFERENCE,
    EMULATOR_PRODUCT,
    EMULATOR_QUOTIENT,
    EMULATOR_ROOT,         /* of a */
    EMULATOR_MULTIPLY_ADD, /* a * b + c, rounded once */
};

float emulator_rounded_float(enum emulator_rounded operation, enum emulator_rounding mode, float a,
                             float b, float c);
double emulator_rounded_double(enum emulator_rounded operation, enum emulator_rounding mode,
                               double a, double b, double c);

float emulator_double_to_float(enum emulator_rounding mode, double from);
float emulator_signed_to_float(enum emulator_rounding mode, long long from);
float emulator_unsigned_to_float(enum emulator_rounding mode, unsigned long long from);
double emulator_signed_to_double(enum emulator_rounding mode, long long from);
double emulator_unsigned_to_double(enum emulator_rounding mode, unsigned long long from);

/* The nearest number, or by another mode; NaN becomes 0x7fff. From a float there is no double
 * rounding, since a double holds it. */
unsigned short emulator_to_half(double value, enum emulator_rounding mode);
unsigned short emulator_to_bfloat(double value, enum emulator_rounding mode);
float emulator_from_half(unsigned short bits);

/* a * b + c for numbers of 16 bits, so that rounding it to 16 bits is as rounding once. */
double emulator_multiply_add(double a, double b, double c);

EMULATOR_END_C
