/* opt11: the blocks' histograms are saturated bytes, four to a word: a quarter of the memory. */
#include "lab.h"

enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 2, UNROLL = 12, WORDS = HISTO_BINS / 4 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *packed) {
    /* BEGIN SOLUTION: count this block's pixels */
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    __shared__ uint32_t partial[HISTO_BINS];
    partial[threadIdx.x] = 0;
    __syncthreads();

    size_t i = first;
    for (; i + (UNROLL - 1) * stride < size; i += UNROLL * stride) {
        uint32_t value[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            value[k] = image[i + k * stride];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (partial[value[k]] < HISTO_MAX)
                atomicAdd(&partial[value[k]], 1);
    }
    for (; i < size; i += stride) {
        const uint32_t value = image[i];
        if (partial[value] < HISTO_MAX)
            atomicAdd(&partial[value], 1);
    }

    __syncthreads();
    if (threadIdx.x < WORDS) {
        const uint32_t *four = &partial[4 * threadIdx.x];
        packed[blockIdx.x * WORDS + threadIdx.x] =
            min(four[0], HISTO_MAX) | min(four[1], HISTO_MAX) << 8 | min(four[2], HISTO_MAX) << 16 |
            min(four[3], HISTO_MAX) << 24;
    }
    /* END SOLUTION */
}

/* Saturating early loses nothing: min(sum of min(c, 255), 255) = min(sum of c, 255). */
__global__ void saturate(const uint32_t *packed, int blocks, uint32_t *bins) {
    /* BEGIN SOLUTION: add up the blocks' words of four bins */
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t total = 0;
    for (int block = 0; block < blocks; block++)
        total = __vaddus4(total, packed[block * WORDS + word]);
    bins[word] = total;
    /* END SOLUTION */
}

static uint32_t *scratch; /* one packed histogram for each block */
static int blocks;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width; /* the scratch memory has the size of the outputs of all blocks */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&scratch, blocks * WORDS * sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    /* BEGIN SOLUTION: launch both kernels */
    histogram<<<blocks, THREADS>>>(image, height * width, scratch);
    saturate<<<1, WORDS>>>(scratch, blocks, (uint32_t *)bins);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
