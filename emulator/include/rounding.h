// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Operations on floating point numbers that round another way than to the nearest number. */
#ifndef EMULATOR_ROUNDING_H
#define EMULATOR_ROUNDING_H

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
