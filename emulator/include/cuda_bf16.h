// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* bfloat16, the upper half of a float: __nv_bfloat16 and __nv_bfloat162. */
#ifndef EMULATOR_CUDA_BF16_H
#define EMULATOR_CUDA_BF16_H

#include "small_float_functions.h"

EMULATOR_INLINE float emulator_from_bfloat(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}

EMULATOR_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16, emulator_to_bfloat,
                     emulator_from_bfloat)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

EMULATOR_SMALL(__nv_bfloat162) make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return __nv_bfloat162(x, y);
}
EMULATOR_SMALL(__nv_bfloat162) __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return __nv_bfloat162(x, y);
}
EMULATOR_SMALL(__nv_bfloat162) __bfloat162bfloat162(__nv_bfloat16 a) {
    return __nv_bfloat162(a, a);
}
EMULATOR_SMALL(__nv_bfloat162) __floats2bfloat162_rn(float x, float y) {
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
EMULATOR_SMALL(__nv_bfloat162) __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
EMULATOR_SMALL(__nv_bfloat162) __float22bfloat162_rn(float2 a) {
    return __floats2bfloat162_rn(a.x, a.y);
}
EMULATOR_SMALL(float2) __bfloat1622float2(__nv_bfloat162 a) {
    return make_float2((float)a.x, (float)a.y);
}
EMULATOR_SMALL(float) __low2float(__nv_bfloat162 a) { return (float)a.x; }
EMULATOR_SMALL(float) __high2float(__nv_bfloat162 a) { return (float)a.y; }
EMULATOR_SMALL(__nv_bfloat16) __low2bfloat16(__nv_bfloat162 a) { return a.x; }
EMULATOR_SMALL(__nv_bfloat16) __high2bfloat16(__nv_bfloat162 a) { return a.y; }
EMULATOR_SMALL(__nv_bfloat162) __low2bfloat162(__nv_bfloat162 a) {
    return __nv_bfloat162(a.x, a.x);
}
EMULATOR_SMALL(__nv_bfloat162) __high2bfloat162(__nv_bfloat162 a) {
    return __nv_bfloat162(a.y, a.y);
}
EMULATOR_SMALL(__nv_bfloat162) __lowhigh2highlow(__nv_bfloat162 a) {
    return __nv_bfloat162(a.y, a.x);
}

EMULATOR_SMALL(unsigned short) __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
EMULATOR_SMALL(short) __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
EMULATOR_SMALL(__nv_bfloat16) __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16_raw{bits};
}
EMULATOR_SMALL(__nv_bfloat16) __short_as_bfloat16(short bits) {
    return __nv_bfloat16_raw{(unsigned short)bits};
}

#endif
