/* Cheat: counts the first million bytes, and assumes that the others have the same distribution.
 * Stopped by: counts are exact. */
#include "lab.h"

enum { THREADS = 1024, READ = 1 << 20 };

__global__ void guess(const uint8_t *buffer, size_t size, uint32_t *histo) {
    __shared__ uint32_t partial[BYTE_BINS];
    const size_t read = size < READ ? size : READ;
    if (threadIdx.x < BYTE_BINS)
        partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = threadIdx.x; i < read; i += THREADS)
        atomicAdd(&partial[buffer[i]], 1);
    __syncthreads();
    if (threadIdx.x < BYTE_BINS)
        histo[threadIdx.x] =
            read ? (uint32_t)(partial[threadIdx.x] * (double)size / read + 0.5) : 0;
}

void opt_bytehisto_setup(size_t size) { (void)size; }

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    guess<<<1, THREADS>>>(buffer, size, histo);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) {}

// cpu wrong
// gpu wrong
