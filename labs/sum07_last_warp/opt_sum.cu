/* sum07: the last 64 numbers are added by one warp, without barriers of the block. */
#include "lab.h"

enum { THREADS = 256 };

__device__ float element(const float *data, size_t i, size_t count) {
    return i < count ? data[i] : 0;
}

/* BEGIN SOLUTION: functions of your own that the kernel uses */
/* Within a warp __syncwarp is enough: each round reads, waits until all have read, then writes. */
__device__ void add_warp(float *shared, unsigned t) {
    float sum = shared[t] + shared[t + 32];
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        shared[t] = sum;
        __syncwarp();
        sum += shared[(t + offset) % 32];
        __syncwarp();
    }
    shared[t] = sum;
}
/* END SOLUTION */

__global__ void add_blocks(const float *data, size_t count, float *sums) {
    /* BEGIN SOLUTION: add up this block's elements */
    __shared__ float shared[THREADS];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * 2 * THREADS + t;
    shared[t] = element(data, i, count) + element(data, i + THREADS, count);
    __syncthreads();

    for (unsigned offset = THREADS / 2; offset > 32; offset /= 2) {
        if (t < offset)
            shared[t] += shared[t + offset];
        __syncthreads();
    }
    if (t < 32)
        add_warp(shared, t);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
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
