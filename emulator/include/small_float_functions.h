/* What __half and __nv_bfloat16 have in common: cuda_fp16.h and cuda_bf16.h have it made for their
 * types. A result is that of float or double, rounded to 16 bits: the right one of +, -, *, / and
 * roots, as a float has more than twice the bits and two. */
#pragma once
#include <type_traits>

#include "cuda_runtime.h"

#define EMULATOR_SMALL(H) EMULATOR_INLINE H

namespace emulator {
template <typename T> EMULATOR_INLINE T from_float(float x) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return to_integer<T>(__builtin_truncf(x));
    else
        return (T)x;
}
template <typename T>
using if_number = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>;
} // namespace emulator

/* ---- the types: H, H2, and H's bits to and from float ------------------------------------- */

#define EMULATOR_SMALL_TYPES(H, H2, to, from)                                                      \
    struct H##_raw {                                                                               \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(2))) H {                                                         \
        unsigned short __x;                                                                        \
        H() = default;                                                                             \
        H(const H##_raw &raw) : __x(raw.x) {}                                                      \
        H(float value) : __x(to(value)) {}                                                         \
        template <typename T, typename = emulator::if_number<T>>                                   \
        H(T value) : __x(to((double)value)) {}                                                     \
        H &operator=(const H##_raw &raw) {                                                         \
            __x = raw.x;                                                                           \
            return *this;                                                                          \
        }                                                                                          \
        operator float() const { return from(__x); }                                               \
        operator H##_raw() const { return H##_raw{__x}; }                                          \
        template <typename T, typename = emulator::if_number<T>> explicit operator T() const {     \
            return emulator::from_float<T>(from(__x));                                             \
        }                                                                                          \
    };                                                                                             \
    struct H2##_raw {                                                                              \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(4))) H2 {                                                        \
        H x, y;                                                                                    \
        H2() = default;                                                                            \
        H2(const H &x, const H &y) : x(x), y(y) {}                                                 \
        H2(const H2##_raw &raw) : x(H##_raw{raw.x}), y(H##_raw{raw.y}) {}                          \
        operator H2##_raw() const { return H2##_raw{x.__x, y.__x}; }                               \
    };

/* ---- arithmetic and comparison ------------------------------------------------------------ */

#define EMULATOR_SMALL_ARITHMETIC(H, H2)                                                           \
    EMULATOR_SMALL(H) __hadd(H a, H b) { return H((float)a + (float)b); }                          \
    EMULATOR_SMALL(H) __hsub(H a, H b) { return H((float)a - (float)b); }                          \
    EMULATOR_SMALL(H) __hmul(H a, H b) { return H((float)a * (float)b); }                          \
    EMULATOR_SMALL(H) __hdiv(H a, H b) { return H((float)a / (float)b); }                          \
    EMULATOR_SMALL(H) __hfma(H a, H b, H c) { return H((double)(float)a * (float)b + (float)c); }  \
    EMULATOR_SMALL(H) __hneg(H a) {                                                                \
        a.__x ^= 0x8000;                                                                           \
        return a;                                                                                  \
    }                                                                                              \
    EMULATOR_SMALL(H) __habs(H a) {                                                                \
        a.__x &= 0x7fff;                                                                           \
        return a;                                                                                  \
    }                                                                                              \
    EMULATOR_SMALL(bool) __heq(H a, H b) { return (float)a == (float)b; }                          \
    EMULATOR_SMALL(bool) __hne(H a, H b) { return (float)a < (float)b || (float)a > (float)b; }    \
    EMULATOR_SMALL(bool) __hlt(H a, H b) { return (float)a < (float)b; }                           \
    EMULATOR_SMALL(bool) __hle(H a, H b) { return (float)a <= (float)b; }                          \
    EMULATOR_SMALL(bool) __hgt(H a, H b) { return (float)a > (float)b; }                           \
    EMULATOR_SMALL(bool) __hge(H a, H b) { return (float)a >= (float)b; }                          \
    /* or one of them is no number */                                                              \
    EMULATOR_SMALL(bool) __hneu(H a, H b) { return !__heq(a, b); }                                 \
    EMULATOR_SMALL(bool) __hisnan(H a) { return (float)a != (float)a; }                            \
    EMULATOR_SMALL(int) __hisinf(H a) {                                                            \
        return __builtin_isinf((float)a) ? (a.__x >> 15 ? -1 : 1) : 0;                             \
    }                                                                                              \
    EMULATOR_SMALL(H) __hmax(H a, H b) { return H(__builtin_fmaxf((float)a, (float)b)); }          \
    EMULATOR_SMALL(H) __hmin(H a, H b) { return H(__builtin_fminf((float)a, (float)b)); }

/* Of H by __hadd, __heq and so on; of H2 by __hadd2 and, where both halves compare so, __hbeq2. */
#define EMULATOR_SMALL_OPERATORS(T, h, n, divide)                                                  \
    EMULATOR_SMALL(T) operator+(const T &a, const T &b) { return __hadd##n(a, b); }                \
    EMULATOR_SMALL(T) operator-(const T &a, const T &b) { return __hsub##n(a, b); }                \
    EMULATOR_SMALL(T) operator*(const T &a, const T &b) { return __hmul##n(a, b); }                \
    EMULATOR_SMALL(T) operator/(const T &a, const T &b) { return divide(a, b); }                   \
    EMULATOR_SMALL(T) operator-(const T &a) { return __hneg##n(a); }                               \
    EMULATOR_SMALL(T &) operator+=(T &a, const T &b) { return a = a + b; }                         \
    EMULATOR_SMALL(T &) operator-=(T &a, const T &b) { return a = a - b; }                         \
    EMULATOR_SMALL(T &) operator*=(T &a, const T &b) { return a = a * b; }                         \
    EMULATOR_SMALL(T &) operator/=(T &a, const T &b) { return a = a / b; }                         \
    EMULATOR_SMALL(bool) operator==(const T &a, const T &b) { return h##eq##n(a, b); }             \
    EMULATOR_SMALL(bool) operator!=(const T &a, const T &b) { return h##neu##n(a, b); }            \
    EMULATOR_SMALL(bool) operator<(const T &a, const T &b) { return h##lt##n(a, b); }              \
    EMULATOR_SMALL(bool) operator<=(const T &a, const T &b) { return h##le##n(a, b); }             \
    EMULATOR_SMALL(bool) operator>(const T &a, const T &b) { return h##gt##n(a, b); }              \
    EMULATOR_SMALL(bool) operator>=(const T &a, const T &b) { return h##ge##n(a, b); }
#define EMULATOR_SMALL_STEPS(H)                                                                    \
    EMULATOR_SMALL(H) operator+(const H &a) { return a; }                                          \
    EMULATOR_SMALL(H &) operator++(H &a) { return a += H(1); }                                     \
    EMULATOR_SMALL(H &) operator--(H &a) { return a -= H(1); }

/* ---- two at a time ------------------------------------------------------------------------ */

#define EMULATOR_PAIR_1(H2, name, one)                                                             \
    EMULATOR_SMALL(H2) name(H2 a) { return H2(one(a.x), one(a.y)); }
#define EMULATOR_PAIR_2(H2, name, one)                                                             \
    EMULATOR_SMALL(H2) name(H2 a, H2 b) { return H2(one(a.x, b.x), one(a.y, b.y)); }
#define EMULATOR_PAIR_3(H2, name, one)                                                             \
    EMULATOR_SMALL(H2) name(H2 a, H2 b, H2 c) { return H2(one(a.x, b.x, c.x), one(a.y, b.y, c.y)); }
/* Ones and zeros, whether both are so, and masks of bits. */
#define EMULATOR_PAIR_COMPARED(H, H2, name)                                                        \
    EMULATOR_SMALL(H2) __h##name##2(H2 a, H2 b) {                                                  \
        return H2(H((int)__h##name(a.x, b.x)), H((int)__h##name(a.y, b.y)));                       \
    }                                                                                              \
    EMULATOR_SMALL(bool) __hb##name##2(H2 a, H2 b) {                                               \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }

#define EMULATOR_SMALL_PAIRS(H, H2)                                                                \
    EMULATOR_PAIR_2(H2, __hadd2, __hadd)                                                           \
    EMULATOR_PAIR_2(H2, __hsub2, __hsub)                                                           \
    EMULATOR_PAIR_2(H2, __hmul2, __hmul)                                                           \
    EMULATOR_PAIR_2(H2, __h2div, __hdiv)                                                           \
    EMULATOR_PAIR_3(H2, __hfma2, __hfma)                                                           \
    EMULATOR_PAIR_1(H2, __hneg2, __hneg)                                                           \
    EMULATOR_PAIR_1(H2, __habs2, __habs)                                                           \
    EMULATOR_PAIR_2(H2, __hmax2, __hmax)                                                           \
    EMULATOR_PAIR_2(H2, __hmin2, __hmin)                                                           \
    EMULATOR_PAIR_COMPARED(H, H2, eq)                                                              \
    EMULATOR_PAIR_COMPARED(H, H2, ne)                                                              \
    EMULATOR_PAIR_COMPARED(H, H2, lt)                                                              \
    EMULATOR_PAIR_COMPARED(H, H2, le)                                                              \
    EMULATOR_PAIR_COMPARED(H, H2, gt)                                                              \
    EMULATOR_PAIR_COMPARED(H, H2, ge)                                                              \
    EMULATOR_PAIR_COMPARED(H, H2, neu)

/* ---- mathematics -------------------------------------------------------------------------- */

#define EMULATOR_SMALL_FUNCTION(H, H2, name, value)                                                \
    EMULATOR_SMALL(H) h##name(H a) {                                                               \
        const double x = (float)a;                                                                 \
        return H(value);                                                                           \
    }                                                                                              \
    EMULATOR_SMALL(H2) h2##name(H2 a) { return H2(h##name(a.x), h##name(a.y)); }
#define EMULATOR_SMALL_FUNCTIONS(H, H2)                                                            \
    EMULATOR_SMALL_FUNCTION(H, H2, sqrt, __builtin_sqrt(x))                                        \
    EMULATOR_SMALL_FUNCTION(H, H2, rsqrt, 1 / __builtin_sqrt(x))                                   \
    EMULATOR_SMALL_FUNCTION(H, H2, rcp, 1 / x)                                                     \
    EMULATOR_SMALL_FUNCTION(H, H2, exp, __builtin_exp(x))                                          \
    EMULATOR_SMALL_FUNCTION(H, H2, exp2, __builtin_exp2(x))                                        \
    EMULATOR_SMALL_FUNCTION(H, H2, exp10, __builtin_pow(10, x))                                    \
    EMULATOR_SMALL_FUNCTION(H, H2, log, __builtin_log(x))                                          \
    EMULATOR_SMALL_FUNCTION(H, H2, log2, __builtin_log2(x))                                        \
    EMULATOR_SMALL_FUNCTION(H, H2, log10, __builtin_log10(x))                                      \
    EMULATOR_SMALL_FUNCTION(H, H2, sin, __builtin_sin(x))                                          \
    EMULATOR_SMALL_FUNCTION(H, H2, cos, __builtin_cos(x))                                          \
    EMULATOR_SMALL_FUNCTION(H, H2, tanh, __builtin_tanh(x))                                        \
    EMULATOR_SMALL_FUNCTION(H, H2, floor, __builtin_floor(x))                                      \
    EMULATOR_SMALL_FUNCTION(H, H2, ceil, __builtin_ceil(x))                                        \
    EMULATOR_SMALL_FUNCTION(H, H2, trunc, __builtin_trunc(x))                                      \
    EMULATOR_SMALL_FUNCTION(H, H2, rint, __builtin_rint(x))

/* ---- conversions to and from integers: of `name`, to I, called `integer` ------------------ */

#define EMULATOR_SMALL_FROM(H, name, I, integer)                                                   \
    EMULATOR_SMALL(H) __##integer##2##name##_rn(I value) { return H(value); }
#define EMULATOR_SMALL_TO(H, name, I, integer, suffix, rounded)                                    \
    EMULATOR_SMALL(I) __##name##2##integer##_##suffix(H a) {                                       \
        return emulator::to_integer<I>(rounded((float)a));                                         \
    }
#define EMULATOR_SMALL_INTEGER(H, name, I, integer)                                                \
    EMULATOR_SMALL_FROM(H, name, I, integer)                                                       \
    EMULATOR_SMALL_TO(H, name, I, integer, rn, __builtin_rintf)                                    \
    EMULATOR_SMALL_TO(H, name, I, integer, rz, __builtin_truncf)                                   \
    EMULATOR_SMALL_TO(H, name, I, integer, rd, __builtin_floorf)                                   \
    EMULATOR_SMALL_TO(H, name, I, integer, ru, __builtin_ceilf)
#define EMULATOR_SMALL_CONVERSIONS(H, name)                                                        \
    EMULATOR_SMALL_INTEGER(H, name, int, int)                                                      \
    EMULATOR_SMALL_INTEGER(H, name, unsigned, uint)                                                \
    EMULATOR_SMALL_INTEGER(H, name, short, short)                                                  \
    EMULATOR_SMALL_INTEGER(H, name, unsigned short, ushort)                                        \
    EMULATOR_SMALL_INTEGER(H, name, long long, ll)                                                 \
    EMULATOR_SMALL_INTEGER(H, name, unsigned long long, ull)                                       \
    EMULATOR_SMALL_FROM(H, name, float, float)                                                     \
    EMULATOR_SMALL(H) __float2##name(float value) { return H(value); }                             \
    EMULATOR_SMALL(H) __double2##name(double value) { return H(value); }                           \
    EMULATOR_SMALL(float) __##name##2float(H a) { return (float)a; }

/* ---- pairs of halves, and a half as its bits ----------------------------------------------- */

#define EMULATOR_SMALL_HALVES(H, H2, name)                                                         \
    EMULATOR_SMALL(H2) make_##name##2(H x, H y) { return H2(x, y); }                               \
    EMULATOR_SMALL(H2) __halves2##name##2(H x, H y) { return H2(x, y); }                           \
    EMULATOR_SMALL(H2) __##name##2##name##2(H a) { return H2(a, a); }                              \
    EMULATOR_SMALL(H2) __floats2##name##2_rn(float x, float y) { return H2(H(x), H(y)); }          \
    EMULATOR_SMALL(H2) __float2##name##2_rn(float a) { return H2(H(a), H(a)); }                    \
    EMULATOR_SMALL(H2) __float22##name##2_rn(float2 a) { return __floats2##name##2_rn(a.x, a.y); } \
    EMULATOR_SMALL(float2) __##name##22float2(H2 a) {                                              \
        return make_float2((float)a.x, (float)a.y);                                                \
    }                                                                                              \
    EMULATOR_SMALL(float) __low2float(H2 a) { return (float)a.x; }                                 \
    EMULATOR_SMALL(float) __high2float(H2 a) { return (float)a.y; }                                \
    EMULATOR_SMALL(H) __low2##name(H2 a) { return a.x; }                                           \
    EMULATOR_SMALL(H) __high2##name(H2 a) { return a.y; }                                          \
    EMULATOR_SMALL(H2) __low2##name##2(H2 a) { return H2(a.x, a.x); }                              \
    EMULATOR_SMALL(H2) __high2##name##2(H2 a) { return H2(a.y, a.y); }                             \
    EMULATOR_SMALL(H2) __lows2##name##2(H2 a, H2 b) { return H2(a.x, b.x); }                       \
    EMULATOR_SMALL(H2) __highs2##name##2(H2 a, H2 b) { return H2(a.y, b.y); }                      \
    EMULATOR_SMALL(H2) __lowhigh2highlow(H2 a) { return H2(a.y, a.x); }                            \
    EMULATOR_SMALL(unsigned short) __##name##_as_ushort(H a) { return a.__x; }                     \
    EMULATOR_SMALL(short) __##name##_as_short(H a) { return (short)a.__x; }                        \
    EMULATOR_SMALL(H) __ushort_as_##name(unsigned short bits) { return H##_raw{bits}; }            \
    EMULATOR_SMALL(H) __short_as_##name(short bits) { return H##_raw{(unsigned short)bits}; }

/* ---- atomics ------------------------------------------------------------------------------ */

/* Of a pair each half is an addition by itself. */
#define EMULATOR_SMALL_ATOMICS(H, H2)                                                              \
    EMULATOR_SMALL(H) atomicAdd(H *address, H value) {                                             \
        return emulator::update<__ATOMIC_RELAXED, EMULATOR_ATOMIC_LOOP>(                           \
            address, [value](H old) { return old + value; });                                      \
    }                                                                                              \
    EMULATOR_SMALL(H2) atomicAdd(H2 *address, H2 value) {                                          \
        return emulator::update<__ATOMIC_RELAXED, EMULATOR_ATOMIC_LOOP>(                           \
            address, [value](H2 old) { return old + value; });                                     \
    }

#define EMULATOR_SMALL_FLOAT(H, H2, name, to, from)                                                \
    EMULATOR_SMALL_TYPES(H, H2, to, from)                                                          \
    EMULATOR_SMALL_ARITHMETIC(H, H2)                                                               \
    EMULATOR_SMALL_OPERATORS(H, __h, , __hdiv)                                                     \
    EMULATOR_SMALL_STEPS(H)                                                                        \
    EMULATOR_SMALL_PAIRS(H, H2)                                                                    \
    EMULATOR_SMALL_OPERATORS(H2, __hb, 2, __h2div)                                                 \
    EMULATOR_SMALL_FUNCTIONS(H, H2)                                                                \
    EMULATOR_SMALL_CONVERSIONS(H, name)                                                            \
    EMULATOR_SMALL_HALVES(H, H2, name)                                                             \
    EMULATOR_SMALL_ATOMICS(H, H2)                                                                  \
    template <> constexpr bool emulator::is_shuffled<H> = true;                                    \
    template <> constexpr bool emulator::is_shuffled<H2> = true;
