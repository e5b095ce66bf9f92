/* Numbers of 16 bits: half precision (IEEE 754 binary16) and bfloat16. */
#include "../include/emulated.h"

#include <math.h>
#include <string.h>

/* A format of 16 bits as IEEE 754 has it, with so many bits of fraction. */
static unsigned short to_bits(double value, int fraction_bits) {
    const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    const unsigned sign = signbit(value) ? 0x8000 : 0;
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
    unsigned units = (unsigned)nearbyint(scaled);
    /* A carry goes into the exponent; what is below 2^fraction_bits is subnormal. */
    unsigned bits = units + ((unsigned)(least + bias - 1) << fraction_bits);
    bits = bits < infinity ? bits : infinity;
    return (unsigned short)(sign | bits);
}

unsigned short emulator_to_half(double value) { return to_bits(value, 10); }
unsigned short emulator_to_bfloat(double value) { return to_bits(value, 7); }

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
