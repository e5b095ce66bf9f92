/* Asynchronous copies to shared memory: here each is complete when its call returns. */
#ifndef EMULATOR_CUDA_PIPELINE_PRIMITIVES_H
#define EMULATOR_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

/* Copy size - zeros bytes, and fill the rest with zeros. As on a device, 4, 8 or 16 bytes. */
EMULATOR_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                             size_t zeros = 0) {
    assert(size == 4 || size == 8 || size == 16);
    assert(zeros <= size && (uintptr_t)to % size == 0 && (uintptr_t)from % size == 0);
    memcpy(to, from, size - zeros);
    memset(static_cast<char *>(to) + size - zeros, 0, zeros);
}
EMULATOR_INLINE void __pipeline_commit() {}
EMULATOR_INLINE void __pipeline_wait_prior(size_t) {}

#endif
