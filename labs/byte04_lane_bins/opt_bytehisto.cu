/* byte04: a copy of every bin for each lane of a warp, so that no two lanes meet in a bank. */
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
/* END SOLUTION */

__global__ void __launch_bounds__(THREADS)
    histogram(const uint8_t *buffer, size_t size, uint32_t *histo) {
    /* BEGIN SOLUTION: count this block's bytes */
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
        atomicAdd(&histo[threadIdx.x], total(counts, threadIdx.x));
    /* END SOLUTION */
}

static int blocks;

void opt_bytehisto_setup(size_t size) {
    (void)size; /* no scratch memory is needed */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    /* BEGIN SOLUTION: clear the counts, then launch the kernel */
    CUDA_CHECK(cudaMemsetAsync(histo, 0, BYTE_BINS * sizeof *histo));
    histogram<<<blocks, THREADS>>>(buffer, size, histo);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_bytehisto_teardown(void) {}
