/* The last warp of a block to arrive adds up what all of its warps have left: no barrier at the
 * end. */
#include "lab.h"

enum { THREADS = 256, WARPS = THREADS / 32 };

__device__ float element(const float *data, size_t i, size_t count) {
    return i < count ? data[i] : 0;
}

__device__ float add_warp(float sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(~0u, sum, offset);
    return sum;
}

__global__ void add_blocks(const float *data, size_t count, float *sums) {
    __shared__ float warps[WARPS];
    __shared__ unsigned arrived;
    if (threadIdx.x == 0)
        arrived = 0;
    __syncthreads();

    const float sum = add_warp(element(data, (size_t)blockIdx.x * THREADS + threadIdx.x, count));
    if (threadIdx.x % 32 != 0)
        return;
    warps[threadIdx.x / 32] = sum;
    __threadfence_block();
    if (atomicAdd(&arrived, 1) == WARPS - 1) {
        __threadfence_block();
        float total = 0;
        for (int warp = 0; warp < WARPS; warp++)
            total += warps[warp];
        sums[blockIdx.x] = total;
    }
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
