/* Tiles of cooperative groups add up in shared memory, and one thread adds up the tiles. */
#include "lab.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 256, TILE = 32 };

__device__ float element(const float *data, size_t i, size_t count) {
    return i < count ? data[i] : 0;
}

__device__ void add_tile(const cg::thread_block_tile<TILE> &tile, float *numbers) {
    const unsigned lane = tile.thread_rank();
    for (unsigned offset = TILE / 2; offset > 0; offset /= 2) {
        if (lane < offset)
            numbers[lane] += numbers[lane + offset];
        tile.sync();
    }
}

__global__ void add_blocks(const float *data, size_t count, float *sums) {
    __shared__ float shared[THREADS];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(block);
    const unsigned t = block.thread_rank();
    shared[t] = element(data, (size_t)blockIdx.x * THREADS + t, count);
    tile.sync();
    add_tile(tile, shared + t / TILE * TILE);

    block.sync();
    if (t == 0) {
        float sum = 0;
        for (unsigned first = 0; first < THREADS; first += TILE)
            sum += shared[first];
        sums[blockIdx.x] = sum;
    }
}

static unsigned blocks_for(size_t count) { return max((count + THREADS - 1) / THREADS, (size_t)1); }

static float *sums[2]; /* one for each block: of a pass, and of the next */

void opt_sum_setup(size_t count) {
    CUDA_CHECK(cudaMalloc(&sums[0], blocks_for(count) * sizeof *sums[0]));
    CUDA_CHECK(cudaMalloc(&sums[1], blocks_for(count) * sizeof *sums[1]));
}

void opt_sum(const float *data, size_t count, float *result) {
    for (int pass = 0;; pass++) {
        const unsigned blocks = blocks_for(count);
        float *to = blocks == 1 ? result : sums[pass % 2];
        add_blocks<<<blocks, THREADS>>>(data, count, to);
        if (blocks == 1)
            break;
        data = to;
        count = blocks;
    }
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) {
    CUDA_CHECK(cudaFree(sums[0]));
    CUDA_CHECK(cudaFree(sums[1]));
}
