/* 16-bit counters of its own for each lane, 64 KB: no two lanes of a warp ever hit one bank.
 * Why not: 64 KB to clear and to add up for each call, and room for three calls in place of four,
 * to avoid conflicts that cost next to nothing. */
#include "lab.h"

/* One small block for each multiprocessor, so that those of three calls fit. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 1, CALLS_AT_A_TIME = 3, UNROLL = 4 };

/* Columns of counters, one for each lane, or for two where shared memory is small. A counter that
 * holds HISTO_MAX at most has room for so many rounds of the loop, and for what is left after the
 * loop, even if all pixels are the same. */
enum { LANES = 32, FEWER_LANES = 16 };
enum { ROUND = THREADS / FEWER_LANES * UNROLL * 4 };
enum { SAFE_ROUNDS = (UINT16_MAX - HISTO_MAX - 3) / ROUND - 1 };

/* Words that hold a histogram of bytes, and groups of threads that add up histograms. */
enum { WORDS = HISTO_BINS / 4, GROUPS = THREADS / WORDS };

struct scratch {
    unsigned finished; /* blocks that have written theirs, 0 between calls */
    uint32_t packed[]; /* a histogram of saturated bytes from each block */
};

/* Bins 2 i and 2 i + 1 are the halves of a word in row i. */
__device__ void count(uint32_t *column, int lanes, uint32_t bin) {
    atomicAdd(&column[bin / 2 * lanes], bin % 2 ? 1 << 16 : 1);
}

__device__ void count(uint32_t *column, int lanes, uint4 quad) {
    count(column, lanes, quad.x);
    count(column, lanes, quad.y);
    count(column, lanes, quad.z);
    count(column, lanes, quad.w);
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

__global__ void __launch_bounds__(THREADS, CALLS_AT_A_TIME)
    histogram(const uint32_t *image, size_t size, struct scratch *scratch, uint8_t *bins,
              int lanes) {
    const uint4 *image4 = (const uint4 *)image;
    const size_t quads = size / 4;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    start_next_call();

    __shared__ uint32_t partial[HISTO_BINS];
    extern __shared__ uint32_t columns[];
    uint32_t *column = columns + threadIdx.x % lanes;
    for (int word = threadIdx.x; word < HISTO_BINS / 2 * lanes; word += THREADS)
        columns[word] = 0;
    __syncthreads();

    /* All threads of a block leave this loop together: the last one decides. */
    size_t i = first;
    const int to_last = THREADS - 1 - threadIdx.x;
    for (int round = 1; i + to_last + (UNROLL - 1) * stride < quads;
         i += UNROLL * stride, round++) {
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = __ldcs(&image4[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            count(column, lanes, quad[k]);
        if (round % SAFE_ROUNDS == 0) { /* make room: as lossless as pack() */
            __syncthreads();
            for (int word = threadIdx.x; word < HISTO_BINS / 2 * lanes; word += THREADS)
                columns[word] = __vminu2(columns[word], HISTO_MAX << 16 | HISTO_MAX);
            __syncthreads();
        }
    }
    /* What is left for this thread, still with all loads in flight. */
    uint4 quad[UNROLL];
#pragma unroll
    for (int k = 0; k < UNROLL; k++)
        if (i + k * stride < quads)
            quad[k] = __ldcs(&image4[i + k * stride]);
#pragma unroll
    for (int k = 0; k < UNROLL; k++)
        if (i + k * stride < quads)
            count(column, lanes, quad[k]);
    if (first < size % 4)
        count(column, lanes, image[4 * quads + first]);

    __syncthreads();
    for (int row = threadIdx.x; row < HISTO_BINS / 2; row += THREADS) {
        uint32_t low = 0, high = 0;
        for (int lane = 0; lane < lanes; lane++) { /* each thread starts in another bank */
            const uint32_t two = columns[row * lanes + (row + lane) % lanes];
            low += two & 0xffff;
            high += two >> 16;
        }
        partial[2 * row] = low;
        partial[2 * row + 1] = high;
    }
    __syncthreads();
    await_previous_call(); /* it uses the same scratch memory */
    for (int word = threadIdx.x; word < WORDS; word += THREADS)
        scratch->packed[blockIdx.x * WORDS + word] = pack(&partial[4 * word]);
    if (!last_block(&scratch->finished))
        return;

    const int word = threadIdx.x % WORDS, group = threadIdx.x / WORDS;
    uint32_t total = 0;
#pragma unroll 16
    for (int block = group; block < gridDim.x; block += GROUPS)
        total = __vaddus4(total, __ldcg(&scratch->packed[block * WORDS + word]));
    partial[threadIdx.x] = total;
    __syncthreads();
    if (group == 0) {
        for (int other = 1; other < GROUPS; other++)
            total = __vaddus4(total, partial[other * WORDS + word]);
        ((uint32_t *)bins)[word] = total;
    }
}

static struct scratch *scratch;
static int blocks, overlaps, lanes, shared_bytes;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width; /* the scratch memory has the size of the outputs of all blocks */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    overlaps = lab_compute_capability() >= 90;
    int most = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    lanes = most >= 72 * 1024 ? LANES : FEWER_LANES;
    shared_bytes = HISTO_BINS / 2 * lanes * sizeof(uint32_t);
    CUDA_CHECK(
        cudaFuncSetAttribute(histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
#ifdef __NVCC__ /* all the shared memory there is, so that several calls fit */
    CUDA_CHECK(cudaFuncSetAttribute(histogram, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
#endif
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch + blocks * WORDS * sizeof scratch->packed[0]));
    CUDA_CHECK(cudaMemset(scratch, 0, sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &overlap;
    config.numAttrs = overlaps;
    CUDA_CHECK(cudaLaunchKernelEx(&config, histogram, image, height * width, scratch, bins, lanes));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
