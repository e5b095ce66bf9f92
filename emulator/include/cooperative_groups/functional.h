/* What cooperative_groups::reduce and the scans combine values with, and how. */
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
#define EMULATOR_OPERATION(name, expression)                                                       \
    template <typename T> struct name {                                                            \
        T operator()(T a, T b) const { return expression; }                                        \
    };
EMULATOR_OPERATION(plus, a + b)
EMULATOR_OPERATION(less, b < a ? b : a)
EMULATOR_OPERATION(greater, a < b ? b : a)
EMULATOR_OPERATION(bit_and, a &b)
EMULATOR_OPERATION(bit_or, a | b)
EMULATOR_OPERATION(bit_xor, a ^ b)
#undef EMULATOR_OPERATION

namespace details {
/* Combine the values of the group's first `count` threads in the order of their ranks. */
template <typename Group, typename T, typename Operation>
EMULATOR_INLINE T combine(const Group &group, T value, Operation &operation, unsigned count) {
    uint64_t values[EMULATOR_WARP];
    emulator_warp_gather(group.lanes(), emulator::to_bits(value), values);
    T result = emulator::from_bits<T>(values[0]);
    for (unsigned rank = 1; rank < count; rank++)
        result = operation(result, emulator::from_bits<T>(values[rank]));
    return result;
}
} // namespace details
} // namespace cooperative_groups
