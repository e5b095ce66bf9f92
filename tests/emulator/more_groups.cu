/* Cooperative groups: copies, tiles of tiles and of several warps. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void copies(const int *in, int *out) {
    __shared__ alignas(alignof(int4)) int values[96];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, values, in, sizeof values);
    cg::wait(block);
    out[block.thread_rank()] = values[95 - block.thread_rank()];
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

/* Tiles of several warps, and tiles of these. */
__global__ void wide(int *out) {
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ int values[256];
    auto block = cg::this_thread_block(memory);
    auto four = cg::tiled_partition<128>(block);
    auto two = cg::tiled_partition<64>(four);
    int t = (int)threadIdx.x, *mine = out + 8 * t;
    values[t] = t;
    four.sync();
    mine[0] = values[t ^ 127];
    mine[1] = cg::reduce(four, t, cg::plus<int>());
    mine[2] = cg::reduce(two, 1.5f * (float)t, cg::greater<float>()) == 1.5f * (float)(t | 63);
    mine[3] = (int)(100 * two.meta_group_rank() + 10 * two.meta_group_size() + two.num_threads());
    mine[4] = (int)(1000 * four.meta_group_rank() + four.thread_rank());
    mine[5] = (int)cg::tiled_partition<16>(two).meta_group_rank();
}

static void check_wide() {
    int *out;
    CALL(cudaMallocManaged(&out, 256 * 8 * sizeof *out));
    wide<<<1, 256>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 256; t++) {
        const int *mine = out + 8 * t, four = t / 128 * 128;
        CHECK(mine[0] == (t ^ 127) && mine[1] == 128 * four + 127 * 64 && mine[2] == 1);
        CHECK(mine[3] == 100 * (t / 64 % 2) + 20 + 64 && mine[4] == t / 128 * 1000 + t % 128);
        CHECK(mine[5] == t / 16 % 4);
    }
    CALL(cudaFree(out));
}

int main() {
    check_wide();
    int *data;
    CALL(cudaMallocManaged(&data, 160 * sizeof *data));
    for (int i = 0; i < 96; i++)
        data[i] = i * i;
    copies<<<1, 64>>>(data, data + 96);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(data[96 + i] == (95 - i) * (95 - i));
    unsigned *out = (unsigned *)data;
    shuffles<<<1, 32>>>(out);
    CALL(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 32; i++)
        CHECK(out[i] == 5 * (i ^ 1) + 2 * (i / 8 * 8));
    CALL(cudaFree(data));
    return finish();
}
