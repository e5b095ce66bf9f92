/* Bulk copies to shared memory (cp.async.bulk), two stages a warp: no registers held by loads, and
 * one instruction fetches a kilobyte.
 * Why not: the version measured on an H200 lost counts, 3 of 256 calls on walk, so its time counts
 * for nothing. It began the next copy into a stage before the reads of that stage were sure to be
 * done: a copy is not ordered with ordinary reads (PTX: another proxy). This version counts first
 * and has the fence; it has not been measured. */
#include "lab.h"

/* One small block for each multiprocessor, so that those of four calls fit. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 1, CALLS_AT_A_TIME = 4 };

/* A warp copies chunks of so many quads; so many chunks are under way. */
enum { WARPS = THREADS / 32, CHUNK = 64, STAGES = 2 };

/* Words that hold a histogram of bytes, and groups of threads that add up histograms. */
enum { WORDS = HISTO_BINS / 4, GROUPS = THREADS / WORDS };

struct scratch {
    unsigned finished; /* blocks that have written theirs, 0 between calls */
    uint32_t packed[]; /* a histogram of saturated bytes from each block */
};

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

/* Copying a chunk from global to shared memory, from compute capability 9.0 on in the background;
 * all lanes of a warp call these. `arrived` is a barrier in shared memory, at which the copy
 * arrives. */
#if __CUDA_ARCH__ >= 900
__device__ unsigned address(const void *shared) { return __cvta_generic_to_shared(shared); }

__device__ void prepare(uint64_t *arrived) {
    if (threadIdx.x % 32 == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(arrived)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* the copy unit sees it too */
    }
    __syncwarp();
}

__device__ void start_copy(uint4 *to, const uint4 *from, uint64_t *arrived) {
    if (threadIdx.x % 32 == 0) {
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(arrived)),
            "r"(CHUNK * 16)
            : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(address(to)),
                     "l"(__cvta_generic_to_global(from)), "r"(CHUNK * 16), "r"(address(arrived))
                     : "memory");
    }
}

/* What the warp has read is read before the next copy writes. */
__device__ void end_reading(void) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
}

__device__ void await_copy(uint64_t *arrived, unsigned parity) {
    unsigned done;
    do
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, done;\n"
                     "}"
                     : "=r"(done)
                     : "r"(address(arrived)), "r"(parity)
                     : "memory");
    while (!done);
}
#else
__device__ void prepare(uint64_t *arrived) {}

__device__ void end_reading(void) {} /* a lane copies what it reads itself */

__device__ void start_copy(uint4 *to, const uint4 *from, uint64_t *arrived) {
    for (int quad = threadIdx.x % 32; quad < CHUNK; quad += 32) /* which this lane will read */
        to[quad] = __ldcs(&from[quad]);
}

__device__ void await_copy(uint64_t *arrived, unsigned parity) {}
#endif

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
    histogram(const uint32_t *image, size_t size, struct scratch *scratch, uint8_t *bins) {
    const uint4 *image4 = (const uint4 *)image;
    const size_t quads = size / 4;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    start_next_call();

    __shared__ uint32_t partial[HISTO_BINS];
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();

    __shared__ __align__(128) uint4 staged[WARPS][STAGES][CHUNK];
    __shared__ uint64_t arrived[WARPS][STAGES];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t chunks = quads / CHUNK, chunk_stride = stride / 32;
    size_t chunk = first / 32;
    for (int stage = 0; stage < STAGES; stage++) {
        const size_t ahead = chunk + stage * chunk_stride;
        prepare(&arrived[warp][stage]);
        if (ahead < chunks)
            start_copy(staged[warp][stage], &image4[ahead * CHUNK], &arrived[warp][stage]);
    }
    for (unsigned turn = 0; chunk < chunks; turn++, chunk += chunk_stride) {
        const int stage = turn % STAGES;
        const size_t ahead = chunk + STAGES * chunk_stride;
        uint4 quad[CHUNK / 32];
        await_copy(&arrived[warp][stage], turn / STAGES % 2);
        for (int k = 0; k < CHUNK / 32; k++)
            quad[k] = staged[warp][stage][lane + 32 * k];
        /* To count a pixel it must have been read: only then may the stage be overwritten. */
        for (int k = 0; k < CHUNK / 32; k++)
            count(partial, quad[k]);
        end_reading();
        if (ahead < chunks)
            start_copy(staged[warp][stage], &image4[ahead * CHUNK], &arrived[warp][stage]);
    }
    for (size_t i = chunks * CHUNK + first; i < quads; i += stride)
        count(partial, __ldcs(&image4[i]));
    if (first < size % 4)
        atomicAdd(&partial[image[4 * quads + first]], 1);

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
static int blocks, overlaps;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width; /* the scratch memory has the size of the outputs of all blocks */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    overlaps = lab_compute_capability() >= 90;
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
    config.attrs = &overlap;
    config.numAttrs = overlaps;
    CUDA_CHECK(cudaLaunchKernelEx(&config, histogram, image, height * width, scratch, bins));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
