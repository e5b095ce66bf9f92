/* A block adds its numbers up by a scan: two buffers take turns, with one barrier a round. */
#include "lab.h"

enum { THREADS = 256 };

__device__ float element(const float *data, size_t i, size_t count) {
    return i < count ? data[i] : 0;
}

__global__ void add_blocks(const float *data, size_t count, float *sums) {
    __shared__ float prefix[2][THREADS];
    const unsigned t = threadIdx.x;
    unsigned from = 0;
    prefix[from][t] = element(data, (size_t)blockIdx.x * THREADS + t, count);
    __syncthreads();

    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        const float before = t >= distance ? prefix[from][t - distance] : 0;
        prefix[1 - from][t] = prefix[from][t] + before;
        from = 1 - from;
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = prefix[from][THREADS - 1];
}

static unsigned blocks_for(size_t count) { return max((count + THREADS - 1) / THREADS, (size_t)1); }

static float *sums[2]; /* one for each block: of a pass, and of the next */

void opt_sum_setup(size_t count) {
    CUDA_CHECK(cudaMalloc(&sums[0], blocks_for(count) * sizeof *sums[0]));
    CUDA_CHECK(cudaMalloc(&sums[1], blocks_for(count) * sizeof *sums[1]));
}

void opt_sum(const float *data, size_t count, float *result) {
    for (int pass = 0;; pass++) {
        const unsigned blocks = blocks_for(count);
        float *to = blocks == 1 ? result : sums[pass % 2];
        add_blocks<<<blocks, THREADS>>>(data, count, to);
        if (blocks == 1)
            break;
        data = to;
        count = blocks;
    }
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) {
    CUDA_CHECK(cudaFree(sums[0]));
    CUDA_CHECK(cudaFree(sums[1]));
}
