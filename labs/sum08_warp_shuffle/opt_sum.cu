/* sum08: a warp adds through registers, by shuffles. */
#include "lab.h"

enum { THREADS = 256 };

__device__ float element(const float *data, size_t i, size_t count) {
    return i < count ? data[i] : 0;
}

/* BEGIN SOLUTION: functions of your own that the kernel uses */
/* The sum of a warp's values, in its first lane. */
__device__ float add_warp(float sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(~0u, sum, offset);
    return sum;
}

/* The sum of the block's values, in its first thread. */
__device__ float add_block(float sum) {
    __shared__ float warps[THREADS / 32];
    sum = add_warp(sum);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0;
    return add_warp(threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0);
}
/* END SOLUTION */

__global__ void add_blocks(const float *data, size_t count, float *sums) {
    /* BEGIN SOLUTION: add up this block's elements */
    const size_t i = (size_t)blockIdx.x * 2 * THREADS + threadIdx.x;
    const float sum = add_block(element(data, i, count) + element(data, i + THREADS, count));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
    /* END SOLUTION */
}

static unsigned blocks_for(size_t count) {
    return max((count + (2 * THREADS) - 1) / (2 * THREADS), (size_t)1);
}

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
