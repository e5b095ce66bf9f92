/* Honest: a global object allocates device memory in its constructor, before main, and keeps it. */
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

struct early_memory {
    uint32_t *memory;
    early_memory() { CUDA_CHECK(cudaMalloc(&memory, HISTO_BINS * sizeof *memory)); }
};
static early_memory early;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    counts = early.memory;
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    solve(image, height * width, bins);
}

void opt_2dhisto_teardown(void) {}

// cpu pass
// gpu pass
