/* Complex numbers of CUDA: pairs of floats or doubles, and functions on them. */
#pragma once
#include <math.h>
#include "../include/vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The name of a function for doubles has no f at its end. */
#define EMULATOR_COMPLEX(R, C, MAKE, f, hypotenuse)                                                \
    static inline C MAKE(R x, R y) {                                                               \
        C z;                                                                                       \
        z.x = x;                                                                                   \
        z.y = y;                                                                                   \
        return z;                                                                                  \
    }                                                                                              \
    static inline R cuCreal##f(C z) { return z.x; }                                                \
    static inline R cuCimag##f(C z) { return z.y; }                                                \
    static inline C cuConj##f(C z) { return MAKE(z.x, -z.y); }                                     \
    static inline C cuCadd##f(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }                     \
    static inline C cuCsub##f(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }                     \
    static inline C cuCmul##f(C a, C b) {                                                          \
        return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    static inline C cuCdiv##f(C a, C b) { /* scaled, so that the square does not overflow */       \
        R s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);                                     \
        R ax = a.x / s, ay = a.y / s, bx = b.x / s, by = b.y / s, n = bx * bx + by * by;           \
        return MAKE((ax * bx + ay * by) / n, (ay * bx - ax * by) / n);                             \
    }                                                                                              \
    static inline R cuCabs##f(C z) { return hypotenuse(z.x, z.y); }                                \
    static inline C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
EMULATOR_COMPLEX(float, cuFloatComplex, make_cuFloatComplex, f, hypotf)
EMULATOR_COMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, , hypot)

static inline cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return make_cuDoubleComplex(z.x, z.y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
