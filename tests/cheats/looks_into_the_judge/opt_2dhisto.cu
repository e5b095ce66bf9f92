/* Cheat: attaches to the judge with ptrace and reads its memory, where the expected outputs are.
 * Stopped by: the sandbox or the kernel's rules, if there are any; and a step that calls ptrace is
 * flagged. */
#include "lab.h"

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

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

static void look(void) {
    const pid_t judge = getppid();
    char found[4096];
    struct iovec here = {found, sizeof found}, there = {(void *)look, sizeof found};
    if (process_vm_readv(judge, &here, 1, &there, 1, 0) < 0 &&
        ptrace(PTRACE_SEIZE, judge, 0, 0) == 0)
        ptrace(PTRACE_DETACH, judge, 0, 0);
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    look();
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    solve(image, height * width, bins);
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu flagged calls ptrace
// gpu flagged calls ptrace
