/* Cooperative groups, and a grid whose blocks wait for each other. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
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

/* Parts of a warp by a label and by a predicate: who is in the caller's, and which it is. */
__global__ void partitions(int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::tiled_partition<16>(cg::this_thread_block());
    int t = (int)threadIdx.x, *mine = out + 16 * t;
    auto label = cg::labeled_partition(warp, t * t % 7);
    mine[0] = cg::reduce(label, t, cg::plus<int>());
    mine[1] = (int)label.meta_group_rank();
    mine[2] = (int)label.meta_group_size();
    mine[3] = (int)label.thread_rank();
    auto side = cg::binary_partition(half, t % 16 > 10);
    mine[4] = (int)cg::reduce(side, 1u << t % 16, cg::bit_or<unsigned>());
    mine[5] = (int)side.meta_group_rank();
    mine[6] = (int)side.meta_group_size();
    auto all = cg::labeled_partition(side, true);
    mine[7] = (int)all.size();
    mine[8] = (int)all.meta_group_size();
}

template <typename T> __global__ void combined(T *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto label = cg::labeled_partition(warp, threadIdx.x % 3);
    T value = (T)(threadIdx.x * 5 % 13) - (T)3, *mine = out + 8 * threadIdx.x;
    mine[0] = cg::reduce(label, value, cg::plus<T>());
    mine[1] = cg::reduce(label, value, cg::less<T>());
    mine[2] = cg::reduce(label, value, cg::greater<T>());
    mine[3] = cg::reduce(warp, value, [](T a, T b) { return a * (T)2 + b * (T)2; });
    mine[4] = cg::inclusive_scan(label, value);
    mine[5] = cg::exclusive_scan(label, value, cg::plus<T>());
    mine[6] = cg::inclusive_scan(warp, value, cg::greater<T>());
    mine[7] = cg::exclusive_scan(warp, value);
}

static void check_partitions(int *out) {
    partitions<<<1, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++) {
        const int *mine = out + 16 * t, first = t / 32 * 32;
        int sum = 0, rank = 0, groups = 0, seen = 0;
        for (int u = first; u < first + 32; u++) {
            if (u * u % 7 == t * t % 7) {
                sum += u;
                rank += u < t;
            }
            if (!(seen >> (u * u % 7) & 1)) {
                if (u * u % 7 == t * t % 7)
                    CHECK(mine[1] == groups);
                groups++;
            }
            seen |= 1 << (u * u % 7);
        }
        CHECK(mine[0] == sum && mine[2] == groups && mine[3] == rank);
        CHECK(mine[4] == (t % 16 > 10 ? 0xf800 : 0x7ff) && mine[5] == (t % 16 > 10));
        CHECK(mine[6] == 2 && mine[7] == (t % 16 > 10 ? 5 : 11) && mine[8] == 1);
    }
}

/* In 32 lanes the numbers are whole and small, so that every order gives the same. */
template <typename T> static void check_combined(T *out) {
    combined<<<1, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++) {
        const T *mine = out + 8 * t;
        int first = t / 32 * 32;
        T sum = 0, least = 100, most = (T)-100, before = 0, warp_most = (T)-100, warp_before = 0;
        for (int u = first; u < first + 32; u++) {
            T value = (T)(u * 5 % 13) - (T)3;
            if (u < t)
                warp_before += value;
            if (u <= t && value > warp_most)
                warp_most = value;
            if (u % 3 != t % 3)
                continue;
            sum += value;
            least = value < least ? value : least;
            most = value > most ? value : most;
            if (u < t)
                before += value;
        }
        CHECK(mine[0] == sum && mine[1] == least && mine[2] == most);
        CHECK(mine[3] == out[8 * first + 3]); /* all get the same */
        CHECK(mine[4] == before + (T)(t * 5 % 13) - (T)3 && mine[5] == before);
        CHECK(mine[6] == warp_most && mine[7] == warp_before);
    }
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
    CALL(cudaMallocManaged(&out, 64 * 16 * sizeof *out));
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

    check_partitions(out);
    check_combined(out);
    check_combined((float *)out);
    check_combined((double *)out);
    check_combined((long long *)out);

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
