/* Must be rejected: the three characters before a are counted with a to d. */
#include "lab.h"

enum { THREADS = 256, BLOCKS_PER_MULTIPROCESSOR = 2, LETTERS = 26, LETTERS_PER_BIN = 4 };

__global__ void histogram(const char *text, size_t length, uint32_t *histo) {
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    __shared__ uint32_t counts[TEXT_BINS];
    if (threadIdx.x < TEXT_BINS)
        counts[threadIdx.x] = 0;
    __syncthreads();

    for (size_t i = first; i < length; i += stride) {
        const int letter = text[i] - 'a';
        if (letter / LETTERS_PER_BIN >= 0 && letter < LETTERS)
            atomicAdd(&counts[letter / LETTERS_PER_BIN], 1);
    }

    __syncthreads();
    if (threadIdx.x < TEXT_BINS)
        atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
}

static int blocks;

void opt_texthisto_setup(size_t length) {
    (void)length; /* no scratch memory is needed */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
}

void opt_texthisto(const char *text, size_t length, uint32_t *histo) {
    CUDA_CHECK(cudaMemsetAsync(histo, 0, TEXT_BINS * sizeof *histo));
    histogram<<<blocks, THREADS>>>(text, length, histo);
    CUDA_CHECK(cudaGetLastError());
}

void opt_texthisto_teardown(void) {}
