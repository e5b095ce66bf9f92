/* cooperative_groups::inclusive_scan and exclusive_scan over a tile or a coalesced group. */
#pragma once
#include "functional.h"

namespace cooperative_groups {
template <typename Group, typename T, typename Operation = plus<T>>
EMULATOR_INLINE T inclusive_scan(const Group &group, T value, Operation operation = Operation()) {
    return details::combine(group, value, operation, group.thread_rank() + 1);
}

/* Without the thread's own value; the first thread gets zero. */
template <typename Group, typename T, typename Operation = plus<T>>
EMULATOR_INLINE T exclusive_scan(const Group &group, T value, Operation operation = Operation()) {
    T before = details::combine(group, value, operation, group.thread_rank());
    return group.thread_rank() ? before : T();
}
} // namespace cooperative_groups
