/* text06: 16 characters in one load, and several loads in flight. */
#include "lab.h"

enum { THREADS = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, UNROLL = 4 };
enum { LETTERS = 26, LETTERS_PER_BIN = 4 };

/* BEGIN SOLUTION: functions of your own that the kernel uses */
__device__ void count_word(uint32_t *counts, uint32_t word) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
        const unsigned letter = (word >> shift & 0xff) - 'a'; /* what lies below 'a' wraps around */
        if (letter < LETTERS)
            atomicAdd(&counts[letter / LETTERS_PER_BIN], 1);
    }
}

__device__ void count_quad(uint32_t *counts, uint4 quad) {
    count_word(counts, quad.x);
    count_word(counts, quad.y);
    count_word(counts, quad.z);
    count_word(counts, quad.w);
}
/* END SOLUTION */

__global__ void __launch_bounds__(THREADS)
    histogram(const char *text, size_t length, uint32_t *histo) {
    /* BEGIN SOLUTION: count this block's letters */
    const uint4 *quads = (const uint4 *)text;
    const size_t quad_count = length / 16;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    __shared__ uint32_t counts[TEXT_BINS];
    if (threadIdx.x < TEXT_BINS)
        counts[threadIdx.x] = 0;
    __syncthreads();

    size_t i = first;
    for (; i + (UNROLL - 1) * stride < quad_count; i += UNROLL * stride) {
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = __ldcs(&quads[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            count_quad(counts, quad[k]);
    }
    for (; i < quad_count; i += stride)
        count_quad(counts, __ldcs(&quads[i]));
    if (first < length % 16) /* the last characters, which fill no quad */
        count_word(counts, (uint8_t)text[16 * quad_count + first]);

    __syncthreads();
    if (threadIdx.x < TEXT_BINS)
        atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
    /* END SOLUTION */
}

static int blocks;

void opt_texthisto_setup(size_t length) {
    (void)length; /* no scratch memory is needed */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
}

void opt_texthisto(const char *text, size_t length, uint32_t *histo) {
    /* BEGIN SOLUTION: clear the counts, then launch the kernel */
    CUDA_CHECK(cudaMemsetAsync(histo, 0, TEXT_BINS * sizeof *histo));
    histogram<<<blocks, THREADS>>>(text, length, histo);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_texthisto_teardown(void) {}
