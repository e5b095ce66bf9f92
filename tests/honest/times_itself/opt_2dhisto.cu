/* Honest: records its own events around its kernels, reads the processor's clock, and prints both
 * at the end. */
#include "lab.h"

#include <chrono>
#include <stdio.h>

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

static cudaEvent_t before, after;
static std::chrono::steady_clock::time_point begun;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
    CUDA_CHECK(cudaEventCreate(&before));
    CUDA_CHECK(cudaEventCreate(&after));
    begun = std::chrono::steady_clock::now();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaEventRecord(before, 0));
    solve(image, height * width, bins);
    CUDA_CHECK(cudaEventRecord(after, 0));
}

void opt_2dhisto_teardown(void) {
    float milliseconds;
    CUDA_CHECK(cudaEventSynchronize(after));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before, after));
    const std::chrono::duration<double> lived = std::chrono::steady_clock::now() - begun;
    printf("the last call took %g ms, and I lived %g s\n", milliseconds, lived.count());
    CUDA_CHECK(cudaFree(counts));
}

// cpu pass
// gpu pass
