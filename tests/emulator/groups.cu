/* Cooperative groups, and a grid whose blocks wait for each other. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void tiles(int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    int t = (int)block.thread_rank(), *mine = out + 8 * t;
    mine[0] = warp.shfl_down(t, 1);
    mine[1] = cg::reduce(quad, t, cg::plus<int>());
    mine[2] = (int)quad.meta_group_rank();
    mine[3] = (int)quad.ballot(t % 2);
    mine[4] = cg::reduce(warp, -t, cg::less<int>());
    mine[5] = quad.shfl(t, 2);
    if (t % 3 == 0) {
        auto some = cg::coalesced_threads();
        mine[6] = cg::reduce(some, 1, cg::plus<int>());
        mine[7] = (int)some.size();
    }
    block.sync();
}

/* Each round needs all values of the previous round. */
__global__ void rounds(int *a, int *b, int count) {
    cg::grid_group grid = cg::this_grid();
    int n = (int)grid.size(), i = (int)grid.thread_rank();
    for (int r = 0; r < count; r++) {
        b[i] = a[(i + 1) % n] + a[(i + n / 2) % n];
        grid.sync();
        int *swap = a;
        a = b;
        b = swap;
    }
}

int main() {
    int *out;
    CALL(cudaMallocManaged(&out, 64 * 8 * sizeof *out));
    tiles<<<1, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++) {
        const int *mine = out + 8 * t;
        CHECK(mine[0] == (t % 32 == 31 ? t : t + 1));
        CHECK(mine[1] == 4 * (t / 4 * 4) + 6);
        CHECK(mine[2] == t % 32 / 4);
        CHECK(mine[3] == 10);
        CHECK(mine[4] == -(t / 32 * 32 + 31));
        CHECK(mine[5] == t / 4 * 4 + 2);
        if (t % 3 == 0)
            CHECK(mine[6] == mine[7] && mine[6] >= 1 && mine[6] <= 11);
    }

    const int blocks = 16, threads = 128, n = blocks * threads;
    int count = 7, *a, *b, *x = (int *)malloc(n * sizeof(int)), *y = (int *)malloc(n * sizeof(int));
    CALL(cudaMallocManaged(&a, n * sizeof *a));
    CALL(cudaMallocManaged(&b, n * sizeof *b));
    for (int i = 0; i < n; i++)
        x[i] = a[i] = i * i % 101;
    void *arguments[] = {&a, &b, &count};
    CALL(cudaLaunchCooperativeKernel((void *)rounds, dim3(blocks), dim3(threads), arguments, 0, 0));
    CALL(cudaDeviceSynchronize());
    for (int r = 0; r < count; r++) {
        for (int i = 0; i < n; i++)
            y[i] = x[(i + 1) % n] + x[(i + n / 2) % n];
        int *swap = x;
        x = y;
        y = swap;
    }
    for (int i = 0; i < n; i++)
        CHECK(b[i] == x[i]); /* seven rounds end in b */
    CHECK(cudaLaunchCooperativeKernel((void *)rounds, dim3(100000), dim3(threads), arguments, 0,
                                      0) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    return finish();
}
