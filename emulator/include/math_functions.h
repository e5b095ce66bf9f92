/* What CUDA's mathematics has beyond the C library's, for the host and the device: functions for
 * float and double, and operations with a direction of rounding. They are as exact as the C library
 * makes them, which is seldom the last bit that a device gives. */
#pragma once
#include "cuda_runtime.h"
#include "rounding.h"

/* ---- directions of rounding -------------------------------------------------------------- */

namespace emulator {
/* The processor's own operation, in its own rounding mode. What is volatile is called in between.
 */
template <typename T, typename... A>
EMULATOR_UNWATCHED T rounded(emulator_rounding mode, T (*operation)(A...), A... values) {
    T (*volatile function)(A...) = operation;
    emulator_round(mode);
    T result = function(values...);
    emulator_round(EMULATOR_NEAREST);
    return result;
}
} // namespace emulator

/* Functions of `value`, one for each direction. To the nearest it is what it is everywhere. */
#define EMULATOR_DIRECTED(T, name, suffix, mode, parameters, arguments)                            \
    EMULATOR_INLINE T name##_##suffix parameters {                                                 \
        return emulator::rounded(mode, name##_rn, EMULATOR_LIST arguments);                        \
    }
#define EMULATOR_ROUNDED(T, name, parameters, arguments, value)                                    \
    EMULATOR_INLINE T name##_rn parameters { return (T)(value); }                                  \
    EMULATOR_DIRECTED(T, name, rd, EMULATOR_DOWN, parameters, arguments)                           \
    EMULATOR_DIRECTED(T, name, ru, EMULATOR_UP, parameters, arguments)                             \
    EMULATOR_DIRECTED(T, name, rz, EMULATOR_TO_ZERO, parameters, arguments)
/* The builtins for floats have an f at their end. */
#define EMULATOR_OPERATIONS(T, prefix, fused, f)                                                   \
    EMULATOR_ROUNDED(T, __##prefix##add, (T a, T b), (a, b), a + b)                                \
    EMULATOR_ROUNDED(T, __##prefix##sub, (T a, T b), (a, b), a - b)                                \
    EMULATOR_ROUNDED(T, __##prefix##mul, (T a, T b), (a, b), a *b)                                 \
    EMULATOR_ROUNDED(T, __##prefix##div, (T a, T b), (a, b), a / b)                                \
    EMULATOR_ROUNDED(T, __##prefix##rcp, (T a), (a), 1 / a)                                        \
    EMULATOR_ROUNDED(T, __##prefix##sqrt, (T a), (a), __builtin_sqrt##f(a))                        \
    EMULATOR_ROUNDED(T, fused, (T a, T b, T c), (a, b, c), __builtin_fma##f(a, b, c))
EMULATOR_OPERATIONS(float, f, __fmaf, f)
EMULATOR_OPERATIONS(double, d, __fma, )
#define EMULATOR_CONVERTED(T, From, from) EMULATOR_ROUNDED(T, __##from##2##T, (From a), (a), a)
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
constexpr double pi = 3.14159265358979323846, root_of_2 = 1.41421356237309504880;
constexpr double root_of_pi = 1.77245385090551602730;

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

/* exp(x x) with both halves of the square, so that a large x loses nothing. */
inline double exp_of_square(double x) {
    double high = (double)(float)x, low = x - high;
    return __builtin_exp(high * high) * __builtin_exp(low * (x + high));
}

/* exp(x x) erfc(x). Beyond 10 by the first terms of its asymptotic series (Abramowitz and Stegun
 * 7.1.23), which are below the last bit there. */
inline double scaled_erfc(double x) {
    if (x < 10)
        return x < -27 ? __builtin_huge_val() : exp_of_square(x) * __builtin_erfc(x);
    double term = 1, sum = 1, step = 1 / (2 * x * x);
    for (int k = 1; k < 24; k++) {
        double next = -term * (2 * k - 1) * step;
        if (__builtin_fabs(next) >= __builtin_fabs(term) || next == 0)
            break;
        sum += term = next;
    }
    return sum / (x * root_of_pi);
}

/* erf(x) = y for |y| <= 1/2, by Halley's method. */
inline double small_inverse_erf(double y) {
    double x = y * root_of_pi / 2;
    for (int i = 0; i < 6 && y != 0; i++) {
        double error = (__builtin_erf(x) - y) * exp_of_square(x) * root_of_pi / 2;
        x -= error / (1 + x * error);
    }
    return x;
}

/* erfc(x) = y, the same from Hastings' approximation on (Abramowitz and Stegun 26.2.22). */
inline double inverse_erfc(double y) {
    if (!(y >= 0 && y <= 2))
        return __builtin_nan("");
    if (y == 0 || y == 2)
        return y == 0 ? __builtin_huge_val() : -__builtin_huge_val();
    if (y >= 0.5 && y <= 1.5)
        return small_inverse_erf(1 - y); /* exact */
    double small = y > 1 ? 2 - y : y, t = __builtin_sqrt(-2 * __builtin_log(small / 2));
    double x = (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t))) / root_of_2;
    for (int i = 0; i < 4; i++) {
        double error = (__builtin_erfc(x) - small) * exp_of_square(x) * root_of_pi / 2;
        x += error / (1 - x * error);
    }
    return y > 1 ? -x : x;
}

inline double inverse_erf(double y) {
    double a = __builtin_fabs(y);
    return a <= 0.5 ? small_inverse_erf(y) : __builtin_copysign(inverse_erfc(1 - a), y);
}

/* erfc(-x / sqrt(2)) / 2, where the rounding of its argument would cost digits far from 0. */
inline double normal_cdf(double x) {
    const double factor = 0.70710678118654757, rest = -4.8336466567264567e-17; /* 1 / sqrt(2) */
    double t = -x * factor, lost = __builtin_fma(-x, factor, -t) - x * rest;
    if (!(t > -6 && t < 27.3))
        return __builtin_erfc(t) / 2;
    return __builtin_erfc(t) / 2 - lost / exp_of_square(t) / root_of_pi;
}

/* Bessel's modified functions of order 0 and 1: their power series, whose terms are all positive,
 * and beyond 30 the asymptotic one (Abramowitz and Stegun 9.6.10 and 9.7.1). */
inline double bessel_i(int order, double x) {
    double a = __builtin_fabs(x), sum, term;
    if (a <= 30) {
        sum = term = order ? a / 2 : 1;
        for (int k = 1; k < 200 && term > sum * 1e-18; k++)
            sum += term *= a * a / (4.0 * k * (k + order));
    } else {
        sum = term = 1;
        for (int k = 1; k < 30; k++) {
            double next = -term * (4.0 * order * order - (2 * k - 1) * (2 * k - 1)) / (8 * k * a);
            if (__builtin_fabs(next) >= __builtin_fabs(term) || next == 0)
                break;
            sum += term = next;
        }
        sum *= __builtin_exp(a / 2) / __builtin_sqrt(2 * pi * a) * __builtin_exp(a / 2);
    }
    return order && x < 0 ? -sum : sum;
}

/* The length of a vector, without overflow on the way. */
template <typename T> double length(int n, const T *p) {
    double result = 0;
    for (int i = 0; i < n; i++)
        result = __builtin_hypot(result, p[i]);
    return result;
}
} // namespace emulator

EMULATOR_INLINE_OF_C double sinpi(double x) noexcept { return emulator::sine_of_pi(x); }
EMULATOR_INLINE_OF_C double cospi(double x) noexcept { return emulator::cosine_of_pi(x); }
EMULATOR_INLINE void sincospi(double x, double *sine, double *cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
EMULATOR_INLINE double erfcx(double x) { return emulator::scaled_erfc(x); }
EMULATOR_INLINE double erfinv(double x) { return emulator::inverse_erf(x); }
EMULATOR_INLINE double erfcinv(double x) { return emulator::inverse_erfc(x); }
EMULATOR_INLINE double normcdf(double x) { return emulator::normal_cdf(x); }
EMULATOR_INLINE double normcdfinv(double p) { return -emulator::root_of_2 * erfcinv(2 * p); }
EMULATOR_INLINE double rcbrt(double x) { return 1 / __builtin_cbrt(x); }
EMULATOR_INLINE double norm3d(double a, double b, double c) {
    return __builtin_hypot(__builtin_hypot(a, b), c);
}
EMULATOR_INLINE double norm4d(double a, double b, double c, double d) {
    return __builtin_hypot(__builtin_hypot(a, b), __builtin_hypot(c, d));
}
EMULATOR_INLINE double norm(int n, const double *p) { return emulator::length(n, p); }
EMULATOR_INLINE double rhypot(double a, double b) { return 1 / __builtin_hypot(a, b); }
EMULATOR_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
EMULATOR_INLINE double rnorm4d(double a, double b, double c, double d) {
    return 1 / norm4d(a, b, c, d);
}
EMULATOR_INLINE double rnorm(int n, const double *p) { return 1 / norm(n, p); }
EMULATOR_INLINE double cyl_bessel_i0(double x) { return emulator::bessel_i(0, x); }
EMULATOR_INLINE double cyl_bessel_i1(double x) { return emulator::bessel_i(1, x); }
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
EMULATOR_FLOAT_AND_FORM(erfcx)
EMULATOR_FLOAT_AND_FORM(erfinv)
EMULATOR_FLOAT_AND_FORM(erfcinv)
EMULATOR_FLOAT_AND_FORM(normcdf)
EMULATOR_FLOAT_AND_FORM(normcdfinv)
EMULATOR_FLOAT_AND_FORM(rcbrt)
EMULATOR_FLOAT(norm3d, (float a, float b, float c), a, b, c)
EMULATOR_FLOAT(rnorm3d, (float a, float b, float c), a, b, c)
EMULATOR_FLOAT(norm4d, (float a, float b, float c, float d), a, b, c, d)
EMULATOR_FLOAT(rnorm4d, (float a, float b, float c, float d), a, b, c, d)
EMULATOR_FLOAT(cyl_bessel_i0, (float x), x)
EMULATOR_FLOAT(cyl_bessel_i1, (float x), x)

EMULATOR_INLINE void sincospif(float x, float *sine, float *cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}
EMULATOR_INLINE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
EMULATOR_INLINE float normf(int n, const float *p) { return (float)emulator::length(n, p); }
EMULATOR_INLINE float rnormf(int n, const float *p) { return (float)(1 / emulator::length(n, p)); }
EMULATOR_FLOAT(rhypot, (float a, float b), (double)a, (double)b)
EMULATOR_INLINE float rhypot(float a, float b) { return rhypotf(a, b); }
EMULATOR_INLINE float rsqrt(float x) { return rsqrtf(x); }
EMULATOR_INLINE float fdividef(float a, float b) { return a / b; }
