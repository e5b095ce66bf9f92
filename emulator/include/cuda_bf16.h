/* bfloat16, the upper half of a float: __nv_bfloat16 and __nv_bfloat162. */
#pragma once
#include "small_float_functions.h"

EMULATOR_INLINE float emulator_from_bfloat(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}

EMULATOR_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16, emulator_to_bfloat,
                     emulator_from_bfloat)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
