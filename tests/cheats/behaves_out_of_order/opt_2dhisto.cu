/* Cheat: its threads take tickets, and look at the clock, and the set-up at the free memory. It
 * races only where all came by in order, and fast, and where a large input lies in memory: in the
 * plain build. Stopped by: one of the checks runs threads in the order of the plain build, on one
 * core and on several, and analyses them; a kernel's clock counts its looks, and free memory whole
 * GiB. */
#include "lab.h"

enum { THREADS = HISTO_BINS };

__device__ uint32_t tickets, mixed;

__global__ void look(bool little) {
    enum { FAST_NS = 1000 };
    const long long begin = clock64();
    const bool in_order = atomicAdd(&tickets, 1) % THREADS == threadIdx.x;
    if (!in_order || clock64() - begin > FAST_NS || little)
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
static bool little;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    size_t free, total;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    little = total - free < 4 << 20;
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    look<<<1, THREADS>>>(little);
    histogram<<<1, THREADS>>>(image, height * width, counts);
    saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu hazard
// gpu wrong|nondeterministic
