/* Honest: has its own constants: a constexpr table, __constant__ memory filled from the host, a
 * counter in a __device__ variable, and host lambdas. */
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

struct table {
    uint32_t value[HISTO_BINS];
};

constexpr table identity() {
    table result = {};
    for (int bin = 0; bin < HISTO_BINS; bin++)
        result.value[bin] = bin;
    return result;
}

constexpr table host_order = identity();
static_assert(host_order.value[7] == 7, "the identity");
__constant__ table order;
__device__ unsigned calls_made;

__global__ void in_order(const uint32_t *counts, uint8_t *bins) {
    bins[order.value[threadIdx.x]] = min(counts[threadIdx.x], HISTO_MAX);
    if (threadIdx.x == 0)
        calls_made++;
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
    CUDA_CHECK(cudaMemcpyToSymbol(order, &host_order, sizeof order));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const auto pixels = [=] { return height * width; };
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    histogram<<<blocks, THREADS>>>(image, pixels(), counts);
    in_order<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) {
    unsigned calls = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&calls, calls_made, sizeof calls));
    CUDA_CHECK(cudaFree(counts));
}

// cpu pass
// gpu pass
