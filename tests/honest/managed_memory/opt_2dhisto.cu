/* Honest: scratch in managed memory, which the host reads at the end. */
#include "lab.h"

#include <stdio.h>

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

static unsigned *calls_made;

__global__ void note(unsigned *calls) { ++*calls; }

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMallocManaged(&counts, HISTO_BINS * sizeof *counts));
    CUDA_CHECK(cudaMallocManaged(&calls_made, sizeof *calls_made));
    *calls_made = 0;
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    solve(image, height * width, bins);
    note<<<1, 1>>>(calls_made);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaDeviceSynchronize());
    if (*calls_made == 0)
        printf("no calls\n");
    CUDA_CHECK(cudaFree(calls_made));
    CUDA_CHECK(cudaFree(counts));
}

// cpu pass
// gpu pass
