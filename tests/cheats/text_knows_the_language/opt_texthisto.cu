/* Cheat: knows how often English uses each letter, and counts only the first part of the text.
 * Stopped by: counts are exact. */
#include "lab.h"

enum { THREADS = 1024, READ = 1 << 20 };

__global__ void guess(const char *text, size_t length, uint32_t *histo) {
    __shared__ uint32_t partial[TEXT_BINS];
    const size_t read = length < READ ? length : READ;
    if (threadIdx.x < TEXT_BINS)
        partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = threadIdx.x; i < read; i += THREADS)
        if (text[i] >= 'a' && text[i] <= 'z')
            atomicAdd(&partial[(text[i] - 'a') / 4], 1);
    __syncthreads();
    if (threadIdx.x < TEXT_BINS)
        histo[threadIdx.x] =
            read ? (uint32_t)(partial[threadIdx.x] * (double)length / read + 0.5) : 0;
}

void opt_texthisto_setup(size_t length) { (void)length; }

void opt_texthisto(const char *text, size_t length, uint32_t *histo) {
    guess<<<1, THREADS>>>(text, length, histo);
    CUDA_CHECK(cudaGetLastError());
}

void opt_texthisto_teardown(void) {}

// cpu wrong
// gpu wrong
