/* Stores of 1, 2, 4, 8 and 16 bytes: coalesced, some words apart, scattered. */
#include "lab.h"

enum { BLOCKS = 264, THREADS = 256, BYTES = 1 << 20 };

static uint8_t *memory;

template <typename T> __global__ void store(T *to, size_t count, T value) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[i] = value;
}

__global__ void store_strided(uint32_t *to, size_t count, unsigned stride) {
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (size_t i = first * stride; i < count; i += step * stride)
        to[i] = (uint32_t)i;
}

/* All lanes that meet on a word store the same. */
__global__ void scatter(uint32_t *to, size_t count, const uint32_t *words, uint32_t mask) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[words[i] >> 8 & mask] = 1;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&memory, BYTES));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    uint32_t *words = (uint32_t *)memory;
    store<<<BLOCKS, THREADS>>>(memory, BYTES, (uint8_t)1);
    store<<<BLOCKS, THREADS>>>((uint16_t *)memory, BYTES / 2, (uint16_t)1);
    store<<<BLOCKS, THREADS>>>(words, BYTES / 4, 1u);
    store<<<BLOCKS, THREADS>>>((uint2 *)memory, BYTES / 8, make_uint2(1, 2));
    store<<<BLOCKS, THREADS>>>((uint4 *)memory, BYTES / 16, make_uint4(1, 2, 3, 4));
    store<<<BLOCKS, THREADS>>>(words + 1, BYTES / 4 - 1, 1u);
    CUDA_CHECK(cudaGetLastError());
    const unsigned strides[] = {2, 3, 8, 32};
    for (unsigned stride : strides) {
        store_strided<<<BLOCKS, THREADS>>>(words, BYTES / 4, stride);
        CUDA_CHECK(cudaGetLastError());
    }
    scatter<<<BLOCKS, THREADS>>>(words, BYTES / 4, (const uint32_t *)buffer, 63);
    scatter<<<BLOCKS, THREADS>>>(words, BYTES / 4, (const uint32_t *)buffer, BYTES / 4 - 1);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(memory)); }
