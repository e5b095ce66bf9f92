/* Asynchronous copies to shared memory: complete at once; in the checked build, when waited for. */
#pragma once
#include "cuda_runtime.h"

namespace emulator {
EMULATOR_INLINE void copy_later(void *to, const void *from, size_t size) {
    if (emulator_next_copy_later)
        emulator_next_copy_later();
    memcpy(to, from, size);
}
EMULATOR_INLINE void copies_commit() {
    if (emulator_copies_commit)
        emulator_copies_commit();
}
EMULATOR_INLINE void copies_wait(size_t prior) {
    if (emulator_copies_wait)
        emulator_copies_wait(prior);
}
} // namespace emulator

/* Copy size - zeros bytes, and fill the rest with zeros. As on a device, 4, 8 or 16 bytes. */
EMULATOR_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                             size_t zeros = 0) {
    static constexpr char nothing[16] = {};
    assert(size == 4 || size == 8 || size == 16);
    assert(zeros <= size && (uintptr_t)to % size == 0 && (uintptr_t)from % size == 0);
    emulator::copy_later(to, from, size - zeros);
    if (zeros)
        emulator::copy_later(static_cast<char *>(to) + size - zeros, nothing, zeros);
}
EMULATOR_INLINE void __pipeline_commit() { emulator::copies_commit(); }
EMULATOR_INLINE void __pipeline_wait_prior(size_t prior) { emulator::copies_wait(prior); }
