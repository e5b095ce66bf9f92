/* What CUDA's mathematics has beyond the C library's, for the host and the device. The functions
 * are as exact as the C library makes them, which is seldom the last bit that a device gives. */
#pragma once
#include "cuda_runtime.h"

/* ---- rounded to the nearest, as everything is; other directions are not there ------------- */

#define EMULATOR_ROUNDED(T, name, parameters, value)                                               \
    EMULATOR_INLINE T name##_rn parameters { return (T)(value); }
/* The builtins for floats have an f at their end. */
#define EMULATOR_OPERATIONS(T, prefix, fused, f)                                                   \
    EMULATOR_ROUNDED(T, __##prefix##add, (T a, T b), a + b)                                        \
    EMULATOR_ROUNDED(T, __##prefix##sub, (T a, T b), a - b)                                        \
    EMULATOR_ROUNDED(T, __##prefix##mul, (T a, T b), a *b)                                         \
    EMULATOR_ROUNDED(T, __##prefix##div, (T a, T b), a / b)                                        \
    EMULATOR_ROUNDED(T, __##prefix##rcp, (T a), 1 / a)                                             \
    EMULATOR_ROUNDED(T, __##prefix##sqrt, (T a), __builtin_sqrt##f(a))                             \
    EMULATOR_ROUNDED(T, fused, (T a, T b, T c), __builtin_fma##f(a, b, c))
EMULATOR_OPERATIONS(float, f, __fmaf, f)
EMULATOR_OPERATIONS(double, d, __fma, )
#define EMULATOR_CONVERTED(T, From, from) EMULATOR_ROUNDED(T, __##from##2##T, (From a), a)
EMULATOR_CONVERTED(float, double, double)
EMULATOR_CONVERTED(float, int, int)
EMULATOR_CONVERTED(float, unsigned, uint)
EMULATOR_CONVERTED(float, long long, ll)
EMULATOR_CONVERTED(float, unsigned long long, ull)
EMULATOR_CONVERTED(double, long long, ll)
EMULATOR_CONVERTED(double, unsigned long long, ull)
#undef EMULATOR_CONVERTED

EMULATOR_INLINE double __int2double_rn(int a) { return a; } /* it is always exact */
EMULATOR_INLINE double __uint2double_rn(unsigned a) { return a; }
/* By way of double, whose error is far below half a float's last bit. */
EMULATOR_INLINE float __frsqrt_rn(float a) { return (float)(1.0 / __builtin_sqrt((double)a)); }

/* ---- functions --------------------------------------------------------------------------- */

namespace emulator {
constexpr double pi = 3.14159265358979323846;

/* The sine of so many quarters of a turn and of rest, which is at most an eighth. */
inline double sine_of_quarters(int quarters, double rest) {
    double part = quarters & 1 ? __builtin_cos(rest) : __builtin_sin(rest);
    return quarters & 2 ? -part : part;
}

/* sin(pi x) and cos(pi x), exact in the quarters. */
inline double sine_of_pi(double x) {
    double r = __builtin_fmod(x, 2.0); /* exact, and has the sign of x */
    double quarter = __builtin_rint(2 * r), rest = r - quarter / 2;
    bool is_zero = rest == 0 && !((int)quarter & 1);
    return is_zero ? __builtin_copysign(0.0, x) : sine_of_quarters((int)quarter, pi * rest);
}

inline double cosine_of_pi(double x) {
    double r = __builtin_fabs(__builtin_fmod(x, 2.0));
    double quarter = __builtin_rint(2 * r);
    return 0.0 + sine_of_quarters((int)quarter + 1, pi * (r - quarter / 2)); /* 0 is no -0 */
}

} // namespace emulator

EMULATOR_INLINE_OF_C double sinpi(double x) noexcept { return emulator::sine_of_pi(x); }
EMULATOR_INLINE_OF_C double cospi(double x) noexcept { return emulator::cosine_of_pi(x); }
EMULATOR_INLINE void sincospi(double x, double *sine, double *cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
EMULATOR_INLINE double normcdf(double x) { return __builtin_erfc(x * -0.70710678118654752440) / 2; }
EMULATOR_INLINE double rcbrt(double x) { return 1 / __builtin_cbrt(x); }
EMULATOR_INLINE double norm3d(double a, double b, double c) {
    return __builtin_hypot(__builtin_hypot(a, b), c);
}
EMULATOR_INLINE double norm4d(double a, double b, double c, double d) {
    return __builtin_hypot(__builtin_hypot(a, b), __builtin_hypot(c, d));
}
EMULATOR_INLINE double rhypot(double a, double b) { return 1 / __builtin_hypot(a, b); }
EMULATOR_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
EMULATOR_INLINE double rnorm4d(double a, double b, double c, double d) {
    return 1 / norm4d(a, b, c, d);
}
EMULATOR_INLINE double fdivide(double a, double b) { return a / b; }

/* The same for floats, by way of double. */
#define EMULATOR_FLOAT(name, parameters, ...)                                                      \
    EMULATOR_INLINE float name##f parameters { return (float)name(__VA_ARGS__); }
/* ... with a C++ form, whose name is that for double. */
#define EMULATOR_FLOAT_AND_FORM(name)                                                              \
    EMULATOR_FLOAT(name, (float x), (double)x)                                                     \
    EMULATOR_INLINE float name(float x) { return name##f(x); }
EMULATOR_INLINE_OF_C float sinpif(float x) noexcept { return (float)sinpi((double)x); }
EMULATOR_INLINE_OF_C float cospif(float x) noexcept { return (float)cospi((double)x); }
EMULATOR_INLINE float sinpi(float x) { return sinpif(x); }
EMULATOR_INLINE float cospi(float x) { return cospif(x); }
EMULATOR_FLOAT_AND_FORM(normcdf)
EMULATOR_FLOAT_AND_FORM(rcbrt)
EMULATOR_FLOAT(norm3d, (float a, float b, float c), a, b, c)
EMULATOR_FLOAT(rnorm3d, (float a, float b, float c), a, b, c)
EMULATOR_FLOAT(norm4d, (float a, float b, float c, float d), a, b, c, d)
EMULATOR_FLOAT(rnorm4d, (float a, float b, float c, float d), a, b, c, d)

EMULATOR_INLINE void sincospif(float x, float *sine, float *cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}
EMULATOR_INLINE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
EMULATOR_FLOAT(rhypot, (float a, float b), (double)a, (double)b)
EMULATOR_INLINE float rhypot(float a, float b) { return rhypotf(a, b); }
EMULATOR_INLINE float rsqrt(float x) { return rsqrtf(x); }
EMULATOR_INLINE float fdividef(float a, float b) { return a / b; }
