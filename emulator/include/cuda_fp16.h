/* Half precision: __half and __half2. */
#pragma once
#include "small_float_functions.h"

EMULATOR_SMALL_FLOAT(__half, __half2, half, emulator_to_half, emulator_from_half)

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
