/* Honest: kernels with C linkage, one of which has the name of a little-known function of libc. */
#include "lab.h"

enum { THREADS = 64, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    for (unsigned bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&partial[image[i]], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        atomicAdd(&counts[bin], partial[bin]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    const unsigned bin = blockIdx.x * THREADS + threadIdx.x;
    bins[bin] = min(counts[bin], HISTO_MAX);
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
    saturate<<<HISTO_BINS / THREADS, THREADS, 0, stream>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

extern "C" __global__ void swab(const uint32_t *counts, uint8_t *bins) {
    const unsigned bin = blockIdx.x * THREADS + threadIdx.x;
    bins[bin] = min(counts[bin], HISTO_MAX);
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    histogram<<<blocks, THREADS>>>(image, height * width, counts);
    swab<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu pass
// gpu pass
