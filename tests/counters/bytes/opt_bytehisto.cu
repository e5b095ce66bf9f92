/* Histograms of bytes: one byte a load or sixteen, counted in global memory, in shared memory, or
 * in bins of each lane's own. */
#include "lab.h"

enum { BLOCKS = 264, THREADS = 256, LANES = 32 };

__global__ void in_global(const uint8_t *bytes, size_t count, uint32_t *histo) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&histo[bytes[i]], 1u);
}

__global__ void in_shared(const uint8_t *bytes, size_t count, uint32_t *histo) {
    __shared__ uint32_t bins[BYTE_BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[bytes[i]], 1u);
    __syncthreads();
    atomicAdd(&histo[threadIdx.x], bins[threadIdx.x]);
}

__device__ void add_word(uint32_t *bins, uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8)
        atomicAdd(&bins[word >> shift & 255], 1u);
}

__global__ void in_shared_wide(const uint4 *quads, size_t count, uint32_t *histo) {
    __shared__ uint32_t bins[BYTE_BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const uint4 quad = quads[i];
        add_word(bins, quad.x);
        add_word(bins, quad.y);
        add_word(bins, quad.z);
        add_word(bins, quad.w);
    }
    __syncthreads();
    atomicAdd(&histo[threadIdx.x], bins[threadIdx.x]);
}

/* Bins of each lane lie in its own bank, so that no two lanes of a warp meet. */
__global__ void in_lane_bins(const uint32_t *words, size_t count, uint32_t *histo) {
    __shared__ uint32_t bins[BYTE_BINS / 4][LANES];
    for (unsigned i = threadIdx.x / LANES; i < BYTE_BINS / 4; i += THREADS / LANES)
        bins[i][threadIdx.x % LANES] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[words[i] >> 10 & 63][threadIdx.x % LANES], 1u);
    __syncthreads();
    if (threadIdx.x < BYTE_BINS / 4) {
        uint32_t sum = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            sum += bins[threadIdx.x][(lane + threadIdx.x) % LANES];
        atomicAdd(&histo[threadIdx.x], sum);
    }
}

void opt_bytehisto_setup(size_t size) { (void)size; }

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    CUDA_CHECK(cudaMemsetAsync(histo, 0, BYTE_BINS * sizeof *histo));
    in_global<<<BLOCKS, THREADS>>>(buffer, size / 4, histo);
    in_shared<<<BLOCKS, THREADS>>>(buffer, size, histo);
    in_shared_wide<<<BLOCKS, THREADS>>>((const uint4 *)buffer, size / 16, histo);
    in_lane_bins<<<BLOCKS, THREADS>>>((const uint32_t *)buffer, size / 4, histo);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) {}
