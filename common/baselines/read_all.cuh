/* A streaming read, to be included by the variants that differ in launch size and overlap.
 *
 * Every thread sums the 16-byte quads that it strides over, UNROLL of them in flight; a block's sum
 * goes to its own word of scratch memory, and the last block to finish adds those up. One launch
 * for a call, nothing to clear beforehand: the least that a kernel which reads everything has to
 * do.
 *
 * Define before including: THREADS, BLOCKS_PER_MULTIPROCESSOR, UNROLL, and OVERLAP (1: a call's
 * kernel starts while the one before it ends, by programmatic dependent launch; 0: it does not). */
#include "baselines/read_all.h"

static uint32_t *partial;  /* one sum for each block */
static unsigned *finished; /* blocks that are done with the present call */
static int blocks;

__device__ uint32_t sum_of_block(uint32_t sum) {
    __shared__ uint32_t warps[THREADS / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    if (threadIdx.x == 0)
        for (int warp = 0; warp < THREADS / 32; warp++)
            sum += warps[warp];
    return sum; /* in thread 0 */
}

__global__ void __launch_bounds__(THREADS, CALLS_AT_A_TIME *BLOCKS_PER_MULTIPROCESSOR)
    read_kernel(const uint32_t *words, size_t count, uint32_t *partial, unsigned *finished,
                uint32_t *result) {
    const uint4 *quads = (const uint4 *)words;
    const size_t quad_count = count / 4;
    const size_t first = blockIdx.x * THREADS + threadIdx.x;
    const size_t stride = gridDim.x * THREADS;
    uint32_t sum = 0;

#if OVERLAP && __CUDA_ARCH__ >= 900
    /* The input does not depend on the call before: let the next one in as soon as there is room.
     */
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    size_t i = first;
    for (; i + (UNROLL - 1) * stride < quad_count; i += UNROLL * stride) {
        uint4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = __ldcs(&quads[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += quad[k].x + quad[k].y + quad[k].z + quad[k].w;
    }
    for (; i < quad_count; i += stride) {
        const uint4 quad = __ldcs(&quads[i]);
        sum += quad.x + quad.y + quad.z + quad.w;
    }
    for (size_t word = 4 * quad_count + first; word < count; word += stride)
        sum += words[word];
    sum = sum_of_block(sum);

#if OVERLAP && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize(); /* the scratch memory is the call before's until it has ended
                                      */
#endif
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1; /* and back to 0 */
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += THREADS)
        sum += partial[block];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        *result = sum;
}

void read_all_setup(size_t count) {
    (void)count;
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&partial, blocks * sizeof *partial));
    CUDA_CHECK(cudaMalloc(&finished, sizeof *finished));
    CUDA_CHECK(cudaMemset(finished, 0, sizeof *finished));
}

void read_all(const uint32_t *words, size_t count, uint32_t *sum) {
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.attrs = &overlap;
    config.numAttrs = OVERLAP && lab_compute_capability() >= 90;
    CUDA_CHECK(cudaLaunchKernelEx(&config, read_kernel, words, count, partial, finished, sum));
}

void read_all_teardown(void) {
    CUDA_CHECK(cudaFree(partial));
    CUDA_CHECK(cudaFree(finished));
}
