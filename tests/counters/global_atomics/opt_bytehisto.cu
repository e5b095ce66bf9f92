/* Atomics in global memory: coalesced, on one word, anywhere; with and without a used result. */
#include "lab.h"

enum { BLOCKS = 132, THREADS = 256, WORDS = 1 << 16, TURNS = 8 };

static uint32_t *counts;

__global__ void coalesced(uint32_t *counts) {
    for (unsigned i = 0; i < TURNS; i++)
        atomicAdd(&counts[(blockIdx.x * TURNS + i) * THREADS % WORDS + threadIdx.x], 1u);
}

/* All lanes at one word; the compiler is not told so (`zero`), and merges nothing. */
__global__ void one_word(uint32_t *counts, unsigned zero) {
    for (unsigned i = 0; i < TURNS; i++)
        atomicAdd(&counts[threadIdx.x * zero], 1u);
}

/* The compiler is told so, and has one lane of a warp add for all. */
__global__ void one_word_seen(uint32_t *counts) {
    for (unsigned i = 0; i < TURNS; i++)
        atomicAdd(&counts[i], 1u);
}

/* One thread of each block. */
__global__ void one_thread(uint32_t *counts) {
    if (threadIdx.x == 0)
        atomicAdd(counts, 1u);
}

__global__ void anywhere(uint32_t *counts, const uint32_t *data, uint32_t mask) {
    for (unsigned i = 0; i < TURNS; i++)
        atomicAdd(&counts[data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] >> 4 & mask], 1u);
}

__global__ void used(uint32_t *counts, const uint32_t *data, uint32_t mask) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < TURNS; i++)
        sum += atomicAdd(
            &counts[data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] >> 4 & mask], 1u);
    if (sum == 12345)
        *counts = sum;
}

__global__ void floats(float *counts, const uint32_t *data, uint32_t mask) {
    for (unsigned i = 0; i < TURNS; i++)
        atomicAdd(&counts[data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] >> 4 & mask],
                  1.0f);
}

__global__ void wide(unsigned long long *counts, const uint32_t *data, uint32_t mask) {
    for (unsigned i = 0; i < TURNS; i++)
        atomicAdd(&counts[data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] >> 4 & mask],
                  1ull);
}

__global__ void largest(uint32_t *counts, const uint32_t *data, uint32_t mask) {
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t value = data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x];
        atomicMax(&counts[value >> 4 & mask], value);
    }
}

__global__ void swap(uint32_t *counts, const uint32_t *data, uint32_t mask) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t value = data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x];
        sum += atomicExch(&counts[value >> 4 & mask], value);
        sum += atomicCAS(&counts[value >> 8 & mask], value, 1u);
    }
    if (sum == 12345)
        *counts = sum;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&counts, WORDS * sizeof *counts));
    CUDA_CHECK(cudaMemset(counts, 0, WORDS * sizeof *counts));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    const uint32_t *data = (const uint32_t *)buffer;
    coalesced<<<BLOCKS, THREADS>>>(counts);
    one_word<<<BLOCKS, THREADS>>>(counts, 0);
    one_word_seen<<<BLOCKS, THREADS>>>(counts);
    one_thread<<<BLOCKS, THREADS>>>(counts);
    const uint32_t words[] = {8, 256, WORDS};
    for (uint32_t count : words)
        anywhere<<<BLOCKS, THREADS>>>(counts, data, count - 1);
    used<<<BLOCKS, THREADS>>>(counts, data, 255);
    used<<<BLOCKS, THREADS>>>(counts, data, WORDS - 1);
    floats<<<BLOCKS, THREADS>>>((float *)counts, data, 255);
    wide<<<BLOCKS, THREADS>>>((unsigned long long *)counts, data, 255);
    largest<<<BLOCKS, THREADS>>>(counts, data, 255);
    swap<<<BLOCKS, THREADS>>>(counts, data, 255);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }
