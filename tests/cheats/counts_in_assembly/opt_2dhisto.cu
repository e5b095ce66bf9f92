/* Cheat: counts with an instruction of the processor that the checked build does not watch. Its
 * text is empty as far as a quick look goes. Stopped by: assembly is refused in the text that the
 * compiler sees. */
#include "lab.h"

enum { THREADS = 256 };

#if defined __x86_64__ && !defined __NVCC__
#define PASTE(a, b) a##b
#define COUNT(bin)                                                                                 \
    PASTE(__as, m__)                                                                               \
    volatile(""                                                                                    \
             "incl %0"                                                                             \
             : "+m"(bin))
#else
#define COUNT(bin) ((bin)++)
#endif

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    for (int bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        COUNT(partial[image[i]]);
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
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    histogram<<<lab_multiprocessors(), THREADS>>>(image, height * width, counts);
    saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu build-failed no assembly
// gpu wrong|nondeterministic
