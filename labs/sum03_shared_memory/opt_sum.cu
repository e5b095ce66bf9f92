/* sum03: a block adds up its elements in shared memory, and writes one sum. */
#include "lab.h"

enum { THREADS = 256 };

__device__ float element(const float *data, size_t i, size_t count) {
    return i < count ? data[i] : 0;
}

__global__ void add_blocks(const float *data, size_t count, float *sums) {
    /* BEGIN SOLUTION: add up this block's elements */
    __shared__ float shared[THREADS];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * THREADS + t;
    shared[t] = element(data, i, count);
    __syncthreads();

    for (unsigned offset = 1; offset < THREADS; offset *= 2) {
        if (t % (2 * offset) == 0)
            shared[t] += shared[t + offset];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
    /* END SOLUTION */
}

static unsigned blocks_for(size_t count) { return max((count + THREADS - 1) / THREADS, (size_t)1); }

static float *sums[2]; /* one for each block: of a pass, and of the next */

void opt_sum_setup(size_t count) {
    CUDA_CHECK(cudaMalloc(&sums[0], blocks_for(count) * sizeof *sums[0]));
    CUDA_CHECK(cudaMalloc(&sums[1], blocks_for(count) * sizeof *sums[1]));
}

void opt_sum(const float *data, size_t count, float *result) {
    /* BEGIN SOLUTION: launch passes until one sum is left */
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
    /* END SOLUTION */
}

void opt_sum_teardown(void) {
    CUDA_CHECK(cudaFree(sums[0]));
    CUDA_CHECK(cudaFree(sums[1]));
}
