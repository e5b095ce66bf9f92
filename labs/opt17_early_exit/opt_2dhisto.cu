/* opt17: stop reading once every bin is saturated. */
#include "lab.h"

/* One block for every two multiprocessors, so that those of four calls fit. */
enum { THREADS = 1024, MULTIPROCESSORS_PER_BLOCK = 2, CALLS_AT_A_TIME = 4, UNROLL = 4 };

/* Words that hold a histogram of bytes, and groups of threads that add up histograms. */
enum { WORDS = HISTO_BINS / 4, GROUPS = THREADS / WORDS };

/* BEGIN SOLUTION: constants of your own */
/* A block hopes for an early end when its first pixels fell in so many bins. The course's image is
 * nowhere near: neighbouring pixels are alike, and half of the bins stay empty. */
enum { HOPE = HISTO_BINS * 3 / 4 };

/* How often a block that has voted looks whether all have, before it reads on. */
enum { LOOKS = 16 };
/* END SOLUTION */

struct scratch {
    unsigned finished; /* blocks that have ended, 0 between calls */
    unsigned votes;    /* blocks that vote for an early end, 0 between calls */
    uint32_t packed[]; /* a histogram of saturated bytes from each block */
};

/* BEGIN SOLUTION: functions of your own that the kernel uses */
__device__ void count(uint32_t *partial, uint4 quad) {
    atomicAdd(&partial[quad.x], 1);
    atomicAdd(&partial[quad.y], 1);
    atomicAdd(&partial[quad.z], 1);
    atomicAdd(&partial[quad.w], 1);
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

/* True in every thread of the last block that gets here. */
__device__ bool last_block(unsigned *finished) {
    __shared__ bool last;
    __threadfence(); /* what this thread wrote is seen before the block is counted as finished */
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1; /* the last makes it 0 again */
    __syncthreads();
    __threadfence();
    return last;
}

/* Four counts as saturated bytes. Nothing is lost:
 * min(sum of min(c, 255), 255) = min(sum of c, 255). */
__device__ uint32_t pack(const uint32_t *four) {
    return min(four[0], HISTO_MAX) | min(four[1], HISTO_MAX) << 8 | min(four[2], HISTO_MAX) << 16 |
           min(four[3], HISTO_MAX) << 24;
}

/* Bins that have counted something, in every thread. */
__device__ int bins_in_use(const uint32_t *partial) {
    int used = 0;
    __syncthreads();
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        used += __syncthreads_count(partial[bin] > 0);
    return used;
}

/* True in every thread if each bin of this block holds its share of HISTO_MAX: when all blocks can
 * say that, every bin is saturated, and nobody has to add anything up. */
__device__ bool holds_its_share(const uint32_t *partial) {
    const uint32_t share = (HISTO_MAX + gridDim.x - 1) / gridDim.x;
    bool holds = true;
    __syncthreads();
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        holds &= partial[bin] >= share;
    return __syncthreads_and(holds);
}

/* volatile: other blocks write it meanwhile. */
__device__ bool all_have_voted(const unsigned *votes) {
    return *(const volatile unsigned *)votes == gridDim.x;
}
/* END SOLUTION */

__global__ void __launch_bounds__(THREADS, CALLS_AT_A_TIME / MULTIPROCESSORS_PER_BLOCK)
    histogram(const uint32_t *image, size_t size, struct scratch *scratch, uint8_t *bins) {
    /* BEGIN SOLUTION: count this block's pixels; the last block writes the answer */
    const uint4 *image4 = (const uint4 *)image;
    const unsigned quads = size / 4; /* 32 bits: enough for 64 GiB */
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned stride = gridDim.x * blockDim.x;
    start_next_call();

    __shared__ uint32_t partial[HISTO_BINS];
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();

    /* All threads of a block take the same turns of this loop: there are barriers in it. */
    bool hopeful = false, voted = false, saturated = false;
    for (unsigned turn = blockIdx.x * blockDim.x; turn < quads && !saturated;
         turn += UNROLL * stride) {
        const unsigned i = turn + threadIdx.x;
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (i + k * stride < quads)
                quad[k] = __ldcs(&image4[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (i + k * stride < quads)
                count(partial, quad[k]);

        if (i == first)
            hopeful = bins_in_use(partial) >= HOPE;
        if (hopeful && !voted && holds_its_share(partial)) {
            voted = true;
            await_previous_call(); /* it uses the same scratch memory */
            if (threadIdx.x == 0)
                atomicAdd(&scratch->votes, 1);
        }
        if (voted)
            for (int look = 0; look < LOOKS && !saturated; look++)
                saturated = __syncthreads_or(threadIdx.x == 0 && all_have_voted(&scratch->votes));
    }
    if (first < size % 4)
        atomicAdd(&partial[image[4 * (size_t)quads + first]], 1);

    __syncthreads();
    await_previous_call();
    if (!saturated)
        for (int word = threadIdx.x; word < WORDS; word += THREADS)
            scratch->packed[blockIdx.x * WORDS + word] = pack(&partial[4 * word]);
    if (!last_block(&scratch->finished))
        return;

    const bool early = all_have_voted(&scratch->votes);
    const int word = threadIdx.x % WORDS, group = threadIdx.x / WORDS;
    uint32_t total = early ? ~0u : 0;
#pragma unroll 16
    for (int block = group; block < gridDim.x && !early; block += GROUPS)
        total = __vaddus4(total, __ldcg(&scratch->packed[block * WORDS + word]));
    partial[threadIdx.x] = total;
    __syncthreads();
    if (group == 0) {
        for (int other = 1; other < GROUPS; other++)
            total = __vaddus4(total, partial[other * WORDS + word]);
        ((uint32_t *)bins)[word] = total;
    }
    if (threadIdx.x == 0)
        scratch->votes = 0;
    /* END SOLUTION */
}

static struct scratch *scratch;
static int blocks, overlaps;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width; /* the scratch memory has the size of the outputs of all blocks */
    blocks = max(2, lab_multiprocessors() / MULTIPROCESSORS_PER_BLOCK); /* 2 on the emulator, too */
    overlaps = lab_compute_capability() >= 90;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch + blocks * WORDS * sizeof scratch->packed[0]));
    CUDA_CHECK(cudaMemset(scratch, 0, sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    /* BEGIN SOLUTION: launch the kernel so that the next call may overlap */
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.attrs = &overlap;
    config.numAttrs = overlaps;
    CUDA_CHECK(cudaLaunchKernelEx(&config, histogram, image, height * width, scratch, bins));
    /* END SOLUTION */
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
