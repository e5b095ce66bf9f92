/* Loads at places that the data tell, and loads where lanes share an address. */
#include "lab.h"

enum { BLOCKS = 264, THREADS = 256, TABLE = 1 << 16 };

static uint32_t *table;

/* Of a table of so many words. */
__global__ void gather(const uint32_t *words, size_t count, uint32_t *table, uint32_t mask) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += table[words[i] >> 8 & mask];
    if (sum == 12345)
        *table = sum;
}

__global__ void gather_quads(const uint32_t *words, size_t count, uint4 *table, uint32_t mask) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const uint4 quad = table[words[i] >> 8 & mask];
        sum += quad.x ^ quad.y ^ quad.z ^ quad.w;
    }
    if (sum == 12345)
        table->x = sum;
}

/* `sharing` neighbouring lanes read one word. */
__global__ void shared_by(const uint32_t *words, size_t count, unsigned sharing, uint32_t *result) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += words[i / sharing];
    if (sum == 12345)
        *result = sum;
}

/* The lanes of a warp in reverse, and the two halves of a warp swapped. */
__global__ void permuted(const uint32_t *words, size_t count, unsigned flip, uint32_t *result) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += words[(i ^ flip) < count ? i ^ flip : i];
    if (sum == 12345)
        *result = sum;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&table, TABLE * sizeof *table));
    CUDA_CHECK(cudaMemset(table, 0, TABLE * sizeof *table));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)histo;
    const uint32_t *words = (const uint32_t *)buffer;
    const size_t count = size / 8;
    for (uint32_t entries = 8; entries <= TABLE; entries *= 8) {
        gather<<<BLOCKS, THREADS>>>(words, count, table, entries - 1);
        CUDA_CHECK(cudaGetLastError());
    }
    gather_quads<<<BLOCKS, THREADS>>>(words, count, (uint4 *)table, TABLE / 4 - 1);
    CUDA_CHECK(cudaGetLastError());
    const unsigned sharing[] = {2, 5, 16, 32};
    for (unsigned lanes : sharing) {
        shared_by<<<BLOCKS, THREADS>>>(words, count, lanes, table);
        CUDA_CHECK(cudaGetLastError());
    }
    permuted<<<BLOCKS, THREADS>>>(words, count, 31, table);
    CUDA_CHECK(cudaGetLastError());
    permuted<<<BLOCKS, THREADS>>>(words, count, 16, table);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(table)); }
