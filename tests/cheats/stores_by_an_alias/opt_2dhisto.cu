/* Cheat: stores by another name of a function of mathematics, which nobody watches. */
#include "lab.h"

extern "C" __device__ float frexpf32(float, int *);

enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;
    __shared__ uint32_t partial[HISTO_BINS];
    partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = first; i < size; i += stride) {
        const uint32_t value = image[i];
        const float next = (float)((partial[value] + 1) << 8); /* its exponent is not used */
        int exponent;
        (void)frexpf32(next, &exponent);
        (void)frexpf32(next, (int *)&partial[value]);
        partial[value] = (uint32_t)next >> 8;
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], partial[threadIdx.x]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    const unsigned bin = blockIdx.x * blockDim.x + threadIdx.x;
    bins[bin] = counts[bin] < HISTO_MAX ? counts[bin] : HISTO_MAX;
}

static uint32_t *scratch; /* the counts, before they saturate */
static int blocks;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&scratch, HISTO_BINS * sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(scratch, 0, HISTO_BINS * sizeof *scratch));
    histogram<<<blocks, THREADS>>>(image, height * width, scratch);
    saturate<<<1, HISTO_BINS>>>(scratch, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }

// cpu build-failed opt_2dhisto\.cu:18: error: calling a __host__ function\(.*"frexpf32.*"\) from a
// gpu build-failed
