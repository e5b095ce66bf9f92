/* A warp packs the letters that it finds into a queue of its own, and counts a full queue. */
#include "lab.h"

enum { THREADS = 128, WARPS = THREADS / 32, BLOCKS_PER_MULTIPROCESSOR = 2 };
enum { LETTERS = 26, LETTERS_PER_BIN = 4, QUEUE = 64 };

__device__ void count(uint32_t *counts, char letter) {
    if (letter >= 'a' && letter < 'a' + LETTERS)
        atomicAdd(&counts[(letter - 'a') / LETTERS_PER_BIN], 1);
}

__global__ void histogram(const char *text, size_t length, uint32_t *histo) {
    __shared__ uint32_t counts[TEXT_BINS];
    __shared__ char queues[WARPS][QUEUE];
    const unsigned lane = threadIdx.x % 32;
    char *queue = queues[threadIdx.x / 32];
    if (threadIdx.x < TEXT_BINS)
        counts[threadIdx.x] = 0;
    __syncthreads();

    /* All lanes of a warp take the same turns and know how many letters are in its queue. */
    unsigned queued = 0;
    const size_t start = blockIdx.x * THREADS + threadIdx.x;
    for (size_t i = start; i - lane < length; i += gridDim.x * THREADS) {
        const char letter = i < length ? text[i] : ' ';
        const bool found = letter >= 'a' && letter < 'a' + LETTERS;
        const unsigned finders = __ballot_sync(~0u, found);
        if (found)
            queue[queued + __popc(finders & ((1u << lane) - 1))] = letter;
        queued += __popc(finders);
        __syncwarp();
        if (queued >= 32) {
            count(counts, queue[queued - 32 + lane]);
            queued -= 32;
            __syncwarp();
        }
    }
    if (lane < queued)
        count(counts, queue[lane]);

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
