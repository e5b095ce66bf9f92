// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Half precision: __half and __half2. */
#ifndef EMULATOR_CUDA_FP16_H
#define EMULATOR_CUDA_FP16_H

#include "small_float_functions.h"

EMULATOR_SMALL_FLOAT(__half, __half2, half, emulator_to_half, emulator_from_half)

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

EMULATOR_SMALL(__half2) make_half2(__half x, __half y) { return __half2(x, y); }
EMULATOR_SMALL(__half2) __halves2half2(__half x, __half y) { return __half2(x, y); }
EMULATOR_SMALL(__half2) __half2half2(__half a) { return __half2(a, a); }
EMULATOR_SMALL(__half2) __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
EMULATOR_SMALL(__half2) __floats2half2_rn(float x, float y) {
    return __half2(__half(x), __half(y));
}
EMULATOR_SMALL(__half2) __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
EMULATOR_SMALL(float2) __half22float2(__half2 a) { return make_float2((float)a.x, (float)a.y); }
EMULATOR_SMALL(float) __low2float(__half2 a) { return (float)a.x; }
EMULATOR_SMALL(float) __high2float(__half2 a) { return (float)a.y; }
EMULATOR_SMALL(__half) __low2half(__half2 a) { return a.x; }
EMULATOR_SMALL(__half) __high2half(__half2 a) { return a.y; }
EMULATOR_SMALL(__half2) __low2half2(__half2 a) { return __half2(a.x, a.x); }
EMULATOR_SMALL(__half2) __high2half2(__half2 a) { return __half2(a.y, a.y); }
EMULATOR_SMALL(__half2) __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
EMULATOR_SMALL(__half2) __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
EMULATOR_SMALL(__half2) __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }

EMULATOR_SMALL(unsigned short) __half_as_ushort(__half a) { return a.__x; }
EMULATOR_SMALL(short) __half_as_short(__half a) { return (short)a.__x; }
EMULATOR_SMALL(__half) __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
EMULATOR_SMALL(__half) __short_as_half(short bits) { return __half_raw{(unsigned short)bits}; }

#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)

#endif
