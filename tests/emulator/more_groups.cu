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
    CALL(cudaFree(data));
    return finish();
}
