/* Lanes of a warp that part: loops of different lengths, branches, early ends. Where the compiler
 * unrolls such a loop, lanes meet again that the source keeps apart: here it does not. */
#include "lab.h"

enum { BLOCKS = 264, THREADS = 256 };

static uint32_t *scratch;

/* Each lane's loop is as long as its first word says: 0 to 15 turns. */
__global__ void loops(const uint32_t *words, uint32_t *result) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned turns = words[thread] % 16;
    uint32_t sum = 0;
#pragma unroll 1
    for (unsigned i = 1; i <= turns; i++)
        sum += words[thread + i * 1024];
    if (sum == 12345)
        *result = sum;
}

/* A loop in a loop, both of different lengths. */
__global__ void nested_loops(const uint32_t *words, uint32_t *result) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t own = words[thread];
    uint32_t sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < own % 4; i++) {
        const uint32_t inner = words[thread + i * 512];
#pragma unroll 1
        for (unsigned k = 0; k < (inner >> 8) % 4; k++)
            sum += words[thread + k * 1024 + i];
    }
    if (sum == 12345)
        *result = sum;
}

/* Some lanes load here, the others there; the data tell which. */
__global__ void branches(const uint32_t *words, uint32_t *result) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t own = words[thread + i * 2048];
        if (own & 256)
            sum += words[thread + 32 + i * 64] * 3;
        else if (own & 512)
            sum ^= words[own % 4096] + 7;
    }
    if (sum == 12345)
        *result = sum;
}

/* Every other lane, every fourth warp. */
__global__ void some_lanes(const uint32_t *words, uint32_t *result) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;
    if (threadIdx.x % 2 == 0 && threadIdx.x / 32 % 4 == 0)
        for (unsigned i = 0; i < 8; i++)
            sum += words[thread + i * 1024];
    if (sum == 12345)
        *result = sum;
}

/* Lanes leave the loop at different turns, and the kernel at different places. */
__global__ void early_ends(const uint32_t *words, uint32_t *result) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (words[thread] % 8 == 0)
        return;
#pragma unroll 1
    for (unsigned i = 1;; i++) {
        const uint32_t next = words[thread + i * 256];
        if (next % 4 == 0 || i == 20)
            break;
        if (next == 12345)
            *result = next;
    }
    if (words[thread + 128] == 12345)
        *result = 1;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    const uint32_t *words = (const uint32_t *)buffer;
    loops<<<BLOCKS, THREADS>>>(words, scratch);
    nested_loops<<<BLOCKS, THREADS>>>(words, scratch);
    branches<<<BLOCKS, THREADS>>>(words, scratch);
    some_lanes<<<BLOCKS, THREADS>>>(words, scratch);
    early_ends<<<BLOCKS, THREADS>>>(words, scratch);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
