/* Dynamic shared memory, carved up by hand: 16 bytes for each thread, then the counts. */
#include "lab.h"

enum { THREADS = 128, BLOCKS_PER_MULTIPROCESSOR = 2, BYTES = 16, STAGE = THREADS * BYTES };

__global__ void histogram(const uint8_t *buffer, size_t size, uint32_t *histo) {
    extern __shared__ uint4 memory[];
    uint8_t *stage = (uint8_t *)memory;
    uint32_t *counts = (uint32_t *)(stage + STAGE);
    for (unsigned bin = threadIdx.x; bin < BYTE_BINS; bin += THREADS)
        counts[bin] = 0;

    const uint4 *quads = (const uint4 *)buffer;
    for (size_t first = blockIdx.x * STAGE; first < size; first += gridDim.x * STAGE) {
        const size_t i = first + threadIdx.x * BYTES;
        if (i + BYTES <= size)
            memory[threadIdx.x] = quads[i / BYTES];
        else
            for (size_t k = i; k < size; k++)
                stage[k - first] = buffer[k];
        __syncthreads();
        for (unsigned k = threadIdx.x; k < STAGE && first + k < size; k += THREADS)
            atomicAdd(&counts[stage[k]], 1);
        __syncthreads();
    }
    for (unsigned bin = threadIdx.x; bin < BYTE_BINS; bin += THREADS)
        atomicAdd(&histo[bin], counts[bin]);
}

static int blocks;

void opt_bytehisto_setup(size_t size) {
    (void)size; /* no scratch memory is needed */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    CUDA_CHECK(cudaMemsetAsync(histo, 0, BYTE_BINS * sizeof *histo));
    histogram<<<blocks, THREADS, STAGE + BYTE_BINS * sizeof(uint32_t)>>>(buffer, size, histo);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) {}
