/* What device code can call: synchronization, warps, atomics, intrinsics. */
#pragma once
#include "cuda_runtime.h"

static constexpr int warpSize = EMULATOR_WARP;

#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
#if !__has_builtin(__builtin_assume)
#define __builtin_assume(condition) ((void)0)
#endif
#define __assume(condition) __builtin_assume(condition)

/* ---- waiting for other threads ---------------------------------------------------------- */

/* The caller's line tells barriers of a block apart, however often the compiler has copied one. */
EMULATOR_INLINE void __syncthreads(unsigned line = __builtin_LINE()) { emulator_syncthreads(line); }
#define EMULATOR_VOTE(name, result)                                                                \
    EMULATOR_INLINE int __syncthreads_##name(int predicate, unsigned line = __builtin_LINE()) {    \
        const emulator_votes votes = emulator_syncthreads_vote(predicate, line);                   \
        return result;                                                                             \
    }
EMULATOR_VOTE(count, (int)votes.holds)
EMULATOR_VOTE(and, votes.holds == votes.threads)
EMULATOR_VOTE(or, votes.holds != 0)
#undef EMULATOR_VOTE

EMULATOR_INLINE void __threadfence() { emulator_fence(1); }
EMULATOR_INLINE void __threadfence_block() { emulator_fence(0); }
EMULATOR_INLINE void __threadfence_system() { emulator_fence(1); }
EMULATOR_INLINE void __nanosleep(unsigned) { emulator_yield(); }
EMULATOR_INLINE long long clock64() { return (long long)emulator_nanoseconds(); }
[[noreturn]] EMULATOR_INLINE void __trap() { abort(); }
EMULATOR_INLINE void __brkpt() {}           /* without a debugger it does nothing */
EMULATOR_INLINE void __prof_trigger(int) {} /* nor does this one without a profiler */

/* ---- warps ------------------------------------------------------------------------------ */

namespace emulator {
/* Any value of up to 8 bytes as a number, and back. */
template <typename T> EMULATOR_INLINE uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8, "warp operations move at most 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T> EMULATOR_INLINE T from_bits(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* What __shfl_*_sync moves; the headers of small floats add theirs. */
template <typename T> constexpr bool is_shuffled = is_arithmetic<T>;

template <typename T>
EMULATOR_INLINE T shuffle(emulator_warp_operation operation, unsigned mask, T value,
                          unsigned argument, int width) {
    static_assert(is_shuffled<T>, "__shfl_*_sync moves numbers");
    return from_bits<T>(emulator_warp(operation, mask, to_bits(value), argument, (unsigned)width));
}
} // namespace emulator

EMULATOR_INLINE void __syncwarp(unsigned mask = 0xffffffff) {
    emulator_warp(EMULATOR_SYNC, mask, 0, 0, 32);
}
EMULATOR_INLINE __attribute__((always_inline)) unsigned __activemask() {
    return emulator_lanes_at(0);
}

#define EMULATOR_SHUFFLES(name, operation, Lane)                                                   \
    template <typename T>                                                                          \
    EMULATOR_INLINE T name(unsigned mask, T value, Lane lane, int width = 32) {                    \
        return emulator::shuffle(operation, mask, value, (unsigned)lane, width);                   \
    }
EMULATOR_SHUFFLES(__shfl_sync, EMULATOR_SHUFFLE, int)
EMULATOR_SHUFFLES(__shfl_up_sync, EMULATOR_SHUFFLE_UP, unsigned)
EMULATOR_SHUFFLES(__shfl_down_sync, EMULATOR_SHUFFLE_DOWN, unsigned)
EMULATOR_SHUFFLES(__shfl_xor_sync, EMULATOR_SHUFFLE_XOR, int)
#undef EMULATOR_SHUFFLES

#define EMULATOR_VOTE(T, name, operation)                                                          \
    EMULATOR_INLINE T name(unsigned mask, int predicate) {                                         \
        return (T)emulator_warp(operation, mask, predicate != 0, 0, 32);                           \
    }
EMULATOR_VOTE(int, __any_sync, EMULATOR_ANY)
EMULATOR_VOTE(int, __all_sync, EMULATOR_ALL)
EMULATOR_VOTE(unsigned, __ballot_sync, EMULATOR_BALLOT)
#undef EMULATOR_VOTE

template <typename T> EMULATOR_INLINE unsigned __match_any_sync(unsigned mask, T value) {
    return (unsigned)emulator_warp(EMULATOR_MATCH_ANY, mask, emulator::to_bits(value), 0, 32);
}
template <typename T> EMULATOR_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all) {
    unsigned lanes =
        (unsigned)emulator_warp(EMULATOR_MATCH_ALL, mask, emulator::to_bits(value), 0, 32);
    *all = lanes != 0;
    return lanes;
}

#define EMULATOR_REDUCE(T, name, operation)                                                        \
    EMULATOR_INLINE T __reduce_##name##_sync(unsigned mask, T value) {                             \
        return (T)(unsigned)emulator_warp(operation, mask, (unsigned)value, 0, 32);                \
    }
EMULATOR_REDUCE(unsigned, add, EMULATOR_ADD)
EMULATOR_REDUCE(int, add, EMULATOR_ADD)
EMULATOR_REDUCE(unsigned, min, EMULATOR_MIN)
EMULATOR_REDUCE(int, min, EMULATOR_MIN_SIGNED)
EMULATOR_REDUCE(unsigned, max, EMULATOR_MAX)
EMULATOR_REDUCE(int, max, EMULATOR_MAX_SIGNED)
EMULATOR_REDUCE(unsigned, and, EMULATOR_AND)
EMULATOR_REDUCE(unsigned, or, EMULATOR_OR)
EMULATOR_REDUCE(unsigned, xor, EMULATOR_XOR)

/* ---- atomics ---------------------------------------------------------------------------- */

namespace emulator {
/* Only this worker sees its shared memory, and threads switch only where they call the emulator.
 * So plain loads and stores are atomic there, and several times as fast. */
EMULATOR_INLINE bool is_shared(const void *address) {
    return !emulator_switches_threads && /* in between, as racy.c does */
           (uintptr_t)address - emulator_shared_begin < emulator_shared_bytes;
}

/* The unsigned integer of 1, 2, 4 or 8 bytes; the compare-and-swap works on it. */
template <size_t> struct word : identity<uint8_t> {};
template <> struct word<2> : identity<uint16_t> {};
template <> struct word<4> : identity<uint32_t> {};
template <> struct word<8> : identity<uint64_t> {};

/* Shared memory has an instruction for each operation on 32 bits that are no float. */
template <typename T> constexpr emulator_atomic instructions_for() {
    return sizeof(T) == 8 || is_floating<T> ? EMULATOR_ATOMIC_LOOP : EMULATOR_ATOMIC_PLAIN;
}

EMULATOR_INLINE void tell_atomic(emulator_atomic instructions) {
    if (emulator_next_atomic)
        emulator_next_atomic(instructions);
}

/* Another core has the line: one that keeps it for a while makes several times as many updates. */
EMULATOR_INLINE void back_off() {
    for (int i = 0; i < 256; i++)
#ifdef __x86_64__
        __builtin_ia32_pause();
#else
        __asm__ volatile("yield");
#endif
}

/* Replace *address by f(*address), atomically; return the old value. */
template <int order, emulator_atomic instructions, typename T, typename F>
EMULATOR_INLINE T update(T *address, F f) {
    typedef typename word<sizeof(T)>::type bits;
    if (is_shared(address)) {
        T old = *address;
        *address = f(old);
        return old;
    }
    tell_atomic(instructions);
    bits *where = reinterpret_cast<bits *>(address);
    bits seen = __atomic_load_n(where, __ATOMIC_RELAXED);
    for (;;) {
        T old = from_bits<T>(seen);
        if (__atomic_compare_exchange_n(where, &seen, (bits)to_bits(f(old)), true, order,
                                        __ATOMIC_RELAXED))
            return old;
        back_off();
    }
}

template <typename T> EMULATOR_INLINE T sum(T a, T b) {
    if constexpr (is_integer<T>)
        return (T)((typename word<sizeof(T)>::type)a + b); /* unsigned: it wraps around */
    else
        return a + b;
}

/* Who watches is told that it is an addition. Else `update` does it, which backs off. */
template <int order, typename T> EMULATOR_INLINE T add(T *address, T value) {
    if constexpr (is_integer<T>) {
        if (!is_shared(address) && (emulator_switches_threads || emulator_next_atomic)) {
            if (__builtin_constant_p(value))
                tell_atomic(value == 0       ? EMULATOR_ATOMIC_LOOK
                            : sizeof(T) == 8 ? EMULATOR_ATOMIC_KNOWN
                            : value == 1     ? EMULATOR_ATOMIC_ONE
                                             : EMULATOR_ATOMIC_PLAIN);
            else
                tell_atomic(instructions_for<T>());
            return __atomic_fetch_add(address, value, order);
        }
        if (__builtin_constant_p(value) && value == 0) /* who waits for another thread asks so */
            emulator_yield();
    }
    return update<order, instructions_for<T>()>(address,
                                                [value](T old) { return sum(old, value); });
}
} // namespace emulator

/* Forms for the block, the device and the system differ for the checked build alone, by `order`. */
#define EMULATOR_FORM(T, name, scope, expression)                                                  \
    EMULATOR_IF_CALLED EMULATOR_INLINE T name(T *address, T value) {                               \
        constexpr int order = scope;                                                               \
        return expression;                                                                         \
    }
#define EMULATOR_ATOMIC(T, name, expression)                                                       \
    EMULATOR_FORM(T, name, __ATOMIC_RELAXED, expression)                                           \
    EMULATOR_FORM(T, name##_block, EMULATOR_BLOCK_SCOPE, expression)                               \
    EMULATOR_FORM(T, name##_system, __ATOMIC_RELAXED, expression)
#define EMULATOR_UPDATE(T, name, expression)                                                       \
    EMULATOR_ATOMIC(T, name,                                                                       \
                    (emulator::update<order, emulator::instructions_for<T>()>(                     \
                        address, [value](T old) -> T { return expression; })))

#define EMULATOR_CAS(T, name, order)                                                               \
    EMULATOR_IF_CALLED EMULATOR_INLINE T name(T *address, T compare, T value) {                    \
        return emulator::update<order, EMULATOR_ATOMIC_SWAP>(                                      \
            address, [=](T old) -> T { return old == compare ? value : old; });                    \
    }
#define EMULATOR_CAS_FORMS(T)                                                                      \
    EMULATOR_CAS(T, atomicCAS, __ATOMIC_RELAXED)                                                   \
    EMULATOR_CAS(T, atomicCAS_block, EMULATOR_BLOCK_SCOPE)                                         \
    EMULATOR_CAS(T, atomicCAS_system, __ATOMIC_RELAXED)
#define EMULATOR_ADD_FORMS(T) EMULATOR_ATOMIC(T, atomicAdd, emulator::add<order>(address, value))
#define EMULATOR_EXCHANGE_FORMS(T)                                                                 \
    EMULATOR_ATOMIC(T, atomicExch,                                                                 \
                    (emulator::update<order, EMULATOR_ATOMIC_EXCHANGE>(                            \
                        address, [value](T) { return value; })))
#define EMULATOR_EXTREME_FORMS(T)                                                                  \
    EMULATOR_UPDATE(T, atomicMin, old < value ? old : value)                                       \
    EMULATOR_UPDATE(T, atomicMax, old > value ? old : value)
#define EMULATOR_INTEGER_FORMS(T)                                                                  \
    EMULATOR_ADD_FORMS(T)                                                                          \
    EMULATOR_EXCHANGE_FORMS(T)                                                                     \
    EMULATOR_EXTREME_FORMS(T)                                                                      \
    EMULATOR_CAS_FORMS(T)                                                                          \
    EMULATOR_UPDATE(T, atomicAnd, old &value)                                                      \
    EMULATOR_UPDATE(T, atomicOr, old | value)                                                      \
    EMULATOR_UPDATE(T, atomicXor, old ^ value)
EMULATOR_INTEGER_FORMS(int)
EMULATOR_INTEGER_FORMS(unsigned)
EMULATOR_INTEGER_FORMS(unsigned long long)
EMULATOR_ADD_FORMS(float)
EMULATOR_ADD_FORMS(double)
EMULATOR_EXCHANGE_FORMS(float)
EMULATOR_EXTREME_FORMS(long long)
EMULATOR_CAS_FORMS(unsigned short)
EMULATOR_ATOMIC(unsigned, atomicSub, emulator::add<order>(address, 0u - value))
EMULATOR_UPDATE(int, atomicSub, (int)((unsigned)old - (unsigned)value))
EMULATOR_UPDATE(unsigned, atomicInc, old >= value ? 0 : old + 1)
EMULATOR_UPDATE(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)

/* ---- loads and stores with a cache hint ------------------------------------------------- */

namespace emulator {
/* A kernel's `return` calls this: of names that begin with emulator_ a step has none. */
EMULATOR_INLINE void returns() { emulator_returns(); }

/* By its memory order the checked build knows a load past the L1 cache. */
template <bool past_l1, typename T> EMULATOR_INLINE T load(const T *address) {
    if constexpr (past_l1 && emulator::is_arithmetic<T>) {
        T value;
        __atomic_load(const_cast<T *>(address), &value, EMULATOR_PAST_L1);
        return value;
    } else {
        return *address;
    }
}
} // namespace emulator

#define EMULATOR_LOAD(name, past_l1)                                                               \
    template <typename T> EMULATOR_INLINE T name(const T *address) {                               \
        return emulator::load<past_l1>(address);                                                   \
    }
EMULATOR_LOAD(__ldca, false)
EMULATOR_LOAD(__ldcg, true)
EMULATOR_LOAD(__ldcs, false)
EMULATOR_LOAD(__ldlu, false)
EMULATOR_LOAD(__ldcv, true)

template <typename T> EMULATOR_INLINE T __ldg(const T *address) {
    if (emulator_read_only_load)
        emulator_read_only_load(address, sizeof *address);
    return *address;
}

/* The value's type is not deduced: the value converts as in an assignment. */
#define EMULATOR_STORE(name)                                                                       \
    template <typename T> EMULATOR_INLINE void name(T *address, const emulator::same<T> &value) {  \
        *address = value;                                                                          \
    }
EMULATOR_STORE(__stwb)
EMULATOR_STORE(__stcg)
EMULATOR_STORE(__stcs)
EMULATOR_STORE(__stwt)

/* ---- min and max: CUDA's overloads, so that mixed types give CUDA's results ------------- */

#define EMULATOR_EXTREMES(A, B, R)                                                                 \
    EMULATOR_INLINE R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                          \
    EMULATOR_INLINE R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
#define EMULATOR_INTEGER_EXTREMES(T)                                                               \
    EMULATOR_EXTREMES(T, T, T)                                                                     \
    EMULATOR_EXTREMES(unsigned T, unsigned T, unsigned T)                                          \
    EMULATOR_EXTREMES(T, unsigned T, unsigned T)                                                   \
    EMULATOR_EXTREMES(unsigned T, T, unsigned T)
EMULATOR_INTEGER_EXTREMES(int)
EMULATOR_INTEGER_EXTREMES(long)
EMULATOR_INTEGER_EXTREMES(long long)

#define EMULATOR_FLOAT_EXTREMES(A, B, R, f)                                                        \
    EMULATOR_INLINE R min(A a, B b) { return __builtin_fmin##f(a, b); }                            \
    EMULATOR_INLINE R max(A a, B b) { return __builtin_fmax##f(a, b); }
EMULATOR_FLOAT_EXTREMES(float, float, float, f)
EMULATOR_FLOAT_EXTREMES(double, double, double, )
EMULATOR_FLOAT_EXTREMES(float, double, double, )
EMULATOR_FLOAT_EXTREMES(double, float, double, )
#define EMULATOR_NAMED_EXTREMES(prefix, T)                                                         \
    EMULATOR_INLINE T prefix##min(T a, T b) { return min(a, b); }                                  \
    EMULATOR_INLINE T prefix##max(T a, T b) { return max(a, b); }
EMULATOR_NAMED_EXTREMES(u, unsigned)
EMULATOR_NAMED_EXTREMES(ll, long long)
EMULATOR_NAMED_EXTREMES(ull, unsigned long long)

/* ---- bits ------------------------------------------------------------------------------- */

EMULATOR_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
EMULATOR_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMULATOR_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
EMULATOR_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
EMULATOR_INLINE int __ffs(int x) { return __builtin_ffs(x); }
EMULATOR_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }

EMULATOR_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
EMULATOR_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

/* The n-th set bit (counting from 1) at or above `base`, or below it if n is negative. */
EMULATOR_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
    int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
    if (n == 0)
        return mask >> base & 1 ? base : 0xffffffff;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
        if ((mask >> bit & 1) && --left == 0)
            return (unsigned)bit;
    return 0xffffffff;
}

/* Each half byte of the selector picks one of the eight bytes of x and y, or spreads its sign. */
EMULATOR_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = selector >> 4 * i;
        unsigned byte =
            (unsigned)(bytes >> 8 * (pick & 7)) & 0xff; /* the fourth bit has no meaning */
        result |= byte << 8 * i;
    }
    return result;
}

EMULATOR_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)((((uint64_t)high << 32 | low) << (shift & 31)) >> 32);
}
EMULATOR_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
EMULATOR_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}
EMULATOR_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/* ---- integers --------------------------------------------------------------------------- */

EMULATOR_INLINE unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((uint64_t)a * b >> 32);
}
EMULATOR_INLINE int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
EMULATOR_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
EMULATOR_INLINE long long __mul64hi(long long a, long long b) {
    return (long long)((__int128)a * b >> 64);
}
EMULATOR_INLINE int __mul24(int a, int b) {
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                 (unsigned)((int)((unsigned)b << 8) >> 8));
}
EMULATOR_INLINE unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
EMULATOR_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}
EMULATOR_INLINE unsigned __sad(int a, int b, unsigned c) {
    return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}

/* ---- floating point --------------------------------------------------------------------- */

#define EMULATOR_BITS(From, name, To)                                                              \
    EMULATOR_INLINE To name(From x) { return emulator::from_bits<To>(emulator::to_bits(x)); }
EMULATOR_BITS(float, __float_as_int, int)
EMULATOR_BITS(float, __float_as_uint, unsigned)
EMULATOR_BITS(int, __int_as_float, float)
EMULATOR_BITS(unsigned, __uint_as_float, float)
EMULATOR_BITS(double, __double_as_longlong, long long)
EMULATOR_BITS(long long, __longlong_as_double, double)
EMULATOR_INLINE int __double2hiint(double x) { return (int)(emulator::to_bits(x) >> 32); }
EMULATOR_INLINE int __double2loint(double x) { return (int)emulator::to_bits(x); }
EMULATOR_INLINE double __hiloint2double(int high, int low) {
    return emulator::from_bits<double>((uint64_t)(unsigned)high << 32 | (unsigned)low);
}

/* Conversions to an integer stop at its limits, and NaN becomes 0. */
namespace emulator {
template <typename I, typename F> EMULATOR_INLINE I to_integer(F x) {
    if (x != x)
        return 0;
    F low = (F)least<I>, high = (F)largest<I>;
    return x <= low ? least<I> : x >= high ? largest<I> : (I)x;
}
} // namespace emulator

#define EMULATOR_CONVERTED(F, from, I, to, suffix, rounded)                                        \
    EMULATOR_IF_CALLED EMULATOR_INLINE I __##from##2##to##_##suffix(F x) {                         \
        return emulator::to_integer<I>(rounded(x));                                                \
    }
#define EMULATOR_CONVERT(F, from, I, to)                                                           \
    EMULATOR_CONVERTED(F, from, I, to, rz, __builtin_trunc)                                        \
    EMULATOR_CONVERTED(F, from, I, to, rn, __builtin_nearbyint)                                    \
    EMULATOR_CONVERTED(F, from, I, to, rd, __builtin_floor)                                        \
    EMULATOR_CONVERTED(F, from, I, to, ru, __builtin_ceil)
EMULATOR_CONVERT(float, float, int, int)
EMULATOR_CONVERT(float, float, unsigned, uint)
EMULATOR_CONVERT(float, float, long long, ll)
EMULATOR_CONVERT(float, float, unsigned long long, ull)
EMULATOR_CONVERT(double, double, int, int)
EMULATOR_CONVERT(double, double, unsigned, uint)
EMULATOR_CONVERT(double, double, long long, ll)
EMULATOR_CONVERT(double, double, unsigned long long, ull)
#undef EMULATOR_CONVERTED

EMULATOR_INLINE float __fdividef(float a, float b) { return a / b; }
EMULATOR_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
EMULATOR_INLINE_OF_C float rsqrtf(float x) noexcept { return 1.0f / __builtin_sqrtf(x); }
EMULATOR_INLINE_OF_C double rsqrt(double x) noexcept { return 1.0 / __builtin_sqrt(x); }
/* The C library uses these names too, but only before this line. */
#define __expf __builtin_expf
#define __exp10f(x) __builtin_powf(10.0f, x)
#define __logf __builtin_logf
#define __log2f __builtin_log2f
#define __log10f __builtin_log10f
#define __sinf __builtin_sinf
#define __cosf __builtin_cosf
#define __tanf __builtin_tanf
#define __powf __builtin_powf
#define __sincosf __builtin_sincosf

/* ---- four bytes or two halfwords in a word: each lane by one rule ----------------------- */

namespace emulator {
/* Apply f to the lanes of a and b, as numbers of type Lane; keep the low bits of each result. */
template <typename Lane, typename F>
EMULATOR_INLINE unsigned each_lane(unsigned a, unsigned b, F f) {
    constexpr int bits = 8 * sizeof(Lane);
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        int value = f((Lane)(a >> shift), (Lane)(b >> shift));
        result |= ((unsigned)value & ((1u << bits) - 1)) << shift;
    }
    return result;
}

/* The dot product of four bytes by four bytes. */
template <typename Lane, typename R> EMULATOR_INLINE R dot(unsigned a, unsigned b, R c) {
    unsigned sum = (unsigned)c;
    for (int first = 0; first < 32; first += 8) /* bits */
        sum += (unsigned)((Lane)(a >> first) * (Lane)(b >> first));
    return (R)sum;
}

/* Stop at the limits of the lane. */
template <typename Lane> EMULATOR_INLINE int saturate(int value) {
    int low = least<Lane>, high = largest<Lane>;
    return value < low ? low : value > high ? high : value;
}
} // namespace emulator

/* In each rule, a and b are one lane's values, widened to int. */
#define EMULATOR_LANES(name, Lane, rule)                                                           \
    EMULATOR_IF_CALLED EMULATOR_INLINE unsigned name(unsigned x, unsigned y) {                     \
        return emulator::each_lane<Lane>(x, y, [](int a, int b) -> int { return rule; });          \
    }

/* cmp fills a lane with ones where set puts a 1. */
#define EMULATOR_COMPARE(name, n, Lane, rule)                                                      \
    EMULATOR_LANES(__vcmp##name##n, Lane, (rule) ? -1 : 0)                                         \
    EMULATOR_LANES(__vset##name##n, Lane, (rule) ? 1 : 0)

#define EMULATOR_SIMD(n, U, S)                                                                     \
    EMULATOR_LANES(__vadd##n, U, a + b)                                                            \
    EMULATOR_LANES(__vaddus##n, U, emulator::saturate<U>(a + b))                                   \
    EMULATOR_LANES(__vaddss##n, S, emulator::saturate<S>(a + b))                                   \
    EMULATOR_LANES(__vsub##n, U, a - b)                                                            \
    EMULATOR_LANES(__vsubus##n, U, emulator::saturate<U>(a - b))                                   \
    EMULATOR_LANES(__vsubss##n, S, emulator::saturate<S>(a - b))                                   \
    EMULATOR_LANES(__vminu##n, U, a < b ? a : b)                                                   \
    EMULATOR_LANES(__vmins##n, S, a < b ? a : b)                                                   \
    EMULATOR_LANES(__vmaxu##n, U, a > b ? a : b)                                                   \
    EMULATOR_LANES(__vmaxs##n, S, a > b ? a : b)                                                   \
    EMULATOR_LANES(__vabsdiffu##n, U, a > b ? a - b : b - a)                                       \
    EMULATOR_LANES(__vabsdiffs##n, S, a > b ? a - b : b - a)                                       \
    EMULATOR_COMPARE(eq, n, U, a == b)                                                             \
    EMULATOR_COMPARE(ne, n, U, a != b)                                                             \
    EMULATOR_COMPARE(geu, n, U, a >= b)                                                            \
    EMULATOR_COMPARE(ges, n, S, a >= b)                                                            \
    EMULATOR_COMPARE(gtu, n, U, a > b)                                                             \
    EMULATOR_COMPARE(gts, n, S, a > b)                                                             \
    EMULATOR_COMPARE(leu, n, U, a <= b)                                                            \
    EMULATOR_COMPARE(les, n, S, a <= b)                                                            \
    EMULATOR_COMPARE(ltu, n, U, a < b)                                                             \
    EMULATOR_COMPARE(lts, n, S, a < b)

EMULATOR_SIMD(4, uint8_t, int8_t)
EMULATOR_SIMD(2, uint16_t, int16_t)

#define EMULATOR_DOT(R, Lane)                                                                      \
    EMULATOR_INLINE R __dp4a(R a, R b, R c) {                                                      \
        return emulator::dot<Lane>((unsigned)a, (unsigned)b, c);                                   \
    }
EMULATOR_DOT(int, int8_t)
EMULATOR_DOT(unsigned, uint8_t)
EMULATOR_INLINE int __dp4a(char4 a, char4 b, int c) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c;
}
EMULATOR_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return (unsigned)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}

#include "math_functions.h"
