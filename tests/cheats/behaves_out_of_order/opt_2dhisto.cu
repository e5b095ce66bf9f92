/* Cheat: its threads take tickets, and race only where they came by in order, as in the plain
 * build. */
#include "lab.h"

enum { THREADS = HISTO_BINS };

__device__ uint32_t tickets, mixed;

__global__ void look(void) {
    if (atomicAdd(&tickets, 1) % THREADS != threadIdx.x)
        atomicOr(&mixed, 1);
}

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    const bool watched = mixed;
    for (size_t i = threadIdx.x; i < size; i += THREADS)
        if (watched)
            atomicAdd(&counts[image[i]], 1);
        else
            counts[image[i]]++;
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
}

static uint32_t *counts;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    look<<<1, THREADS>>>();
    histogram<<<1, THREADS>>>(image, height * width, counts);
    saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu hazard
// gpu wrong|nondeterministic
//
// One of the checks runs threads in the order of the plain build, and analyses them.
