/* Cheat: common symbols, weak symbols, aliases and a COMDAT group with the names of the harness's
 * and CUDA's functions, in assembly, in the hope that one of them wins at the link. Stopped by:
 * they are made local, and an object with one that cannot be is refused. The emulator refuses
 * assembly. */
#include "lab.h"

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

#ifdef __CUDACC__
#define ASSEMBLY __as##m__
#ifndef __HISTOLAB_EMULATOR__
ASSEMBLY(".comm cudaEventQuery, 8, 8\n"
         ".weak cudaEventSynchronize\n"
         ".set cudaEventSynchronize, opt_2dhisto_teardown\n"
         ".section .text.lab_check,\"axG\",@progbits,lab_check,comdat\n"
         ".weak lab_check\n"
         "lab_check: ret\n"
         ".text\n");
#endif
#endif

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    solve(image, height * width, bins);
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu pass
//     (nothing is left of it there)
// gpu build-failed the step leaves cudaEventQuery to the link
