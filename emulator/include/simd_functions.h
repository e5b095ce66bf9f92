// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Four bytes or two halfwords in a word: every function applies one lane's rule to each lane. */
#ifndef EMULATOR_SIMD_FUNCTIONS_H
#define EMULATOR_SIMD_FUNCTIONS_H

namespace emulator {

/* Apply f to the lanes of a and b, seen as numbers of type Lane; keep the low bits of each result.
 */
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

template <typename Lane, typename F>
EMULATOR_INLINE unsigned sum_lanes(unsigned a, unsigned b, F f) {
    constexpr int bits = 8 * sizeof(Lane);
    unsigned sum = 0;
    for (int shift = 0; shift < 32; shift += bits)
        sum += (unsigned)f((Lane)(a >> shift), (Lane)(b >> shift));
    return sum;
}

/* Stop at the limits of the lane. */
template <typename Lane>
EMULATOR_INLINE int saturate(int value) {
    int low = least<Lane>, high = largest<Lane>;
    return value < low ? low : value > high ? high : value;
}

} // namespace emulator

/* In each rule, a and b are one lane's values, widened to int. */
#define EMULATOR_LANES(name, Lane, rule)                                                           \
    EMULATOR_IF_CALLED EMULATOR_INLINE unsigned name(unsigned x, unsigned y) {                     \
        return emulator::each_lane<Lane>(x, y, [](int a, int b) -> int { return rule; });          \
    }
#define EMULATOR_LANES1(name, Lane, rule)                                                          \
    EMULATOR_IF_CALLED EMULATOR_INLINE unsigned name(unsigned x) {                                 \
        return emulator::each_lane<Lane>(x, 0, [](int a, int) -> int { return rule; });            \
    }
#define EMULATOR_SUM(name, Lane, rule)                                                             \
    EMULATOR_IF_CALLED EMULATOR_INLINE unsigned name(unsigned x, unsigned y) {                     \
        return emulator::sum_lanes<Lane>(x, y, [](int a, int b) -> int { return rule; });          \
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
    EMULATOR_LANES(__vavgu##n, U, (a + b + 1) >> 1)                                                \
    EMULATOR_LANES(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1)                                     \
    EMULATOR_LANES(__vhaddu##n, U, (a + b) >> 1)                                                   \
    EMULATOR_LANES(__vminu##n, U, a < b ? a : b)                                                   \
    EMULATOR_LANES(__vmins##n, S, a < b ? a : b)                                                   \
    EMULATOR_LANES(__vmaxu##n, U, a > b ? a : b)                                                   \
    EMULATOR_LANES(__vmaxs##n, S, a > b ? a : b)                                                   \
    EMULATOR_LANES(__vabsdiffu##n, U, a > b ? a - b : b - a)                                       \
    EMULATOR_LANES(__vabsdiffs##n, S, a > b ? a - b : b - a)                                       \
    EMULATOR_LANES1(__vabs##n, S, a < 0 ? -a : a)                                                  \
    EMULATOR_LANES1(__vabsss##n, S, emulator::saturate<S>(a < 0 ? -a : a))                         \
    EMULATOR_LANES1(__vneg##n, S, -a)                                                              \
    EMULATOR_LANES1(__vnegss##n, S, emulator::saturate<S>(-a))                                     \
    EMULATOR_SUM(__vsadu##n, U, a > b ? a - b : b - a)                                             \
    EMULATOR_SUM(__vsads##n, S, a > b ? a - b : b - a)                                             \
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

#undef EMULATOR_LANES
#undef EMULATOR_LANES1
#undef EMULATOR_SUM
#undef EMULATOR_COMPARE
#undef EMULATOR_SIMD

/* Dot products: four bytes by four bytes, and two halfwords by two of four bytes. */
namespace emulator {
template <typename A, typename B, typename R>
EMULATOR_INLINE R dot4(unsigned a, unsigned b, R c) {
    unsigned sum = (unsigned)c;
    for (int i = 0; i < 4; i++)
        sum += (unsigned)((A)(a >> 8 * i) * (B)(b >> 8 * i));
    return (R)sum;
}
template <typename A, typename B, typename R>
EMULATOR_INLINE R dot2(unsigned a, unsigned b, R c) {
    unsigned sum = (unsigned)c;
    for (int i = 0; i < 2; i++)
        sum += (unsigned)((A)(a >> 16 * i) * (B)(b >> 8 * i));
    return (R)sum;
}
} // namespace emulator

EMULATOR_INLINE int __dp4a(int a, int b, int c) {
    return emulator::dot4<int8_t, int8_t>((unsigned)a, (unsigned)b, c);
}
EMULATOR_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    return emulator::dot4<uint8_t, uint8_t>(a, b, c);
}
EMULATOR_INLINE int __dp2a_lo(int a, int b, int c) {
    return emulator::dot2<int16_t, int8_t>((unsigned)a, (unsigned)b, c);
}
EMULATOR_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return emulator::dot2<uint16_t, uint8_t>(a, b, c);
}
EMULATOR_INLINE int __dp2a_hi(int a, int b, int c) {
    return emulator::dot2<int16_t, int8_t>((unsigned)a, (unsigned)b >> 16, c);
}
EMULATOR_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return emulator::dot2<uint16_t, uint8_t>(a, b >> 16, c);
}
EMULATOR_INLINE int __dp4a(char4 a, char4 b, int c) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c;
}
EMULATOR_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return (unsigned)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}

#endif
