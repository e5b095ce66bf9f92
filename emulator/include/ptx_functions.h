// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What inline PTX becomes: rewrite/ptx.c writes expressions with these. Each does what the PTX ISA
 * says of the instruction of its name. */
#ifndef EMULATOR_PTX_FUNCTIONS_H
#define EMULATOR_PTX_FUNCTIONS_H

#include "cuda_runtime.h"

namespace emulator {
namespace ptx {

/* ---- registers: bits, whatever the variable's type ---------------------------------------- */

template <size_t bytes>
struct bits;
template <>
struct bits<1> {
    typedef uint8_t type;
};
template <>
struct bits<2> {
    typedef uint16_t type;
};
template <>
struct bits<4> {
    typedef uint32_t type;
};
template <>
struct bits<8> {
    typedef uint64_t type;
};
template <typename T>
using bits_of = typename bits<sizeof(T)>::type;

/* The register that holds `from`, read as T. */
template <typename T, typename F>
EMULATOR_INLINE T as(const F &from) {
    if constexpr (is_integer<T> && (is_integer<F> || __is_enum(F))) {
        return (T)from;
    } else {
        bits_of<F> whole;
        __builtin_memcpy(&whole, &from, sizeof whole);
        bits_of<T> part = (bits_of<T>)whole;
        T result;
        __builtin_memcpy(&result, &part, sizeof result);
        return result;
    }
}
template <typename T>
EMULATOR_INLINE void set(T &to, bool value) {
    to = as<T>((uint32_t)value);
}
template <typename T, typename F>
EMULATOR_INLINE void set(T &to, const F &value) {
    to = as<T>(value);
}
EMULATOR_INLINE void set(bool &to, bool value) { to = value; }

/* ---- arithmetic ---------------------------------------------------------------------------- */

/* Integers wrap around, so they are computed without signs. */
template <typename T>
using without_sign = std::conditional_t<is_floating<T>, T, bits_of<T>>;
template <typename T>
using wide = std::conditional_t<sizeof(T) == 8,
                                std::conditional_t<(T)-1 < (T)0, __int128, unsigned __int128>,
                                std::conditional_t<(T)-1 < (T)0, int64_t, uint64_t>>;

EMULATOR_INLINE int mul24(int a, int b) { return __mul24(a, b); }
EMULATOR_INLINE unsigned mul24(unsigned a, unsigned b) { return __umul24(a, b); }
EMULATOR_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMULATOR_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
EMULATOR_INLINE float sqrt(float a) { return __builtin_sqrtf(a); }
EMULATOR_INLINE double sqrt(double a) { return __builtin_sqrt(a); }
/* By zero all bits are ones; the least number by -1 is itself. */
template <typename T>
EMULATOR_INLINE T div(T a, T b) {
    if constexpr (is_floating<T>)
        return a / b;
    else
        return b == 0 ? (T)-1 : (T)-1 < (T)0 && b == (T)-1 ? (T) - (bits_of<T>)a : (T)(a / b);
}
template <typename T>
EMULATOR_INLINE T rem(T a, T b) {
    return b == 0 ? a : (T)-1 < (T)0 && b == (T)-1 ? (T)0 : (T)(a % b);
}
template <typename T>
EMULATOR_INLINE T abs(T a) {
    if constexpr (is_floating<T>)
        return sizeof(T) == 4 ? (T)__builtin_fabsf((float)a) : (T)__builtin_fabs(a);
    else
        return a < 0 ? (T) - (bits_of<T>)a : a;
}

/* With the carry of a chain; sub's is a borrow. */
template <typename T, bool reads, bool writes>
EMULATOR_INLINE T add_carry(unsigned &carry, T a, T b) {
    unsigned __int128 sum = (unsigned __int128)(bits_of<T>)a + (bits_of<T>)b + (reads ? carry : 0);
    if (writes)
        carry = (unsigned)(sum >> 8 * sizeof(T)) & 1;
    return (T)sum;
}
template <typename T, bool reads, bool writes>
EMULATOR_INLINE T sub_carry(unsigned &carry, T a, T b) {
    unsigned __int128 all = (unsigned __int128)(bits_of<T>)a - (bits_of<T>)b - (reads ? carry : 0);
    if (writes)
        carry = (unsigned)(all >> 8 * sizeof(T)) & 1;
    return (T)all;
}

/* A value of one type as another, whole already: what an integer cannot hold becomes its limit. */
template <typename D, typename S>
EMULATOR_INLINE D whole(S from) {
    if constexpr (is_integer<D>)
        return to_integer<D>(from);
    else
        return (D)from;
}

/* ---- bits ---------------------------------------------------------------------------------- */

template <typename T>
EMULATOR_INLINE T bit_not(T a) {
    return sizeof(T) == 1 ? (T)!a : (T)~a; /* there is none of bytes but of predicates */
}
template <typename T>
EMULATOR_INLINE T shr(T a, uint32_t n) {
    return (T)(a >> (n >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : n) >> (n >= 8 * sizeof(T) ? 1 : 0));
}
template <typename T>
EMULATOR_INLINE uint32_t clz(T a) {
    return (uint32_t)(sizeof(T) == 8 ? __clzll((long long)a) : __clz((int)a));
}
/* The highest bit that is not the sign. */
template <typename T>
EMULATOR_INLINE uint32_t bfind(T a) {
    bits_of<T> x = (bits_of<T>)(a < 0 ? ~a : a);
    return x ? 8 * sizeof(T) - 1 - clz(x) : 0xffffffff;
}
template <typename T>
EMULATOR_INLINE T bfe(T a, uint32_t from, uint32_t length) {
    const uint32_t size = 8 * sizeof(T);
    from &= 0xff;
    length &= 0xff;
    if (length == 0)
        return 0;
    uint32_t last = from + length - 1 < size - 1 ? from + length - 1 : size - 1;
    bool sign = (T)-1 < (T)0 && ((bits_of<T>)a >> last & 1);
    bits_of<T> result = from < size ? (bits_of<T>)a >> from : 0;
    bits_of<T> kept = from < size ? last - from + 1 : 0;
    bits_of<T> mask = kept >= size ? (bits_of<T>)-1 : ((bits_of<T>)1 << kept) - 1;
    return (T)((result & mask) | (sign ? (bits_of<T>)~mask : 0));
}
template <typename T>
EMULATOR_INLINE T bfi(T a, T b, uint32_t from, uint32_t length) {
    from &= 0xff;
    length &= 0xff;
    T mask = length >= 8 * sizeof(T) ? (T)-1 : (T)(((T)1 << length) - 1);
    return from >= 8 * sizeof(T) ? b : (T)((b & ~(mask << from)) | (a & mask) << from);
}
/* Four bits of the selector for each byte, of which the highest spreads the byte's sign. */
template <typename T>
EMULATOR_INLINE T prmt(T a, T b, T selector) {
    uint64_t bytes = (uint64_t)b << 32 | a;
    T result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t pick = selector >> 4 * i, byte = (uint32_t)(bytes >> 8 * (pick & 7)) & 0xff;
        result |= (pick & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * i;
    }
    return result;
}
/* Bit by bit, by a table of eight answers. */
template <typename T>
EMULATOR_INLINE T lop3(T a, T b, T c, uint32_t table) {
    T result = 0;
    for (uint32_t k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return result;
}
template <typename T, typename S>
EMULATOR_INLINE T dp4a(T a, S b, T c) {
    for (int i = 0; i < 4; i++) {
        int32_t x = (T)-1 < (T)0 ? (int8_t)(a >> 8 * i) : (uint8_t)(a >> 8 * i);
        int32_t y = (S)-1 < (S)0 ? (int8_t)(b >> 8 * i) : (uint8_t)(b >> 8 * i);
        c = (T)((bits_of<T>)c + (bits_of<T>)(x * y));
    }
    return c;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* c: the last lane of a segment in bits 0 to 4, and from bit 8 which bits of the lane choose it. */
EMULATOR_INLINE int width_of(uint32_t c) { return 32 - (int)(c >> 8 & 31); }
EMULATOR_INLINE uint32_t multiprocessor() {
    return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) %
           emulator_multiprocessors();
}

/* ---- memory --------------------------------------------------------------------------------- */

template <bool shared, typename P>
EMULATOR_INLINE char *address(const P &p, long offset) {
    uint64_t at = as<uint64_t>(p);
    return (shared ? (char *)__cvta_shared_to_generic(at) : (char *)at) + offset;
}

enum manner { PLAIN, PAST_L1, VOLATILE, RELAXED };

template <typename T, unsigned n>
struct __attribute__((aligned(sizeof(T) * n))) vector {
    T part[n];
};

template <typename T, unsigned n, manner how>
EMULATOR_INLINE vector<T, n> load(const char *p) {
    vector<T, n> result;
    if constexpr (how == PLAIN) {
        result = *(const vector<T, n> *)p;
    } else {
        for (unsigned i = 0; i < n; i++) {
            const T *one = (const T *)p + i;
            if constexpr (how == VOLATILE) {
                result.part[i] = *(const volatile T *)one;
            } else if constexpr (how == PAST_L1) {
                result.part[i] = __ldcg(one);
            } else {
                bits_of<T> whole = __atomic_load_n((const bits_of<T> *)one, __ATOMIC_RELAXED);
                result.part[i] = from_bits<T>(whole);
            }
        }
    }
    return result;
}
template <typename T, unsigned n, manner how>
EMULATOR_INLINE void store(char *p, const vector<T, n> &value) {
    if constexpr (how == PLAIN || how == PAST_L1) {
        *(vector<T, n> *)p = value;
    } else {
        for (unsigned i = 0; i < n; i++) {
            T *one = (T *)p + i;
            *(volatile T *)one = value.part[i]; /* relaxed too: the analysis takes it for one */
        }
    }
}

/* CUDA's atomics have no form for a signed 64-bit number where it makes no difference. */
template <typename T>
using atomic_bits =
    std::conditional_t<sizeof(T) == 8, unsigned long long,
                       std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>;
template <typename T>
using atomic_number =
    std::conditional_t<sizeof(T) == 8,
                       std::conditional_t<(T)-1 < (T)0, long long, unsigned long long>, T>;

template <typename T>
EMULATOR_INLINE T atom_add(char *p, T value) {
    if constexpr (is_floating<T>)
        return atomicAdd((T *)p, value);
    else
        return (T)atomicAdd((atomic_bits<T> *)p, (atomic_bits<T>)value);
}
#define EMULATOR_ATOM(name, function, kind)                                                        \
    template <typename T>                                                                          \
    EMULATOR_INLINE T atom_##name(char *p, T value) {                                              \
        return (T)function((kind<T> *)p, (kind<T>)value);                                          \
    }
EMULATOR_ATOM(min, atomicMin, atomic_number)
EMULATOR_ATOM(max, atomicMax, atomic_number)
EMULATOR_ATOM(inc, atomicInc, atomic_bits)
EMULATOR_ATOM(dec, atomicDec, atomic_bits)
EMULATOR_ATOM(and, atomicAnd, atomic_bits)
EMULATOR_ATOM(or, atomicOr, atomic_bits)
EMULATOR_ATOM(xor, atomicXor, atomic_bits)
EMULATOR_ATOM(exch, atomicExch, atomic_bits)
#undef EMULATOR_ATOM
template <typename T>
EMULATOR_INLINE T atom_cas(char *p, T compare, T value) {
    return (T)atomicCAS((atomic_bits<T> *)p, (atomic_bits<T>)compare, (atomic_bits<T>)value);
}

/* cp.async: made at once. What lies behind the bytes of the source becomes 0. */
EMULATOR_INLINE void copy_async(char *to, const char *from, uint32_t bytes, uint32_t of_source) {
    __builtin_memcpy(to, from, of_source);
    __builtin_memset(to + of_source, 0, bytes - of_source);
}

} // namespace ptx
} // namespace emulator

#endif
