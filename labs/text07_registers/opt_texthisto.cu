/* text07: a thread keeps its seven counts in registers: no atomics in the loop. */
#include "lab.h"

enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 4, UNROLL = 4 };
enum { LETTERS = 26, LETTERS_PER_BIN = 4 };

/* BEGIN SOLUTION: functions of your own that the kernel uses */
/* Eight counts of a byte each; the last is for what is no letter. */
typedef unsigned long long packed_counts;

__device__ void count_word(packed_counts &packed, uint32_t word) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
        const unsigned letter = (word >> shift & 0xff) - 'a'; /* what lies below 'a' wraps around */
        const unsigned bin = letter < LETTERS ? letter / LETTERS_PER_BIN : TEXT_BINS;
        packed += 1ull << 8 * bin;
    }
}

__device__ void count_quad(packed_counts &packed, uint4 quad) {
    count_word(packed, quad.x);
    count_word(packed, quad.y);
    count_word(packed, quad.z);
    count_word(packed, quad.w);
}

/* Before a byte overflows. */
__device__ void unpack(uint32_t (&mine)[TEXT_BINS], packed_counts packed) {
#pragma unroll
    for (int bin = 0; bin < TEXT_BINS; bin++)
        mine[bin] += packed >> 8 * bin & 0xff;
}

/* Add up the counts that each thread holds, over the warp by shuffles and over the block in shared
 * memory. */
__device__ void add_to_block(uint32_t *counts, const uint32_t (&mine)[TEXT_BINS]) {
#pragma unroll
    for (int bin = 0; bin < TEXT_BINS; bin++) {
        uint32_t sum = mine[bin];
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(~0u, sum, distance);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&counts[bin], sum);
    }
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

    uint32_t mine[TEXT_BINS] = {};
    size_t i = first;
    for (; i + (UNROLL - 1) * stride < quad_count; i += UNROLL * stride) {
        packed_counts packed = 0;
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = __ldcs(&quads[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            count_quad(packed, quad[k]);
        unpack(mine, packed);
    }
    packed_counts packed = 0;
    for (; i < quad_count; i += stride)
        count_quad(packed, __ldcs(&quads[i]));
    if (first < length % 16) /* the last characters, which fill no quad */
        count_word(packed, (uint8_t)text[16 * quad_count + first]);
    unpack(mine, packed);
    add_to_block(counts, mine);

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
