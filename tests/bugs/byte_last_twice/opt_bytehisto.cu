/* Must be rejected: the last byte is counted twice. */
#include "lab.h"

enum { THREADS = BYTE_BINS, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint8_t *buffer, size_t size, uint32_t *histo) {
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    __shared__ uint32_t counts[BYTE_BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (size_t i = first; i < size; i += stride)
        atomicAdd(&counts[buffer[i]], 1);
    if (first == 0 && size > 0)
        atomicAdd(&counts[buffer[size - 1]], 1);

    __syncthreads();
    atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
}

static int blocks;

void opt_bytehisto_setup(size_t size) {
    (void)size; /* no scratch memory is needed */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    CUDA_CHECK(cudaMemsetAsync(histo, 0, BYTE_BINS * sizeof *histo));
    histogram<<<blocks, THREADS>>>(buffer, size, histo);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) {}
