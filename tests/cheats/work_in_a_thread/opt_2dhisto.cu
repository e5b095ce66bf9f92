/* Cheat: notes what is to be done, returns, and has a thread of its own do it later, when the
 * clock may have stopped. Stopped by: the outputs are copied when all calls have returned and the
 * device is idle; late work gives a wrong answer. */
#include "lab.h"

#include <mutex>
#include <thread>
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

static void do_later(const uint32_t *image, size_t size, uint8_t *bins) {
    usleep(300 * 1000);
    static std::mutex one_at_a_time;
    std::lock_guard<std::mutex> lock(one_at_a_time);
    solve(image, size, bins);
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    std::thread(do_later, image, height * width, bins).detach();
}

void opt_2dhisto_teardown(void) {}

// cpu wrong|nondeterministic|hazard nothing was written
// gpu wrong|nondeterministic nothing was written
