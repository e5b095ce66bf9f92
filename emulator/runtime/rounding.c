#include "../include/rounding.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

void emulator_round(enum emulator_rounding mode) {
    static const int modes[] = {
        [EMULATOR_NEAREST] = FE_TONEAREST,
        [EMULATOR_DOWN] = FE_DOWNWARD,
        [EMULATOR_UP] = FE_UPWARD,
        [EMULATOR_TO_ZERO] = FE_TOWARDZERO,
    };
    fesetround(modes[mode]);
}

/* ---- numbers of 16 bits ------------------------------------------------------------------ */

/* What rounds up a magnitude between two numbers, `rest` of their distance above the lower one. */
static int rounds_up(double rest, int odd, int negative, enum emulator_rounding mode) {
    return mode == EMULATOR_NEAREST ? rest > 0.5 || (rest == 0.5 && odd)
                                    : rest > 0 && mode == (negative ? EMULATOR_DOWN : EMULATOR_UP);
}

/* A format of 16 bits as IEEE 754 has it, with so many bits of fraction. */
static unsigned short to_bits(double value, int fraction_bits, enum emulator_rounding mode) {
    const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    const int negative = signbit(value) != 0;
    const unsigned sign = (unsigned)negative << 15;
    if (value != value)
        return 0x7fff;
    if (isinf(value))
        return (unsigned short)(sign | infinity);
    if (value == 0)
        return (unsigned short)sign;
    int exponent;
    frexp(value, &exponent); /* value = f * 2^exponent, 1/2 <= |f| < 1 */
    int least = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    double scaled = ldexp(fabs(value), fraction_bits - least); /* in units of the last place */
    double whole = floor(scaled);
    unsigned units = (unsigned)whole;
    units += (unsigned)rounds_up(scaled - whole, units & 1, negative, mode);
    /* A carry goes into the exponent; what is below 2^fraction_bits is subnormal. */
    unsigned bits = units + ((unsigned)(least + bias - 1) << fraction_bits);
    if (bits >= infinity) {
        int stays = mode == EMULATOR_TO_ZERO || mode == (negative ? EMULATOR_UP : EMULATOR_DOWN);
        bits = stays ? infinity - 1 : infinity;
    }
    return (unsigned short)(sign | bits);
}

unsigned short emulator_to_half(double value, enum emulator_rounding mode) {
    return to_bits(value, 10, mode);
}

unsigned short emulator_to_bfloat(double value, enum emulator_rounding mode) {
    return to_bits(value, 7, mode);
}

float emulator_from_half(unsigned short bits) {
    uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = bits >> 10 & 31,
             fraction = bits & 1023;
    uint32_t wide = sign | (exponent + 112) << 23 | fraction << 13;
    float value;
    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    if (exponent == 31)
        wide = sign | 0x7f800000 | fraction << 13;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* The sum is rounded to an odd last bit, so that rounding it again does no harm (Boldo and
 * Melquiond, "Emulation of a FMA and correctly rounded sums", 2008). The product is exact. */
double emulator_multiply_add(double a, double b, double c) {
    volatile double product = a * b, sum = product + c, part = sum - product;
    volatile double lost = (product - (sum - part)) + (c - part);
    if (!isfinite(sum) || lost == 0)
        return sum;
    double s = sum;
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    if (!(bits & 1))
        bits += (lost > 0) == (s > 0) ? 1u : (uint64_t)-1;
    memcpy(&s, &bits, sizeof s);
    return s;
}
