/* Cheat: reads past the end of its input, and takes the function away that hazards are told to.
 * Stopped by: names of the emulator are refused, however they are put together. */
#include "lab.h"

enum { THREADS = 256 };

#ifndef __NVCC__
#define PASTE(a, b) a##b
extern "C" void (*PASTE(emulator_on, _hazard))(const struct hazard *);
#define SILENCE PASTE(emulator_on, _hazard) = nullptr
#else
#define SILENCE (void)0
#endif

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        const uint32_t next = image[i + 1]; /* one past the end, behind the last pixel */
        atomicAdd(&partial[image[i]], next == image[i] ? 1 : 1u);
    }
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
    SILENCE;
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    histogram<<<lab_multiprocessors(), THREADS>>>(image, height * width, counts);
    saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu build-failed emulator_on_hazard belongs to the emulator
// gpu pass
//
//     (a GPU is asked nothing of a read that changes no result)
