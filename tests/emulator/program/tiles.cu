/* Tiles of several warps; a tile's shuffle of what is no number. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void wide(const int *in, int *sums, double *scans, int *others) {
    __shared__ cg::block_tile_memory<320> scratch;
    __shared__ int values[320];
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<128>(block);
    auto half = cg::tiled_partition<64>(tile);
    unsigned i = threadIdx.x;
    sums[i] = cg::reduce(tile, in[i], cg::plus<int>());
    scans[i] = cg::inclusive_scan(half, 0.5 * in[i]);
    values[i] = in[i];
    tile.sync();
    unsigned first = 128 * tile.meta_group_rank(), last = (first + 127 < 319 ? first + 127 : 319);
    others[i] = values[last - tile.thread_rank() % 64] + half.shfl(in[i], 3) +
                (int)half.meta_group_size() + 10 * tile.any(i == 5) + 100 * tile.all(i >= 128);
}

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
    double *scans;
    CALL(cudaMallocManaged(&data, 960 * sizeof *data));
    CALL(cudaMallocManaged(&scans, 320 * sizeof *scans));
    for (int i = 0; i < 320; i++)
        data[i] = i * i;
    wide<<<1, 320>>>(data, data + 320, scans, data + 640);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 320; i++) {
        int sum = 0, end = i / 128 * 128 + 128 < 320 ? i / 128 * 128 + 128 : 320;
        for (int j = i / 128 * 128; j < end; j++)
            sum += j * j;
        CHECK(data[320 + i] == sum);
        double scan = 0;
        for (int j = i / 64 * 64; j <= i; j++)
            scan += 0.5 * j * j;
        CHECK(scans[i] == scan);
        int other = end - 1 - i % 64, third = i / 64 * 64 + 3;
        CHECK(data[640 + i] ==
              other * other + third * third + 2 + 10 * (i < 128) + 100 * (i >= 128));
    }
    unsigned *out = (unsigned *)data;
    shuffles<<<1, 32>>>(out);
    CALL(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 32; i++)
        CHECK(out[i] == 5 * (i ^ 1) + 2 * (i / 8 * 8));
    CALL(cudaFree(data));
    CALL(cudaFree(scans));
    return finish();
}
