/* byte05: one launch a call: the last block to finish writes the result. */
#include "lab.h"

enum { THREADS = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, UNROLL = 4, COPIES = 32 };

/* BEGIN SOLUTION: functions of your own that the kernel uses */
__device__ void count_word(uint32_t *mine, uint32_t word) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8)
        atomicAdd(&mine[(word >> shift & 0xff) * COPIES], 1);
}

__device__ void count_quad(uint32_t *mine, uint4 quad) {
    count_word(mine, quad.x);
    count_word(mine, quad.y);
    count_word(mine, quad.z);
    count_word(mine, quad.w);
}

/* A bin's copies added up, each thread beginning at another bank. */
__device__ uint32_t total(const uint32_t *counts, unsigned bin) {
    uint32_t sum = 0;
#pragma unroll
    for (unsigned k = 0; k < COPIES; k++)
        sum += counts[bin * COPIES + (bin + k) % COPIES];
    return sum;
}

/* Is this the last block to get here? Then it sees what all the others have written. */
__device__ bool last_block(unsigned *finished) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1; /* and back to 0 */
    __syncthreads();
    __threadfence();
    return last;
}
/* END SOLUTION */

__global__ void __launch_bounds__(THREADS)
    histogram(const uint8_t *buffer, size_t size, uint32_t *totals, unsigned *finished,
              uint32_t *histo) {
    /* BEGIN SOLUTION: count this block's bytes; the last block writes the answer */
    const uint4 *quads = (const uint4 *)buffer;
    const size_t quad_count = size / 16;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    /* Lane l counts in bank l alone: its copy of bin b is counts[b * COPIES + l]. */
    __shared__ uint32_t counts[BYTE_BINS * COPIES];
    for (unsigned c = threadIdx.x; c < BYTE_BINS * COPIES; c += THREADS)
        counts[c] = 0;
    __syncthreads();
    uint32_t *mine = counts + threadIdx.x % COPIES;

    size_t i = first;
    for (; i + (UNROLL - 1) * stride < quad_count; i += UNROLL * stride) {
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = __ldcs(&quads[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            count_quad(mine, quad[k]);
    }
    for (; i < quad_count; i += stride)
        count_quad(mine, __ldcs(&quads[i]));
    if (first < size % 16) /* the last bytes, which fill no quad */
        atomicAdd(&mine[buffer[16 * quad_count + first] * COPIES], 1);

    __syncthreads();
    if (threadIdx.x < BYTE_BINS)
        atomicAdd(&totals[threadIdx.x], total(counts, threadIdx.x));
    if (!last_block(finished))
        return;
    if (threadIdx.x < BYTE_BINS) {
        histo[threadIdx.x] = __ldcg(&totals[threadIdx.x]);
        totals[threadIdx.x] = 0;
    }
    /* END SOLUTION */
}

static uint32_t *totals;   /* of the present call; zero between calls */
static unsigned *finished; /* blocks that are done with the present call */
static int blocks;

void opt_bytehisto_setup(size_t size) {
    (void)size; /* the scratch memory has the size of the output */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&totals, BYTE_BINS * sizeof *totals));
    CUDA_CHECK(cudaMemset(totals, 0, BYTE_BINS * sizeof *totals));
    CUDA_CHECK(cudaMalloc(&finished, sizeof *finished));
    CUDA_CHECK(cudaMemset(finished, 0, sizeof *finished));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    /* BEGIN SOLUTION: launch the kernel */
    histogram<<<blocks, THREADS>>>(buffer, size, totals, finished, histo);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_bytehisto_teardown(void) {
    CUDA_CHECK(cudaFree(totals));
    CUDA_CHECK(cudaFree(finished));
}
