/* Cheat: keeps the answers of the first long sample in order, and repeats them in the samples that
 * follow. Stopped by: every sample has its windows in a different order. */
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

enum { KEPT = 1024 };
static uint8_t *kept;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
    CUDA_CHECK(cudaMalloc(&kept, KEPT * HISTO_BINS));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static unsigned calls, period;
    static const uint8_t *first_output;
    if (calls && bins == first_output && !period && calls > 1)
        period = calls; /* the output of the first call comes again: another sample */
    if (!calls)
        first_output = bins;
    uint8_t *answer = kept + (period ? calls % period : calls % KEPT) * HISTO_BINS;
    if (!period)
        solve(image, height * width, answer);
    CUDA_CHECK(cudaMemcpyAsync(bins, answer, HISTO_BINS, cudaMemcpyDeviceToDevice));
    calls++;
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu hazard leak on .*; and outputs were wrong
// gpu wrong|nondeterministic
