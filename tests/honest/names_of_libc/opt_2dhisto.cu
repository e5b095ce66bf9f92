/* Honest: functions with C linkage that have names of little-known functions of libc, attributes
 * that give hints, and a pragma that asks for more optimization. */
#include "lab.h"

#include <stdio.h>

enum { THREADS = 256 };

#pragma GCC optimize("O3")

extern "C" {
size_t step(size_t size) { return size; }
__attribute__((noinline, cold)) void error(const char *text) { fprintf(stderr, "%s\n", text); }
void swab(uint32_t **left, uint32_t **right) {
    uint32_t *const kept = *left;
    *left = *right;
    *right = kept;
}
}

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&partial[image[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        atomicAdd(&counts[bin], partial[bin]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
}

static uint32_t *counts;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
    uint32_t *none = nullptr;
    swab(&counts, &none);
    swab(&counts, &none);
    if (step(height) != height)
        error("the size has changed");
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    histogram<<<lab_multiprocessors(), THREADS>>>(image, height * width, counts);
    saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu pass
// gpu pass
