/* opt18: for one call that is waited for. Early loads, and a short way from the last pixel to the
 * answer. */
#include "lab.h"

enum { THREADS = 1024, BLOCKS_PER_MULTIPROCESSOR = 1, UNROLL = 4 };

/* Four bins to a word of 64 bits. A block adds at most HISTO_MAX to each, so 16 bits are enough for
 * 257 blocks; half as many blocks meet at a word if there are two copies. */
enum { WORDS = HISTO_BINS / 4, COPIES = 2, MAX_BLOCKS = COPIES * (0xffff / HISTO_MAX) };

struct scratch {
    unsigned finished;                        /* blocks that have added theirs, 0 between calls */
    unsigned long long counts[COPIES][WORDS]; /* all 0 between calls */
};

/* BEGIN SOLUTION: functions of your own that the kernel uses */
__device__ void count(uint32_t *partial, uint4 quad) {
    atomicAdd(&partial[quad.x], 1);
    atomicAdd(&partial[quad.y], 1);
    atomicAdd(&partial[quad.z], 1);
    atomicAdd(&partial[quad.w], 1);
}

/* Four saturated counts in a word of 64 bits, the first in the lowest 16. */
__device__ unsigned long long pack(const uint32_t *four) {
    const uint32_t low = min(four[0], HISTO_MAX) | min(four[1], HISTO_MAX) << 16;
    const uint32_t high = min(four[2], HISTO_MAX) | min(four[3], HISTO_MAX) << 16;
    return (unsigned long long)high << 32 | low;
}

/* The bins of a word, as saturated bytes. Nothing is lost:
 * min(sum of min(c, 255), 255) = min(sum of c, 255). */
__device__ uint32_t take_bins(struct scratch *scratch, int word) {
    uint32_t bins = 0;
    unsigned long long counts[COPIES];
#pragma unroll
    for (int copy = 0; copy < COPIES; copy++) {
        counts[copy] = __ldcg(&scratch->counts[copy][word]);
        scratch->counts[copy][word] = 0;
    }
#pragma unroll
    for (int bin = 0; bin < 4; bin++) {
        uint32_t sum = 0;
        for (int copy = 0; copy < COPIES; copy++)
            sum += counts[copy] >> 16 * bin & 0xffff;
        bins |= min(sum, HISTO_MAX) << 8 * bin;
    }
    return bins;
}

/* True in every thread of the last block that gets here, of those threads that are left. */
__device__ bool last_block(unsigned *finished) {
    __shared__ bool last;
    __threadfence(); /* what this thread added is seen before the block is counted as finished */
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1; /* the last makes it 0 again */
    __syncthreads();
    __threadfence();
    return last;
}
/* END SOLUTION */

__global__ void __launch_bounds__(THREADS, BLOCKS_PER_MULTIPROCESSOR)
    histogram(const uint32_t *image, size_t size, struct scratch *scratch, uint8_t *bins) {
    /* BEGIN SOLUTION: count this block's pixels; the last block writes the answer */
    const uint4 *image4 = (const uint4 *)image;
    const size_t quads = size / 4;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    /* These loads are on their way while the bins are cleared. */
    uint4 quad[UNROLL];
#pragma unroll
    for (int k = 0; k < UNROLL; k++)
        if (first + k * stride < quads)
            quad[k] = __ldcs(&image4[first + k * stride]);

    __shared__ uint32_t partial[HISTO_BINS];
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();

    /* Each quad is counted, and the next one takes its place at once. */
    size_t i = first, next = first + UNROLL * stride;
    for (; i + (UNROLL - 1) * stride < quads; i += UNROLL * stride)
#pragma unroll
        for (int k = 0; k < UNROLL; k++, next += stride) {
            count(partial, quad[k]);
            if (next < quads)
                quad[k] = __ldcs(&image4[next]);
        }
#pragma unroll
    for (int k = 0; k < UNROLL; k++)
        if (i + k * stride < quads)
            count(partial, quad[k]);
    if (first < size % 4)
        atomicAdd(&partial[image[4 * quads + first]], 1);

    __syncthreads();
    const int word = threadIdx.x;
    if (word >= WORDS) /* nothing is left to do, and a warp that is gone keeps nobody waiting */
        return;
    atomicAdd(&scratch->counts[blockIdx.x % COPIES][word], pack(&partial[4 * word]));
    if (last_block(&scratch->finished))
        ((uint32_t *)bins)[word] = take_bins(scratch, word);
    /* END SOLUTION */
}

static struct scratch *scratch;
static int blocks;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width; /* the scratch memory has the size of the output */
    blocks = min(BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors(), MAX_BLOCKS);
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
    CUDA_CHECK(cudaMemset(scratch, 0, sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    /* BEGIN SOLUTION: launch the kernel */
    histogram<<<blocks, THREADS>>>(image, height * width, scratch, bins);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
