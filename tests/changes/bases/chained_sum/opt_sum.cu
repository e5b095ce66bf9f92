/* A chain of blocks: each adds its sum to the sums of those before it, and tells the next one.
 * Blocks stand in the order in which they come here, so nobody waits for a block that has not
 * begun. */
#include "lab.h"

enum { THREADS = 256, BLOCKS_PER_MULTIPROCESSOR = 2 };

/* The sum of this block's elements, in every thread. */
__device__ float add_block(const float *data, size_t count) {
    __shared__ float shared[THREADS];
    const unsigned t = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * THREADS + t; i < count; i += gridDim.x * THREADS)
        sum += data[i];
    shared[t] = sum;
    __syncthreads();
    for (unsigned offset = THREADS / 2; offset > 0; offset /= 2) {
        if (t < offset)
            shared[t] += shared[t + offset];
        __syncthreads();
    }
    return shared[0];
}

__global__ void add_all(const float *data, size_t count, unsigned *begun, float *sums,
                        unsigned *ready, unsigned call, float *result) {
    float sum = add_block(data, count);
    if (threadIdx.x > 0)
        return;

    const unsigned place = atomicInc(begun, gridDim.x - 1); /* the last makes it 0 again */
    if (place > 0) {
        while (*(volatile unsigned *)&ready[place - 1] != call)
            __nanosleep(100);
        __threadfence();
        sum += sums[place - 1];
    }
    if (place == gridDim.x - 1) {
        *result = sum;
    } else {
        sums[place] = sum;
        __threadfence();
        *(volatile unsigned *)&ready[place] = call;
    }
}

static unsigned *begun; /* blocks that stand in the chain, 0 between calls */
static float *sums;     /* of the blocks up to each place */
static unsigned *ready; /* the last call that has written the sum of each place */
static unsigned call;
static int blocks;

void opt_sum_setup(size_t count) {
    (void)count; /* the scratch memory has the size of the launch */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    call = 0;
    CUDA_CHECK(cudaMalloc(&begun, sizeof *begun));
    CUDA_CHECK(cudaMemset(begun, 0, sizeof *begun));
    CUDA_CHECK(cudaMalloc(&sums, blocks * sizeof *sums));
    CUDA_CHECK(cudaMalloc(&ready, blocks * sizeof *ready));
    CUDA_CHECK(cudaMemset(ready, 0, blocks * sizeof *ready));
}

void opt_sum(const float *data, size_t count, float *result) {
    call++;
    add_all<<<blocks, THREADS>>>(data, count, begun, sums, ready, call, result);
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) {
    CUDA_CHECK(cudaFree(begun));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaFree(ready));
}
