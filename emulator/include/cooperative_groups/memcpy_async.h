/* cooperative_groups::memcpy_async: each thread of the group copies its share. */
#pragma once
#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {
/* Elements in turns, so that neighbours copy neighbours. */
template <typename Group, typename T>
EMULATOR_INLINE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    static_assert(__is_trivially_copyable(T), "copied byte by byte");
    for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
        ::emulator::copy_later(&to[i], &from[i], sizeof(T));
    ::emulator::copies_commit();
}
template <typename Group>
EMULATOR_INLINE void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
    memcpy_async(group, static_cast<char *>(to), static_cast<const char *>(from), bytes);
}
/* No more elements than either side has. */
template <typename Group, typename T>
EMULATOR_INLINE void memcpy_async(const Group &group, T *to, size_t room, const T *from,
                                  size_t count) {
    memcpy_async(group, to, from, (room < count ? room : count) * sizeof(T));
}

template <typename Group> EMULATOR_INLINE void wait(const Group &group) {
    ::emulator::copies_wait(0);
    group.sync();
}
template <unsigned prior, typename Group> EMULATOR_INLINE void wait_prior(const Group &group) {
    ::emulator::copies_wait(prior);
    group.sync();
}
} // namespace cooperative_groups
