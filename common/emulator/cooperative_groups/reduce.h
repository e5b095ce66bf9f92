/* cooperative_groups::reduce over a tile or a coalesced group. */
#ifndef EMULATOR_COOPERATIVE_GROUPS_REDUCE_H
#define EMULATOR_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define EMULATOR_OPERATION(name, expression)                                                       \
    template <typename T>                                                                          \
    struct name {                                                                                  \
        T operator()(T a, T b) const { return expression; }                                        \
    };
EMULATOR_OPERATION(plus, a + b)
EMULATOR_OPERATION(less, b < a ? b : a)
EMULATOR_OPERATION(greater, a < b ? b : a)
EMULATOR_OPERATION(bit_and, a &b)
EMULATOR_OPERATION(bit_or, a | b)
EMULATOR_OPERATION(bit_xor, a ^ b)
#undef EMULATOR_OPERATION

/* Every thread adds up all values in the order of the ranks, so that all get the same result. */
template <typename Group, typename T, typename Operation>
EMULATOR_INLINE T reduce(const Group &group, T value, Operation operation) {
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.num_threads(); rank++)
        result = operation(result, group.shfl(value, rank));
    return result;
}

} // namespace cooperative_groups

#endif
