/* Warps that add up before they add: by votes, shuffles and matches. */
#include "lab.h"

enum { BLOCKS = 132, THREADS = 256, TURNS = 16, BINS = 16 };

static uint32_t *counts;

/* One lane adds what a vote says. */
__global__ void by_vote(uint32_t *counts, const uint32_t *data) {
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t value = data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x];
        const unsigned odd = __ballot_sync(~0u, value & 1);
        if (threadIdx.x % 32 == 0)
            atomicAdd(counts, (uint32_t)__popc(odd));
    }
}

/* One lane of each group that has the same bin adds for the group. */
__global__ void by_match(uint32_t *counts, const uint32_t *data) {
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t bin =
            data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] >> 4 & (BINS - 1);
        const unsigned group = __match_any_sync(~0u, bin);
        if (threadIdx.x % 32 == (unsigned)__ffs((int)group) - 1)
            atomicAdd(&counts[bin], (uint32_t)__popc(group));
    }
}

/* The lanes that are here elect one. */
__global__ void by_active(uint32_t *counts, const uint32_t *data) {
    for (unsigned i = 0; i < TURNS; i++)
        if (data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] & 256) {
            const unsigned active = __activemask();
            if (threadIdx.x % 32 == (unsigned)__ffs((int)active) - 1)
                atomicAdd(counts, (uint32_t)__popc(active));
        }
}

/* A block's sum by shuffles and shared memory. */
__global__ void by_shuffle(uint32_t *counts, const uint32_t *data) {
    __shared__ uint32_t warps[THREADS / 32];
    uint32_t sum = 0;
    for (unsigned i = 0; i < TURNS; i++)
        sum += data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x] & 1;
    for (unsigned distance = 16; distance; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < THREADS / 32) {
        sum = warps[threadIdx.x];
        for (unsigned distance = THREADS / 64; distance; distance /= 2)
            sum += __shfl_down_sync((1u << THREADS / 32) - 1, sum, distance);
        if (threadIdx.x == 0)
            atomicAdd(counts, sum);
    }
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&counts, BINS * sizeof *counts));
    CUDA_CHECK(cudaMemset(counts, 0, BINS * sizeof *counts));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    const uint32_t *data = (const uint32_t *)buffer;
    by_vote<<<BLOCKS, THREADS>>>(counts, data);
    by_match<<<BLOCKS, THREADS>>>(counts, data);
    by_active<<<BLOCKS, THREADS>>>(counts, data);
    by_shuffle<<<BLOCKS, THREADS>>>(counts, data);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }
