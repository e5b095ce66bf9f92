/* Operations that round down, up or towards zero: the processor's own, in its own rounding mode.
 * What is volatile stays between the two calls. */
#include "../include/rounding.h"

#include <fenv.h>
#include <math.h>

static const int processor_modes[] = {
    [EMULATOR_NEAREST] = FE_TONEAREST,
    [EMULATOR_DOWN] = FE_DOWNWARD,
    [EMULATOR_UP] = FE_UPWARD,
    [EMULATOR_TO_ZERO] = FE_TOWARDZERO,
};

#define ROUNDED(T, name, root, multiply_add)                                                       \
    T name(enum emulator_rounded operation, enum emulator_rounding mode, T first, T second,        \
           T third) {                                                                              \
        volatile T a = first, b = second, c = third, result = 0;                                   \
        fesetround(processor_modes[mode]);                                                         \
        result = operation == EMULATOR_SUM            ? a + b                                      \
                 : operation == EMULATOR_DIFFERENCE   ? a - b                                      \
                 : operation == EMULATOR_PRODUCT      ? a * b                                      \
                 : operation == EMULATOR_QUOTIENT     ? a / b                                      \
                 : operation == EMULATOR_MULTIPLY_ADD ? multiply_add(a, b, c)                      \
                                                      : root(a);                                   \
        fesetround(FE_TONEAREST);                                                                  \
        return result;                                                                             \
    }
ROUNDED(float, emulator_rounded_float, sqrtf, fmaf)
ROUNDED(double, emulator_rounded_double, sqrt, fma)

#define CONVERTED(From, To, name)                                                                  \
    To name(enum emulator_rounding mode, From from) {                                              \
        volatile From value = from;                                                                \
        volatile To result;                                                                        \
        fesetround(processor_modes[mode]);                                                         \
        result = (To)value;                                                                        \
        fesetround(FE_TONEAREST);                                                                  \
        return result;                                                                             \
    }
CONVERTED(double, float, emulator_double_to_float)
CONVERTED(long long, float, emulator_signed_to_float)
CONVERTED(unsigned long long, float, emulator_unsigned_to_float)
CONVERTED(long long, double, emulator_signed_to_double)
CONVERTED(unsigned long long, double, emulator_unsigned_to_double)
