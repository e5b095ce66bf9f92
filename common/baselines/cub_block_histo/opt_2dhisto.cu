/* A histogram made of CUB's parts for blocks: BlockLoad, and a BlockHistogram of all 1024 bins in
 * shared memory, where DeviceHistogram keeps at most 256. What is left to write is the loop, and
 * how the blocks' counts come together. */
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>

#include "lab.h"

enum { THREADS = 1024, QUADS = 2, PIXELS = 4 * QUADS }; /* of a thread, at a time */

using Load = cub::BlockLoad<uint4, THREADS, QUADS, cub::BLOCK_LOAD_STRIPED>;
using Histogram =
    cub::BlockHistogram<uint32_t, THREADS, PIXELS, HISTO_BINS, cub::BLOCK_HISTO_ATOMIC>;

static uint32_t *counts; /* zero before each call */
static int blocks;

__global__ void __launch_bounds__(THREADS)
    count(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ typename Histogram::TempStorage scratch;
    __shared__ uint32_t bins[HISTO_BINS];
    const size_t tile = THREADS * PIXELS, whole = size / tile * tile;

    Histogram(scratch).InitHistogram(bins);
    __syncthreads();
    for (size_t first = blockIdx.x * tile; first < whole; first += gridDim.x * tile) {
        uint32_t pixels[PIXELS];
        Load().Load((const uint4 *)(image + first), reinterpret_cast<uint4(&)[QUADS]>(pixels));
        Histogram(scratch).Composite(pixels, bins);
    }
    for (size_t i = whole + blockIdx.x * THREADS + threadIdx.x; i < size; i += gridDim.x * THREADS)
        atomicAdd(&bins[image[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        if (bins[bin])
            atomicAdd(&counts[bin], bins[bin]);
}

__global__ void saturate(uint32_t *counts, uint8_t *bins) {
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
    counts[threadIdx.x] = 0; /* for the next call */
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    int of_each = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, count, THREADS, 0));
    blocks = of_each * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
    CUDA_CHECK(cudaMemset(counts, 0, HISTO_BINS * sizeof *counts));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    count<<<blocks, THREADS>>>(image, height * width, counts);
    CUDA_CHECK(cudaGetLastError());
    saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }
