/* cooperative_groups::reduce over a tile or a coalesced group. */
#pragma once
#include "functional.h"

namespace cooperative_groups {
namespace details {
/* The one warp operation that does it, where there is one. Without it every thread combines all
 * values, in the order of the ranks, so that all get the same result. */
constexpr emulator_warp_operation NO_OPERATION = EMULATOR_SYNC;
template <typename Operation> constexpr emulator_warp_operation single_operation = NO_OPERATION;
#define EMULATOR_SINGLE(T, name, operation)                                                        \
    template <> inline constexpr emulator_warp_operation single_operation<name<T>> = operation;
EMULATOR_SINGLE(unsigned, plus, EMULATOR_ADD)
EMULATOR_SINGLE(int, plus, EMULATOR_ADD)
EMULATOR_SINGLE(unsigned, less, EMULATOR_MIN)
EMULATOR_SINGLE(int, less, EMULATOR_MIN_SIGNED)
EMULATOR_SINGLE(unsigned, greater, EMULATOR_MAX)
EMULATOR_SINGLE(int, greater, EMULATOR_MAX_SIGNED)
EMULATOR_SINGLE(unsigned, bit_and, EMULATOR_AND)
EMULATOR_SINGLE(unsigned, bit_or, EMULATOR_OR)
EMULATOR_SINGLE(unsigned, bit_xor, EMULATOR_XOR)
} // namespace details

template <typename Group, typename T, typename Operation>
EMULATOR_INLINE T reduce(const Group &group, T value, Operation operation) {
    constexpr emulator_warp_operation single = emulator::is_integer<T> && sizeof(T) == 4
                                                   ? details::single_operation<Operation>
                                                   : details::NO_OPERATION;
    if constexpr (single != details::NO_OPERATION)
        return emulator::from_bits<T>(
            emulator_warp(single, group.lanes(), emulator::to_bits(value), 0, EMULATOR_WARP));
    else
        return details::combine(group, value, operation, group.num_threads());
}
template <unsigned Size, typename Parent, typename T, typename Operation>
EMULATOR_INLINE T reduce(const thread_block_tile<Size, Parent, true> &group, T value,
                         Operation operation) {
    return group.combine(reduce(group.warp(), value, operation), operation);
}
} // namespace cooperative_groups
