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
        switch (operation) {                                                                       \
        case EMULATOR_SUM:                                                                         \
            result = a + b;                                                                        \
            break;                                                                                 \
        case EMULATOR_DIFFERENCE:                                                                  \
            result = a - b;                                                                        \
            break;                                                                                 \
        case EMULATOR_PRODUCT:                                                                     \
            result = a * b;                                                                        \
            break;                                                                                 \
        case EMULATOR_QUOTIENT:                                                                    \
            result = a / b;                                                                        \
            break;                                                                                 \
        case EMULATOR_ROOT:                                                                        \
            result = root(a);                                                                      \
            break;                                                                                 \
        case EMULATOR_MULTIPLY_ADD:                                                                \
            result = multiply_add(a, b, c);                                                        \
            break;                                                                                 \
        }                                                                                          \
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
