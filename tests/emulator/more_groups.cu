/* Cooperative groups: copies, one thread for all, barriers in two halves, tiles of tiles. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void copies(const int *in, int *out) {
    __shared__ alignas(alignof(int4)) int values[96];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, values, in, sizeof values);
    cg::wait(block);
    out[block.thread_rank()] = values[95 - block.thread_rank()];
}

__global__ void others(int *out) {
    __shared__ int count;
    auto block = cg::this_thread_block();
    cg::invoke_one(block, [&] { count = 5; });
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
    unsigned first = threadIdx.x;
    int shared = cg::invoke_one_broadcast(tile, [first] { return (int)first; });
    out[threadIdx.x] = 1000 * count + shared + (int)cg::thread_rank(tile);
}

/* A tile's shuffle of what is no number. */
struct pair {
    uint4 a;
    float b;
};
__global__ void shuffles(unsigned *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    unsigned i = threadIdx.x;
    uint4 swapped = tile.shfl_xor(make_uint4(i, 2 * i, 3 * i, 4 * i), 1);
    pair first = tile.shfl(pair{make_uint4(0, 0, 0, i), 0.5f * i}, 0);
    out[i] = swapped.x + swapped.w + first.a.w + (unsigned)(2 * first.b);
}

int main() {
    int *data;
    CALL(cudaMallocManaged(&data, 160 * sizeof *data));
    for (int i = 0; i < 96; i++)
        data[i] = i * i;
    copies<<<1, 64>>>(data, data + 96);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(data[96 + i] == (95 - i) * (95 - i));
    others<<<1, 64>>>(data + 96);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(data[96 + i] == 5000 + i);
    unsigned *out = (unsigned *)data;
    shuffles<<<1, 32>>>(out);
    CALL(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 32; i++)
        CHECK(out[i] == 5 * (i ^ 1) + 2 * (i / 8 * 8));
    CALL(cudaFree(data));
    return finish();
}
