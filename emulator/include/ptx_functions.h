// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What inline PTX becomes: ptx/translate.c writes calls of these. Each does what the PTX ISA says
 * of the instruction of its name. */
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
using wide = std::conditional_t<sizeof(T) == 8,
                                std::conditional_t<(T)-1 < (T)0, __int128, unsigned __int128>,
                                std::conditional_t<(T)-1 < (T)0, int64_t, uint64_t>>;

template <typename T>
EMULATOR_INLINE T copy(T a) {
    return a;
}
template <typename T>
EMULATOR_INLINE T add(T a, T b) {
    if constexpr (is_floating<T>)
        return a + b;
    else
        return (T)((bits_of<T>)a + (bits_of<T>)b);
}
template <typename T>
EMULATOR_INLINE T sub(T a, T b) {
    if constexpr (is_floating<T>)
        return a - b;
    else
        return (T)((bits_of<T>)a - (bits_of<T>)b);
}
template <typename T>
EMULATOR_INLINE T mul_lo(T a, T b) {
    return (T)((wide<T>)a * (wide<T>)b);
}
template <typename T>
EMULATOR_INLINE T mul(T a, T b) {
    static_assert(is_floating<T>, "mul of integers says which half");
    return a * b;
}
template <typename T>
EMULATOR_INLINE T mul_hi(T a, T b) {
    return (T)((wide<T>)a * (wide<T>)b >> 8 * sizeof(T));
}
template <typename T>
EMULATOR_INLINE auto mul_wide(T a, T b) {
    typedef std::conditional_t<sizeof(T) == 4, wide<T>,
                               std::conditional_t<(T)-1 < (T)0, int32_t, uint32_t>>
        twice;
    return (twice)((twice)a * (twice)b);
}
template <typename T>
EMULATOR_INLINE T mul24(T a, T b) {
    if constexpr ((T)-1 < (T)0)
        return __mul24(a, b);
    else
        return __umul24(a, b);
}
template <typename T>
EMULATOR_INLINE T mad_lo(T a, T b, T c) {
    return add(mul_lo(a, b), c);
}
template <typename T>
EMULATOR_INLINE T mad_hi(T a, T b, T c) {
    return add(mul_hi(a, b), c);
}
template <typename T, typename W>
EMULATOR_INLINE W mad_wide(T a, T b, W c) {
    return add((W)mul_wide(a, b), c);
}
template <typename T>
EMULATOR_INLINE T fma(T a, T b, T c) {
    if constexpr (sizeof(T) == 4)
        return __builtin_fmaf(a, b, c);
    else
        return __builtin_fma(a, b, c);
}
/* By zero all bits are ones; the least number by -1 is itself. */
template <typename T>
EMULATOR_INLINE T div(T a, T b) {
    if constexpr (is_floating<T>)
        return a / b;
    else
        return b == 0 ? (T)-1 : (T)-1 < (T)0 && b == (T)-1 ? sub((T)0, a) : (T)(a / b);
}
template <typename T>
EMULATOR_INLINE T rem(T a, T b) {
    return b == 0 ? a : (T)-1 < (T)0 && b == (T)-1 ? (T)0 : (T)(a % b);
}
template <typename T>
EMULATOR_INLINE T neg(T a) {
    if constexpr (is_floating<T>)
        return -a;
    else
        return sub((T)0, a);
}
template <typename T>
EMULATOR_INLINE T abs(T a) {
    if constexpr (is_floating<T>)
        return sizeof(T) == 4 ? (T)__builtin_fabsf((float)a) : (T)__builtin_fabs(a);
    else
        return a < 0 ? neg(a) : a;
}
template <typename T>
EMULATOR_INLINE T min(T a, T b) {
    if constexpr (is_floating<T>)
        return ::min(a, b);
    else
        return a < b ? a : b;
}
template <typename T>
EMULATOR_INLINE T max(T a, T b) {
    if constexpr (is_floating<T>)
        return ::max(a, b);
    else
        return a > b ? a : b;
}
template <typename T>
EMULATOR_INLINE T sad(T a, T b, T c) {
    return add(c, a > b ? sub(a, b) : sub(b, a));
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
template <typename T, bool reads, bool writes>
EMULATOR_INLINE T mad_lo_carry(unsigned &carry, T a, T b, T c) {
    return add_carry<T, reads, writes>(carry, mul_lo(a, b), c);
}
template <typename T, bool reads, bool writes>
EMULATOR_INLINE T mad_hi_carry(unsigned &carry, T a, T b, T c) {
    return add_carry<T, reads, writes>(carry, mul_hi(a, b), c);
}

/* ---- bits ---------------------------------------------------------------------------------- */

template <typename T>
EMULATOR_INLINE T bit_and(T a, T b) {
    return a & b;
}
template <typename T>
EMULATOR_INLINE T bit_or(T a, T b) {
    return a | b;
}
template <typename T>
EMULATOR_INLINE T bit_xor(T a, T b) {
    return a ^ b;
}
template <typename T>
EMULATOR_INLINE T bit_not(T a) {
    return sizeof(T) == 1 ? (T)!a : (T)~a; /* there is none of bytes but of predicates */
}
template <typename T>
EMULATOR_INLINE T shl(T a, uint32_t n) {
    return n >= 8 * sizeof(T) ? 0 : (T)((bits_of<T>)a << n);
}
template <typename T>
EMULATOR_INLINE T shr(T a, uint32_t n) {
    return (T)(a >> (n >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : n) >> (n >= 8 * sizeof(T) ? 1 : 0));
}
template <typename T>
EMULATOR_INLINE uint32_t popc(T a) {
    return (uint32_t)__builtin_popcountll((bits_of<T>)a);
}
template <typename T>
EMULATOR_INLINE uint32_t clz(T a) {
    return (uint32_t)(sizeof(T) == 8 ? __clzll((long long)a) : __clz((int)a));
}
template <typename T>
EMULATOR_INLINE T brev(T a) {
    return sizeof(T) == 8 ? (T)__brevll(a) : (T)__brev((unsigned)a);
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
template <typename T>
EMULATOR_INLINE T shf_l(T low, T high, uint32_t n) {
    return __funnelshift_l(low, high, n);
}
template <typename T>
EMULATOR_INLINE T shf_r(T low, T high, uint32_t n) {
    return __funnelshift_r(low, high, n);
}
template <typename T>
EMULATOR_INLINE T shf_lc(T low, T high, uint32_t n) {
    return __funnelshift_lc(low, high, n);
}
template <typename T>
EMULATOR_INLINE T shf_rc(T low, T high, uint32_t n) {
    return __funnelshift_rc(low, high, n);
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
template <typename T>
EMULATOR_INLINE T selp(T a, T b, bool p) {
    return p ? a : b;
}
template <typename T, typename S>
EMULATOR_INLINE T dp4a(T a, S b, T c) {
    for (int i = 0; i < 4; i++) {
        int32_t x = (T)-1 < (T)0 ? (int8_t)(a >> 8 * i) : (uint8_t)(a >> 8 * i);
        int32_t y = (S)-1 < (S)0 ? (int8_t)(b >> 8 * i) : (uint8_t)(b >> 8 * i);
        c = add(c, (T)(x * y));
    }
    return c;
}
template <typename T>
EMULATOR_INLINE T vabsdiff4_add(T a, T b, T c) {
    static_assert((T)-1 > (T)0, "vabsdiff4 of bytes without signs");
    for (int i = 0; i < 4; i++) {
        T x = a >> 8 * i & 0xff, y = b >> 8 * i & 0xff;
        c += x > y ? x - y : y - x;
    }
    return c;
}

/* ---- functions, comparisons, conversions --------------------------------------------------- */

template <typename T>
EMULATOR_INLINE T sqrt(T a) {
    return sizeof(T) == 4 ? (T)__builtin_sqrtf((float)a) : (T)__builtin_sqrt(a);
}
template <typename T>
EMULATOR_INLINE T rsqrt(T a) {
    return 1 / sqrt(a);
}
template <typename T>
EMULATOR_INLINE T rcp(T a) {
    return 1 / a;
}
template <typename T>
EMULATOR_INLINE T ex2(T a) {
    return (T)__builtin_exp2((double)a);
}
template <typename T>
EMULATOR_INLINE T lg2(T a) {
    return (T)__builtin_log2((double)a);
}
template <typename T>
EMULATOR_INLINE T sine(T a) {
    return (T)__builtin_sin((double)a);
}
template <typename T>
EMULATOR_INLINE T cosine(T a) {
    return (T)__builtin_cos((double)a);
}
template <typename T>
EMULATOR_INLINE T tanh(T a) {
    return (T)__builtin_tanh((double)a);
}

#define EMULATOR_COMPARISON(name, expression)                                                      \
    template <typename T>                                                                          \
    EMULATOR_INLINE bool is_##name(T a, T b) {                                                     \
        return expression;                                                                         \
    }
EMULATOR_COMPARISON(eq, a == b)
EMULATOR_COMPARISON(ne, a<b || a> b)
EMULATOR_COMPARISON(lt, a < b)
EMULATOR_COMPARISON(le, a <= b)
EMULATOR_COMPARISON(gt, a > b)
EMULATOR_COMPARISON(ge, a >= b)
EMULATOR_COMPARISON(lo, a < b)
EMULATOR_COMPARISON(ls, a <= b)
EMULATOR_COMPARISON(hi, a > b)
EMULATOR_COMPARISON(hs, a >= b)
EMULATOR_COMPARISON(equ, !(a < b || a > b))
EMULATOR_COMPARISON(neu, a != b)
EMULATOR_COMPARISON(ltu, !(a >= b))
EMULATOR_COMPARISON(leu, !(a > b))
EMULATOR_COMPARISON(gtu, !(a <= b))
EMULATOR_COMPARISON(geu, !(a < b))
EMULATOR_COMPARISON(num, a == a && b == b)
EMULATOR_COMPARISON(nan, a != a || b != b)
#undef EMULATOR_COMPARISON

template <typename D, typename S>
EMULATOR_INLINE D convert(S from) {
    static_assert(is_floating<D> || is_integer<S>, "cvt to an integer says how it rounds");
    return (D)from;
}
template <typename D, typename S>
EMULATOR_INLINE D convert_rz(S from) {
    if constexpr (is_integer<D>)
        return to_integer<D>(__builtin_trunc(from));
    else
        return (D)__builtin_trunc(from);
}
template <typename D, typename S>
EMULATOR_INLINE D convert_rn(S from) {
    if constexpr (is_integer<D>)
        return to_integer<D>(__builtin_rint(from));
    else
        return (D)__builtin_rint(from);
}
template <typename D, typename S>
EMULATOR_INLINE D convert_rd(S from) {
    if constexpr (is_integer<D>)
        return to_integer<D>(__builtin_floor(from));
    else
        return (D)__builtin_floor(from);
}
template <typename D, typename S>
EMULATOR_INLINE D convert_ru(S from) {
    if constexpr (is_integer<D>)
        return to_integer<D>(__builtin_ceil(from));
    else
        return (D)__builtin_ceil(from);
}

/* ---- lanes ---------------------------------------------------------------------------------- */

template <typename T>
EMULATOR_INLINE uint32_t activemask() {
    return __activemask();
}
template <typename T>
EMULATOR_INLINE uint32_t ballot(bool p, uint32_t mask) {
    return __ballot_sync(mask, p);
}
template <typename T>
EMULATOR_INLINE bool any(bool p, uint32_t mask) {
    return __any_sync(mask, p);
}
template <typename T>
EMULATOR_INLINE bool all(bool p, uint32_t mask) {
    return __all_sync(mask, p);
}
/* c: the last lane of a segment in bits 0 to 4, and from bit 8 which bits of the lane choose it. */
EMULATOR_INLINE int width_of(uint32_t c) { return 32 - (int)(c >> 8 & 31); }
template <typename T>
EMULATOR_INLINE T shfl_idx(T a, uint32_t lane, uint32_t c, uint32_t mask) {
    return __shfl_sync(mask, a, (int)lane, width_of(c));
}
template <typename T>
EMULATOR_INLINE T shfl_up(T a, uint32_t delta, uint32_t c, uint32_t mask) {
    return __shfl_up_sync(mask, a, delta, width_of(c));
}
template <typename T>
EMULATOR_INLINE T shfl_down(T a, uint32_t delta, uint32_t c, uint32_t mask) {
    return __shfl_down_sync(mask, a, delta, width_of(c));
}
template <typename T>
EMULATOR_INLINE T shfl_bfly(T a, uint32_t lanes, uint32_t c, uint32_t mask) {
    return __shfl_xor_sync(mask, a, (int)lanes, width_of(c));
}
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
EMULATOR_INLINE uint64_t to_shared(uint64_t p) { return __cvta_generic_to_shared((void *)p); }
EMULATOR_INLINE uint64_t from_shared(uint64_t p) { return (uint64_t)__cvta_shared_to_generic(p); }
EMULATOR_INLINE uint64_t same_address(uint64_t p) { return p; }

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
