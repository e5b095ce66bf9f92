/* Honest: one cooperative launch whose blocks meet between clearing, counting and saturating. */
#include "lab.h"

#include <cooperative_groups.h>

enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&partial[image[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], partial[threadIdx.x]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
}

static uint32_t *counts;
static int blocks;

static void allocate(void) {
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
}

/* The right answer. */
static void solve(const uint32_t *image, size_t size, uint8_t *bins, cudaStream_t stream = 0) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts, stream));
    histogram<<<blocks, THREADS, 0, stream>>>(image, size, counts);
    saturate<<<1, HISTO_BINS, 0, stream>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

namespace cg = cooperative_groups;

__global__ void all_in_one(const uint32_t *image, size_t size, uint32_t *counts, uint8_t *bins) {
    const cg::grid_group grid = cg::this_grid();
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    if (first < HISTO_BINS)
        counts[first] = 0;
    grid.sync();
    for (size_t i = first; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[image[i]], 1);
    grid.sync();
    if (first < HISTO_BINS)
        bins[first] = min(__ldcg(&counts[first]), HISTO_MAX);
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    size_t size = height * width;
    void *arguments[] = {&image, &size, &counts, &bins};
    CUDA_CHECK(cudaLaunchCooperativeKernel((void *)all_in_one, dim3(lab_multiprocessors()),
                                           dim3(THREADS), arguments, 0, 0));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu pass
// gpu pass
