/* Shared memory, 4 and 1 bytes a lane: strides, a padded tile, broadcasts, random places. */
#include "lab.h"

enum { BLOCKS = 132, THREADS = 256, WORDS = 8192, TURNS = 8, TILE = 32 };

static uint32_t *scratch;

/* Lanes load words so far apart. */
__global__ void load_strided(unsigned stride, uint32_t *result) {
    __shared__ uint32_t words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += THREADS)
        words[i] = i ^ blockIdx.x;
    __syncthreads();
    uint32_t sum = 0;
    for (unsigned i = 0; i < TURNS; i++)
        sum += words[(threadIdx.x * stride + i) % WORDS];
    if (sum == 12345)
        *result = sum;
}

__global__ void store_strided(unsigned stride, uint32_t *result) {
    __shared__ uint32_t words[WORDS];
    for (unsigned i = 0; i < TURNS; i++)
        words[(threadIdx.x * stride + i) % WORDS] = i;
    __syncthreads();
    if (words[threadIdx.x] == 12345)
        *result = 1;
}

/* A tile is written by rows and read by columns; its rows are so many words apart. */
__global__ void transpose(const uint32_t *words, unsigned pitch, uint32_t *result) {
    __shared__ uint32_t tile[TILE * (TILE + 1)];
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    uint32_t sum = 0;
    for (unsigned row = y; row < TILE; row += THREADS / TILE)
        tile[row * pitch + x] = words[blockIdx.x * TILE * TILE + row * TILE + x];
    __syncthreads();
    for (unsigned row = y; row < TILE; row += THREADS / TILE)
        sum += tile[x * pitch + row] * row;
    if (sum == 12345)
        *result = sum;
}

/* Words at places that the data tell. */
__global__ void look_up(const uint32_t *words, uint32_t mask, uint32_t *result) {
    __shared__ uint32_t table[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += THREADS)
        table[i] = i;
    __syncthreads();
    uint32_t sum = 0;
    for (unsigned i = 0; i < TURNS; i++)
        sum += table[words[blockIdx.x * THREADS * TURNS + i * THREADS + threadIdx.x] >> 4 & mask];
    if (sum == 12345)
        *result = sum;
}

/* One byte a lane: four lanes to a word, or one each. */
__global__ void bytes(unsigned stride, uint32_t *result) {
    __shared__ uint8_t bytes[4 * WORDS];
    for (unsigned i = 0; i < TURNS; i++)
        bytes[threadIdx.x * stride + i * THREADS % WORDS] = (uint8_t)i;
    __syncthreads();
    uint32_t sum = 0;
    for (unsigned i = 0; i < TURNS; i++)
        sum += bytes[threadIdx.x * stride + i * THREADS % WORDS];
    if (sum == 12345)
        *result = sum;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    const uint32_t *words = (const uint32_t *)buffer;
    const unsigned strides[] = {0, 1, 2, 3, 4, 8, 16, 32, 33};
    for (unsigned stride : strides) {
        load_strided<<<BLOCKS, THREADS>>>(stride, scratch);
        store_strided<<<BLOCKS, THREADS>>>(stride, scratch);
    }
    transpose<<<BLOCKS, THREADS>>>(words, TILE, scratch);
    transpose<<<BLOCKS, THREADS>>>(words, TILE + 1, scratch);
    look_up<<<BLOCKS, THREADS>>>(words, 31, scratch);
    look_up<<<BLOCKS, THREADS>>>(words, WORDS - 1, scratch);
    bytes<<<BLOCKS, THREADS>>>(1, scratch);
    bytes<<<BLOCKS, THREADS>>>(4, scratch);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
