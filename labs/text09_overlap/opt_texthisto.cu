/* text09: one launch a call, and the next call begins while this one ends. */
#include "lab.h"

/* One small block for each multiprocessor, so that those of four calls fit. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 1, CALLS_AT_A_TIME = 4, UNROLL = 4 };

/* BEGIN SOLUTION: functions of your own that the kernel uses */
/* Eight words of four characters, transposed: bit b of plane[p] is bit p of one of the 32
 * characters. In which order does not matter to a count. */
__device__ void transpose(uint32_t (&plane)[8]) {
    const uint32_t masks[] = {0x55555555, 0x33333333, 0x0f0f0f0f};
#pragma unroll
    for (int s = 2; s >= 0; s--) {
        const int distance = 1 << s;
        const uint32_t mask = masks[s];
#pragma unroll
        for (int p = 0; p < 8; p++) {
            if (p & distance)
                continue;
            const uint32_t low = plane[p], high = plane[p + distance];
            plane[p] = (low & mask) | (high << distance & ~mask);
            plane[p + distance] = (low >> distance & mask) | (high & ~mask);
        }
    }
}

/* The letters are 'a' = 0x61 to 'z' = 0x7a: 011 and a number n from 1 to 26, whose bin is bits 2 to
 * 4 of n - 1. */
__device__ void count_planes(uint32_t (&mine)[TEXT_BINS], const uint32_t (&plane)[8]) {
    uint32_t borrow =
        ~(plane[0] | plane[1]); /* n - 1 borrows from bit 2 where bits 0 and 1 are 0 */
    const uint32_t bit2 = plane[2] ^ borrow;
    borrow &= ~plane[2];
    const uint32_t bit3 = plane[3] ^ borrow;
    borrow &= ~plane[3];
    const uint32_t bit4 = plane[4] ^ borrow;
    borrow &= ~plane[4]; /* where n is 0 */
    const uint32_t letter = ~plane[7] & plane[6] & plane[5] & ~borrow;
    const uint32_t y_or_z = plane[0] ^ plane[1]; /* in bin 6 there are but these: 25 and 26 */

    mine[0] += __popc(letter & ~bit4 & ~bit3 & ~bit2);
    mine[1] += __popc(letter & ~bit4 & ~bit3 & bit2);
    mine[2] += __popc(letter & ~bit4 & bit3 & ~bit2);
    mine[3] += __popc(letter & ~bit4 & bit3 & bit2);
    mine[4] += __popc(letter & bit4 & ~bit3 & ~bit2);
    mine[5] += __popc(letter & bit4 & ~bit3 & bit2);
    mine[6] += __popc(letter & bit4 & bit3 & ~bit2 & y_or_z);
}

__device__ void count_quads(uint32_t (&mine)[TEXT_BINS], uint4 a, uint4 b) {
    uint32_t plane[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    transpose(plane);
    count_planes(mine, plane);
}

/* Beyond the end there are zeros, which are no letters. */
__device__ uint4 load(const uint4 *quads, size_t i, size_t quad_count) {
    return i < quad_count ? __ldcs(&quads[i]) : make_uint4(0, 0, 0, 0);
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

/* Programmatic dependent launch, from compute capability 9.0 on: let the next call's kernel start
 * while this one runs, and wait until the call before has ended. Elsewhere launches do not overlap,
 * and neither is needed. */
__device__ void start_next_call(void) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ void await_previous_call(void) {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
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

__global__ void __launch_bounds__(THREADS, CALLS_AT_A_TIME)
    histogram(const char *text, size_t length, uint32_t *totals, unsigned *finished,
              uint32_t *histo) {
    /* BEGIN SOLUTION: count this block's letters; the last block writes the answer */
    const uint4 *quads = (const uint4 *)text;
    const size_t quad_count = length / 16;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    start_next_call();

    __shared__ uint32_t counts[TEXT_BINS];
    if (threadIdx.x < TEXT_BINS)
        counts[threadIdx.x] = 0;
    __syncthreads();

    uint32_t mine[TEXT_BINS] = {};
    for (size_t i = first; i < quad_count; i += UNROLL * stride) {
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = load(quads, i + k * stride, quad_count);
#pragma unroll
        for (int k = 0; k < UNROLL; k += 2)
            count_quads(mine, quad[k], quad[k + 1]);
    }
    if (first < length % 16) { /* the last characters, which fill no quad */
        const uint4 last = {(uint8_t)text[16 * quad_count + first], 0, 0, 0};
        count_quads(mine, last, make_uint4(0, 0, 0, 0));
    }
    add_to_block(counts, mine);

    __syncthreads();
    await_previous_call(); /* it uses the same scratch memory */
    if (threadIdx.x < TEXT_BINS)
        atomicAdd(&totals[threadIdx.x], counts[threadIdx.x]);
    if (!last_block(finished))
        return;
    if (threadIdx.x < TEXT_BINS) {
        histo[threadIdx.x] = __ldcg(&totals[threadIdx.x]);
        totals[threadIdx.x] = 0;
    }
    /* END SOLUTION */
}

static uint32_t *totals;   /* of the present call; zero between calls */
static unsigned *finished; /* blocks that are done with the present call */
static int blocks, overlaps;

void opt_texthisto_setup(size_t length) {
    (void)length; /* the scratch memory has the size of the output */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    overlaps = lab_compute_capability() >= 90;
    CUDA_CHECK(cudaMalloc(&totals, TEXT_BINS * sizeof *totals));
    CUDA_CHECK(cudaMemset(totals, 0, TEXT_BINS * sizeof *totals));
    CUDA_CHECK(cudaMalloc(&finished, sizeof *finished));
    CUDA_CHECK(cudaMemset(finished, 0, sizeof *finished));
}

void opt_texthisto(const char *text, size_t length, uint32_t *histo) {
    /* BEGIN SOLUTION: launch the kernel so that the next call may overlap */
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.attrs = &overlap;
    config.numAttrs = overlaps;
    CUDA_CHECK(cudaLaunchKernelEx(&config, histogram, text, length, totals, finished, histo));
    /* END SOLUTION */
}

void opt_texthisto_teardown(void) {
    CUDA_CHECK(cudaFree(totals));
    CUDA_CHECK(cudaFree(finished));
}
